// Rows whose width is known only at run time, from one byte to far beyond what a scratch slot
// holds, with indices in and out of range: every backend leaves what the interpreter leaves, beside
// inaccessible pages, and nothing of the stack can be seen in it.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>

#include "ir/interpreter.h"
#include "ir/spec_text.h"
#include "jit/compile/compile.h"
#include "tests/support/backends.h"
#include "tests/support/dealt_parts.h"
#include "tests/support/host_levels.h"
#include "tests/support/spoiled_stack.h"
#include "tests/support/wide_rows.h"
#include "tests/support/workload.h"

namespace pto::jit::tests {
namespace {

constexpr std::uint32_t kSeed = 20261119;
constexpr std::int32_t kMostBytes = 1024;

// Bytes around each threshold at which a backend goes another way, and some between.
std::vector<std::int32_t> widths(std::int32_t element) {
  std::set<std::int32_t> out;
  const auto add = [&](std::int32_t bytes) {
    if (bytes > 0 && bytes <= kMostBytes) out.insert(std::max(bytes / element, 1));
  };
  for (const std::int32_t near : {16, 32, 64, 96, 128, 192, 256, 384, 512, 576, 640, 768, 1024})
    for (std::int32_t by = -element; by <= element; by += element) add(near + by);
  for (std::int32_t bytes = 1; bytes <= kMostBytes; bytes += 41) add(bytes);
  return {out.begin(), out.end()};
}

class RunTimeWidths : public ::testing::TestWithParam<WideRows> {
 protected:
  static constexpr int kParts = 3;

  static KernelSpec with_width(KernelSpec spec, std::int32_t width) {
    spec.data.vc = width;
    spec.table.shape[4] = width;
    return spec;
  }

  void hold(const Workload& load, const std::function<void(const Frame&)>& kernel) {
    const Image expected =
        run_guarded(load, Guard::Behind, [&](const Frame& frame) { interpret(load.plan, frame); });
    for (const Guard guard : {Guard::Behind, Guard::Before}) {
      ASSERT_EQ(difference(load, expected, run_guarded(load, guard, kernel)), "")
          << "width " << load.bound.data.vc;
      ++runs_;
    }
  }

  void hold(const Workload& load, const Kernel& whole, const Kernel& part) {
    const auto run = [](const Kernel& kernel, const Frame& frame) {
      spoil_stack();
      kernel(frame);
    };
    hold(load, [&](const Frame& frame) { run(whole, frame); });
    if (load.plan.audit.is_on) return;
    hold(load, [&](const Frame& frame) {
      const std::int64_t pieces = pieces_in(load.plan, frame);
      run_shuffled(load.plan, frame, even_parts(pieces, kParts), kSeed,
                   [&](const Frame& own) { run(part, own); });
    });
  }

  void hold_all(Backend backend, FeatureLevel level) {
    const LegalSpec legal = *verify(*parse(GetParam().text));
    const auto made = [&](KernelKind kind) {
      return compile(legal, {.backend = backend, .level = level, .kind = kind, .bind_after = 0});
    };
    const Result<Kernel> whole = made(KernelKind::Whole);
    const Result<Kernel> part = made(KernelKind::Part);
    ASSERT_TRUE(whole && part) << print(legal.spec());
    for (const std::int32_t width :
         widths(static_cast<std::int32_t>(size_of(legal.spec().data.dtype)))) {
      const KernelSpec bound = with_width(legal.spec(), width);
      for (const Pattern pattern : {Pattern::Extreme, Pattern::OneBeyond}) {
        const auto load = make_workload(legal, bound, pattern, kSeed);
        ASSERT_TRUE(load) << print(bound);
        hold(*load, *whole, *part);
        if (HasFatalFailure()) return;
      }
    }
  }

  std::size_t runs_ = 0;
};

TEST_P(RunTimeWidths, OfEveryThresholdLeaveWhatTheInterpreterLeaves) {
  for (const Backend backend : backends_here()) {
    if (backend == Backend::Interpreter) continue;
    for (const FeatureLevel level : host_levels()) {
      hold_all(backend, level);
      if (HasFatalFailure()) return;
    }
  }
  std::printf("%zu runs, seed %u\n", runs_, kSeed);
}

INSTANTIATE_TEST_SUITE_P(Of, RunTimeWidths, ::testing::ValuesIn(kWideRows),
                         [](const auto& rows) { return std::string(rows.param.name); });

}  // namespace
}  // namespace pto::jit::tests

// Audited kernels against the model: every case of the grid that has indices, audited, on indices
// that collide and that leave the table, by the interpreter and by generated code at every level.
#include <gtest/gtest.h>

#include "ir/interpreter.h"
#include "ir/spec_text.h"
#include "jit/backends/backend.h"
#include "jit/compile/compile.h"
#include "tests/support/grid.h"
#include "tests/support/host_levels.h"
#include "tests/support/workload.h"

namespace pto::jit::tests {
namespace {

constexpr std::uint32_t kSeed = 20260103;
constexpr std::array kWanted = {Pattern::Extreme, Pattern::Equal, Pattern::OneBeyond,
                                Pattern::Random};

struct Seen {
  std::size_t runs = 0;
  std::size_t out_of_bounds = 0;
  std::size_t collisions = 0;
  int failures = 0;
};

// The audited variant of a grid case; nothing when it has no indices.
std::optional<LegalSpec> audited(const GridCase& entry) {
  KernelSpec spec = entry.spec;
  spec.audit = true;
  const Result<LegalSpec> legal = verify(spec);
  return legal ? std::optional(*legal) : std::nullopt;
}

// Runs one workload everywhere and holds memory and report against the model's.
class EveryBackend {
 public:
  explicit EveryBackend(Seen& seen) : seen_(seen) {}

  void compare(const LegalSpec& legal, const Workload& load) {
    const Image expected = run_model(load);
    if (expected.report.out_of_bounds > 0) ++seen_.out_of_bounds;
    if (expected.report.collisions > 0) ++seen_.collisions;
    hold(load, expected, [&](const Frame& frame) { interpret(load.plan, frame); });
    std::vector<FeatureLevel> levels = host_levels();
    levels.push_back(FeatureLevel::Native);
    for (const FeatureLevel level : levels) {
      const Result<Kernel> kernel = compile(legal.spec(), {best_backend(), level});
      ASSERT_TRUE(kernel) << print(legal.spec());
      hold(load, expected, *kernel);
    }
  }

 private:
  void hold(const Workload& load, const Image& expected,
            const std::function<void(const Frame&)>& kernel) {
    for (const Guard guard : {Guard::Behind, Guard::Before}) {
      const std::string found = difference(load, expected, run_guarded(load, guard, kernel));
      if (!found.empty() && seen_.failures++ < 10) ADD_FAILURE() << found;
      ++seen_.runs;
    }
  }

  Seen& seen_;
};

TEST(AuditedKernels, ReportWhatTheModelReportsOnTheWholeGrid) {
  Seen seen;
  EveryBackend backends(seen);
  std::uint32_t count = 0;
  for (const GridCase& entry : runnable_grid()) {
    const std::optional<LegalSpec> legal = audited(entry);
    if (!legal) continue;
    KernelSpec bound = entry.bound;
    bound.audit = true;
    const Pattern pattern = kWanted[count++ % kWanted.size()];
    const auto load = make_workload(*legal, bound, pattern, kSeed + count);
    ASSERT_TRUE(load) << "an audited kernel has an answer to every index: " << print(legal->spec());
    backends.compare(*legal, *load);
  }
  std::printf("%zu runs, %zu cases out of bounds, %zu with collisions, seed %u\n", seen.runs,
              seen.out_of_bounds, seen.collisions, kSeed);
  EXPECT_EQ(seen.failures, 0);
  EXPECT_GT(seen.runs, 10000u);
  EXPECT_GT(seen.out_of_bounds, 500u);
  EXPECT_GT(seen.collisions, 500u);
}

}  // namespace
}  // namespace pto::jit::tests

// Kernels done in parts against the same kernels done at once, over the grid: by the interpreter
// with all walks, and by generated code.
#include "ir/parts.h"

#include <gtest/gtest.h>

#include <array>

#include "ir/interpreter.h"
#include "ir/spec_text.h"
#include "ir/walk.h"
#include "jit/backends/backend.h"
#include "jit/compile/compile.h"
#include "tests/support/cells.h"
#include "tests/support/dealt_parts.h"
#include "tests/support/sample_size.h"
#include "tests/support/workload.h"

namespace pto::jit::tests {
namespace {

constexpr std::uint32_t kSeed = 20260118;
constexpr std::size_t kEvery = 10;       // of the grid's cases in a short sample
constexpr std::size_t kEveryOfLlvm = 5;  // of those: LLVM compiles in milliseconds
constexpr int kMostShown = 10;

// What runs the plan of a part or of an audit.
using RunPlan = std::function<void(const KernelPlan&, const Frame&)>;

// What a whole kernel leaves, and what its parts leave, the audit being one of its own.
class PartsComparison {
 public:
  void compare(const Workload& load, const std::string& name, const RunPlan& run) {
    const int parts = kPartCounts[++runs_ % std::size(kPartCounts)];
    const Image expected =
        run_guarded(load, Guard::Behind, [&](const Frame& frame) { interpret(load.plan, frame); });
    for (const Guard guard : {Guard::Behind, Guard::Before}) {
      const Image actual = run_guarded(
          load, guard, [&](const Frame& frame) { run_in_parts(load.plan, frame, parts, run); });
      const std::string found = difference(load, expected, actual);
      if (!found.empty() && failures_++ < kMostShown)
        ADD_FAILURE() << parts << " parts by " << name << ": " << found << "\n"
                      << print(part_plan(load.plan));
    }
  }

  // How many calls were really done in parts.
  std::size_t report() const {
    std::printf("%zu cases, %zu calls in parts, seed %u\n", runs_, parted_, kSeed);
    return parted_;
  }

 private:
  void run_in_parts(const KernelPlan& plan, const Frame& frame, int parts, const RunPlan& run) {
    const std::int64_t pieces = pieces_in(plan, frame);
    if (pieces <= 1) return interpret(plan, frame);
    ++parted_;
    if (plan.audit.is_on) run(audit_plan(plan), audit_frame(frame));
    const KernelPlan part = part_plan(plan);
    const auto seed = static_cast<std::uint32_t>(kSeed + runs_);
    const auto ranges =
        runs_ % 3 == 0 ? uneven_parts(pieces, parts, seed) : even_parts(pieces, parts);
    run_shuffled(plan, frame, ranges, seed, [&](const Frame& own) { run(part, own); });
  }

  std::size_t runs_ = 0;
  std::size_t parted_ = 0;
  int failures_ = 0;
};

// Visits the sampled grid, or each `step`-th case of it, with each binding, patterns in turn.
template <class Visit>
void for_each_workload(Visit&& visit, std::size_t step = 1) {
  std::uint32_t count = 0;
  const std::vector<GridCase> grid = sampled_grid(kEvery);
  for (std::size_t i = 0; i < grid.size(); i += step) {
    const GridCase& entry = grid[i];
    const Result<LegalSpec> legal = verify(entry.spec);
    ASSERT_TRUE(legal) << print(entry.spec);
    std::vector<KernelSpec> bindings = bindings_for(*legal);
    bindings.push_back(entry.bound);
    for (const KernelSpec& bound : bindings) {
      const Pattern pattern = kPatterns[count++ % kPatterns.size()];
      const std::optional<Workload> load = make_workload(*legal, bound, pattern, kSeed + count);
      if (load) visit(*load);
    }
  }
}

TEST(Parts, LeaveTheMemoryOfTheWholeByEveryWalk) {
  PartsComparison comparison;
  std::size_t count = 0;
  for_each_workload([&](const Workload& load) {
    constexpr std::array kWalks = {WalkKind::Forward, WalkKind::Backward, WalkKind::ByOwner};
    constexpr std::array kGroups = {1, 4, 16};
    WalkKind kind = kWalks[++count % kWalks.size()];
    if (!slots_are_independent(load.plan)) kind = WalkKind::Forward;
    const int group = kGroups[count / kWalks.size() % kGroups.size()];
    const std::string name =
        "walk " + std::to_string(static_cast<int>(kind)) + " by " + std::to_string(group);
    comparison.compare(load, name, [&](const KernelPlan& plan, const Frame& frame) {
      interpret(plan, frame, {kind, group});
    });
  });
  EXPECT_GT(comparison.report(), takes_full_samples() ? 40000u : 4000u);
}

// By generated code, at a feature level.
struct Maker {
  Backend backend;
  FeatureLevel level;
};

class GeneratedParts : public ::testing::TestWithParam<Maker> {};

TEST_P(GeneratedParts, LeaveTheMemoryOfTheWhole) {
  const auto [backend, level] = GetParam();
  if (!has_backend(backend)) GTEST_SKIP() << no_backend(backend).message;
  if (!has_level(host_features(), level)) GTEST_SKIP() << "this host has no " << name_of(level);
  PartsComparison comparison;
  const auto compare = [&](const Workload& load) {
    const auto kernel = [&](KernelKind kind) {
      const Result<Kernel> made =
          compile(load.declared, {.backend = backend, .level = level, .kind = kind});
      EXPECT_TRUE(made) << print(load.declared);
      return *made;
    };
    const Kernel part = kernel(KernelKind::Part);
    const Kernel audit = load.plan.audit.is_on ? kernel(KernelKind::Audit) : part;
    comparison.compare(load, "code", [&](const KernelPlan& plan, const Frame& frame) {
      (plan.audit.is_on ? audit : part)(frame);
    });
  };
  for_each_workload(compare, backend == Backend::Llvm ? kEveryOfLlvm : 1);
  EXPECT_GT(comparison.report(), takes_full_samples() ? 10000u : 1000u);
}

INSTANTIATE_TEST_SUITE_P(Backends, GeneratedParts,
                         ::testing::Values(Maker{Backend::Xbyak, FeatureLevel::Baseline},
                                           Maker{Backend::Xbyak, FeatureLevel::Avx2},
                                           Maker{Backend::Xbyak, FeatureLevel::Avx512},
                                           Maker{Backend::Llvm, FeatureLevel::Native}),
                         [](const auto& maker) {
                           return std::string(name_of(maker.param.backend)) + "_" +
                                  std::string(name_of(maker.param.level));
                         });

}  // namespace
}  // namespace pto::jit::tests

// The interpreter against the independent model, over the grid of legal specs.
#include "ir/interpreter.h"

#include <gtest/gtest.h>

#include "ir/spec_text.h"
#include "ir/walk.h"
#include "tests/support/cells.h"
#include "tests/support/sample_size.h"
#include "tests/support/workload.h"

namespace pto::jit::tests {
namespace {

constexpr std::uint32_t kSeed = 20260101;

constexpr std::size_t kEvery = 10;  // of the grid's cases in a short sample

// Visits the cases of the grid with every further binding and pattern that applies.
template <class Visit>
void for_each_workload(Visit&& visit) {
  std::uint32_t count = 0;
  for (const GridCase& entry : sampled_grid(kEvery)) {
    const Result<LegalSpec> legal = verify(entry.spec);
    ASSERT_TRUE(legal) << print(entry.spec);
    std::vector<KernelSpec> bindings = bindings_for(*legal);
    bindings.push_back(entry.bound);
    for (const KernelSpec& bound : bindings) {
      ++count;
      for (const Pattern pattern : kPatterns) {
        const std::optional<Workload> load = make_workload(*legal, bound, pattern, kSeed + count);
        if (load) visit(*load, count);
      }
    }
  }
}

TEST(Interpreter, AgreesWithTheModelOnTheGrid) {
  std::size_t runs = 0;
  int failures = 0;
  for_each_workload([&](const Workload& load, std::uint32_t) {
    const Image expected = run_model(load);
    for (const Guard guard : {Guard::Behind, Guard::Before}) {
      const Image actual =
          run_guarded(load, guard, [&](const Frame& frame) { interpret(load.plan, frame); });
      const std::string found = difference(load, expected, actual);
      if (!found.empty() && failures++ < 20) ADD_FAILURE() << found << "\n" << print(load.plan);
      ++runs;
    }
  });
  EXPECT_EQ(failures, 0);
  std::printf("%zu runs, seed %u\n", runs, kSeed);
  EXPECT_GT(runs, takes_full_samples() ? 40000u : 4000u);
}

TEST(Interpreter, LeavesEqualMemoryWithEveryWalkAndGroup) {
  std::size_t walks = 0;
  int failures = 0;
  for_each_workload([&](const Workload& load, std::uint32_t count) {
    if (count % 7 != 0) return;
    const Image expected = run_model(load);
    for (const WalkKind kind : {WalkKind::Forward, WalkKind::Backward, WalkKind::ByOwner}) {
      if (kind != WalkKind::Forward && !slots_are_independent(load.plan)) continue;
      for (const int group : {1, 4, 16}) {
        const Image actual = run_guarded(load, Guard::Behind, [&](const Frame& frame) {
          interpret(load.plan, frame, {kind, group});
        });
        const std::string found = difference(load, expected, actual);
        if (!found.empty() && failures++ < 20)
          ADD_FAILURE() << static_cast<int>(kind) << " by " << group << ": " << found << "\n"
                        << print(load.plan);
        ++walks;
      }
    }
  });
  EXPECT_EQ(failures, 0);
  std::printf("%zu walks, seed %u\n", walks, kSeed);
}

}  // namespace
}  // namespace pto::jit::tests

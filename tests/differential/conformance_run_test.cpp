// Every legal conformance case runs, with the index pattern and the extents it names, as the model
// says.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "ir/interpreter.h"
#include "ir/walk.h"
#include "jit/compile/compile.h"
#include "tests/support/conformance_workload.h"

namespace pto::jit::tests {
namespace {

constexpr std::uint32_t kSeed = 20260102;

TEST(ConformanceRun, InterpreterAgreesWithTheModelOnEveryCase) {
  std::size_t count = 0;
  for (const ConformanceCase& entry : conformance_cases()) {
    if (!entry.legal) continue;
    const std::optional<Workload> load = make_workload(entry, kSeed);
    ASSERT_TRUE(load) << entry.spec << "\n" << entry.bind << " " << entry.index;
    const Image expected = run_model(*load);
    for (const Guard guard : {Guard::Behind, Guard::Before}) {
      const Image actual =
          run_guarded(*load, guard, [&](const Frame& frame) { interpret(load->plan, frame); });
      EXPECT_EQ(difference(*load, expected, actual), "");
    }
    ++count;
  }
  EXPECT_EQ(count, 386U);
}

TEST(ConformanceRun, KernelsOfThisHostAgreeWithTheModelOnEveryCase) {
  for (const ConformanceCase& entry : conformance_cases()) {
    if (!entry.legal) continue;
    const std::optional<Workload> load = make_workload(entry, kSeed + 2);
    ASSERT_TRUE(load) << entry.spec;
    const Result<Kernel> kernel = compile(load->declared);
    ASSERT_TRUE(kernel) << render(kernel.error());
    const Image expected = run_model(*load);
    for (const Guard guard : {Guard::Behind, Guard::Before})
      EXPECT_EQ(difference(*load, expected, run_guarded(*load, guard, *kernel)), "");
  }
}

// By owner every slot looks at every index: large cases say nothing that small ones do not.
bool is_small(const Workload& load) {
  return load.memory.index.size() * load.memory.table.size() < (1U << 22);
}

TEST(ConformanceRun, EveryWalkThatAppliesAgreesToo) {
  for (const ConformanceCase& entry : conformance_cases()) {
    if (!entry.legal) continue;
    const std::optional<Workload> load = make_workload(entry, kSeed + 1);
    ASSERT_TRUE(load) << entry.spec;
    if (!slots_are_independent(load->plan)) continue;
    const Image expected = run_model(*load);
    for (const WalkKind kind : {WalkKind::Backward, WalkKind::ByOwner}) {
      if (kind == WalkKind::ByOwner && !is_small(*load)) continue;
      const Image actual = run_guarded(*load, Guard::Behind, [&](const Frame& frame) {
        interpret(load->plan, frame, {kind, 16});
      });
      EXPECT_EQ(difference(*load, expected, actual), "");
    }
  }
}

TEST(ConformanceRun, PatternsAreWhatTheyAreCalled) {
  const IndexSpace space{.count = 64, .capacity = 100};
  const auto made = [&](std::string_view name) { return *indices_named(name, space, kSeed); };
  const auto distinct = [](const std::vector<std::uint32_t>& indices) {
    return std::set(indices.begin(), indices.end()).size();
  };
  const auto outside = [&](const std::vector<std::uint32_t>& indices) {
    return std::count_if(indices.begin(), indices.end(), [&](auto i) { return i >= 100; });
  };
  for (const std::string_view name : {"no_dup", "random", "same", "seq", "dup", "-"})
    EXPECT_EQ(outside(made(name)), 0) << name;
  EXPECT_EQ(outside(made("oob")), 32);
  EXPECT_LT(std::ranges::max(made("oob")), 200U);
  EXPECT_EQ(distinct(made("no_dup")), 64U);
  EXPECT_EQ(distinct(made("same")), 1U);
  EXPECT_LT(distinct(made("dup")), 32U);
  EXPECT_EQ(made("seq")[63], 63U);
  EXPECT_FALSE(indices_named("sequential", space, kSeed));
}

}  // namespace
}  // namespace pto::jit::tests

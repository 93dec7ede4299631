// Plans across targets: where two targets behave alike on a spec their plans are equal, and where
// they do not the difference is one this file can name.
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>

#include "ir/canonical.h"
#include "ir/spec_text.h"
#include "targets/planner.h"
#include "tests/support/allocations.h"
#include "tests/support/golden.h"
#include "tests/support/grid.h"

namespace pto::jit::tests {
namespace {

bool is_memory(const KernelSpec& spec) { return spec.op == Op::MScatter || spec.op == Op::MGather; }

// The same kernel for another target; nothing when that target does not take it.
std::optional<LegalSpec> twin_on(Target target, KernelSpec spec) {
  spec.target = target;
  if (target != Target::A5) spec.conflict = Conflict::Unstated;
  Result<LegalSpec> legal = is_legal(spec) ? verify(spec) : error("", "");
  if (!legal) return std::nullopt;
  return *legal;
}

// Plans are compared as lines, which LinesAreEqualExactlyWhenPlansAre allows: a failure then shows
// what differs.
KernelPlan plan_of(const KernelSpec& spec) { return make_plan(*verify(spec)); }

// What the simulator leaves out of a plan: policies, arithmetic, zero-fills; and what it adds.
KernelPlan as_the_simulator(KernelPlan plan, const KernelSpec& spec) {
  if (is_memory(spec)) {
    plan.oob = spec.audit ? Oob::Skip : Oob::Undefined;
    plan.combine = Atomic::None;
    plan.writer = plan.direction == Direction::ToTable ? Writer::Last : Writer::Any;
    plan.number = plan_of(spec).number;
    if (!plan.capacity.is_static()) plan.gate = plan.capacity;
  }
  if (spec.op == Op::TScatter) plan.fill_bytes = 0;
  if (spec.op == Op::TGatherB) plan.oob = Oob::Clamp;
  return plan;
}

std::string family_of(const KernelSpec& spec) {
  std::string name = is_memory(spec) ? std::string(spec.coalesce == Coalesce::Row ? "row" : "elem")
                                     : std::to_string(static_cast<int>(spec.op));
  return name + (spec.audit ? " audited" : "");
}

using Counts = std::map<std::string, int>;

// Calls `check` with each legal spec of `from` that `to` takes too, and counts them by family.
template <class Check>
Counts for_each_twin(Target from, Target to, Check&& check) {
  Counts counts;
  for (const KernelSpec& spec : legal_grid()) {
    if (spec.target != from) continue;
    const std::optional<LegalSpec> twin = twin_on(to, spec);
    if (!twin) continue;
    check(spec, plan_of(spec), make_plan(*twin));
    ++counts[family_of(spec)];
  }
  return counts;
}

void expect_families(const Counts& counts, std::initializer_list<std::string> families) {
  for (const std::string& family : families) EXPECT_GT(counts.contains(family), 0) << family;
}

// A5 never looks at strides, so where they wait for their values its pitch is the table's width.
bool reads_strides(const KernelSpec& spec) {
  return is_memory(spec) && spec.coalesce == Coalesce::Row && has_strides(spec.table);
}

TEST(Plan, A2A3AndA5AreEqualOnWhatBothTake) {
  int strided = 0;
  const auto check = [&](const KernelSpec& spec, const KernelPlan& a5, const KernelPlan& a2a3) {
    KernelPlan wanted = a5;
    if (spec.conflict == Conflict::Default) wanted.writer = Writer::Last;
    if (reads_strides(spec)) {
      ++strided;
      wanted.digits = a2a3.digits;
    }
    EXPECT_EQ(print_line(wanted), print_line(a2a3)) << print(spec);
  };
  const Counts counts = for_each_twin(Target::A5, Target::A2A3, check);
  expect_families(counts, {"row", "elem", "row audited", "elem audited", "2", "2 audited", "4",
                           "4 audited", "5"});
  EXPECT_GT(strided, 0);
}

TEST(Plan, TheSimulatorDiffersByWhatItLeavesOut) {
  for (const Target other : {Target::A2A3, Target::A5}) {
    const auto check = [&](const KernelSpec& spec, const KernelPlan& cpu, const KernelPlan& npu) {
      if (reads_strides(spec) || spec.coalesce == Coalesce::Row) return;
      EXPECT_EQ(print_line(cpu), print_line(as_the_simulator(npu, spec))) << print(spec);
    };
    const Counts counts = for_each_twin(Target::Cpu, other, check);
    expect_families(counts, {"elem", "2", "4", "5"});
  }
}

TEST(Plan, UncheckedElementsAreEqualOnAllTargets) {
  int count = 0;
  for (const KernelSpec& spec : legal_grid()) {
    const bool is_plain = is_memory(spec) && spec.coalesce == Coalesce::Elem &&
                          spec.oob == Oob::Undefined && spec.atomic == Atomic::None &&
                          spec.conflict != Conflict::Default;
    if (!is_plain || spec.target != Target::Cpu) continue;
    for (const Target other : {Target::A2A3, Target::A5}) {
      const std::optional<LegalSpec> twin = twin_on(other, spec);
      if (!twin) continue;
      EXPECT_EQ(print_line(plan_of(spec)), print_line(make_plan(*twin))) << print(spec);
      ++count;
    }
  }
  EXPECT_GT(count, 100);
}

TEST(Plan, OneColumnOfTheSimulatorIsElem) {
  int count = 0;
  for (const KernelSpec& spec : legal_grid()) {
    if (spec.target != Target::Cpu || !is_memory(spec) || spec.coalesce != Coalesce::Row) continue;
    KernelSpec elem = spec;
    elem.coalesce = Coalesce::Elem;
    if (spec.data.vc != 1 || spec.index.vc != 1) continue;
    EXPECT_EQ(print_line(plan_of(spec)), print_line(plan_of(elem))) << print(spec);
    ++count;
  }
  EXPECT_GT(count, 50);
}

TEST(Plan, AGroupDoesNotCareHowItIsStaged) {
  int count = 0;
  for (const KernelSpec& spec : legal_grid()) {
    if (spec.op != Op::CommTScatter) continue;
    KernelSpec other = spec;
    other.staging = Staging::PingPong;
    other.root = spec.ranks - 1;
    other.engine = spec.target == Target::A5 ? Engine::Ccu : spec.engine;
    if (!is_legal(other)) continue;
    EXPECT_EQ(print_line(plan_of(spec)), print_line(plan_of(other))) << print(spec);
    ++count;
  }
  EXPECT_GT(count, 100);
}

// Moves care about the size of an element, sums about its kind, and neither about its sign.
TEST(Plan, SignsMatterOnlyToComparisons) {
  const auto plan = [](const std::string& policy, const std::string& dtype) {
    const std::string text = "a5:mscatter.elem" + policy + " src=" + dtype +
                             "[8x32] idx=i32[8x32] table=" + dtype + "[256]";
    return make_plan(*verify(*parse(text)));
  };
  EXPECT_EQ(plan("", "f32"), plan("", "i32"));
  EXPECT_EQ(plan("", "bf16"), plan("", "u16"));
  EXPECT_EQ(plan("", "hif8"), plan("", "i8"));
  EXPECT_EQ(plan(".atomic_add", "i32"), plan(".atomic_add", "u32"));
  EXPECT_NE(plan(".atomic_add", "i32"), plan(".atomic_add", "f32"));
  EXPECT_NE(plan(".atomic_max", "i32"), plan(".atomic_max", "u32"));
  EXPECT_NE(plan("", "f32"), plan("", "f16"));
}

TEST(Plan, LinesAreEqualExactlyWhenPlansAre) {
  std::map<std::string, KernelPlan> seen;
  for (const KernelSpec& spec : legal_grid()) {
    const KernelPlan plan = plan_of(spec);
    const auto [at, is_new] = seen.emplace(print_line(plan), plan);
    EXPECT_TRUE(is_new || at->second == plan) << at->first << "\n" << print(spec);
  }
  EXPECT_GT(seen.size(), 5000U);
}

TEST(Plan, AThousandAreAsTheyWere) {
  const std::vector<KernelSpec> legal = legal_grid();
  constexpr std::size_t kCount = 1000;
  std::string text;
  for (std::size_t i = 0; i < kCount; ++i) {
    const KernelSpec& spec = legal[i * legal.size() / kCount];
    text += print(spec) + "\n  " + print_line(plan_of(spec), spec.op) + "\n";
  }
  EXPECT_TRUE(matches_golden("plans.txt", text));
}

TEST(Plan, IsMadeWithoutAllocating) {
  std::uint64_t most = 0;
  std::int64_t levels = 0;
  for (const KernelSpec& spec : legal_grid()) {
    most = std::max(most, allocations_of([&] { levels += plan_of(spec).level_count; }));
  }
  EXPECT_EQ(most, 0U);
  EXPECT_GT(levels, 0);
}

}  // namespace
}  // namespace pto::jit::tests

// Which verb wrote an instruction: every one of them has its own, and each verb that writes is
// noted.
#include <gtest/gtest.h>

#include <algorithm>

#include "ir/parts.h"
#include "targets/planner.h"
#include "tests/machine_code/decoded.h"
#include "tests/support/grid.h"
#include "tests/support/names.h"
#include "tests/support/tsv.h"
#include "tests/xbyak/code_levels.h"
#include "tests/xbyak/strategies.h"

namespace pto::jit::tests {
namespace {

constexpr std::size_t kStep = 11;  // prime: it meets all levels and no pattern of the grid

// A kernel of the grid, made to one of its wishes, with what was noted of it.
struct Noted {
  KernelPlan plan;
  Strategy strategy;
  std::vector<std::byte> code;
  Writings writings;
};

template <class Visit>
void for_each_kernel(Visit&& visit) {
  const std::vector<GridCase>& all = runnable_grid();
  for (std::size_t i = 0; i < all.size(); i += kStep) {
    const KernelPlan whole = make_plan(*verify(all[i].spec));
    const KernelPlan plan = i / kStep % 2 == 0 ? whole : part_plan(whole);
    const HostFeatures host = host_with(kCodeLevels[i % kCodeLevels.size()]);
    const std::vector<StrategyWish> wishes = wishes_for(plan, host);
    const Strategy strategy = choose_strategy(plan, host, wishes[i % wishes.size()]);
    xbyak::Notes notes;
    const std::vector<std::byte> code = assembled(plan, strategy, &notes);
    visit(Noted{plan, strategy, code, notes.written});
  }
}

bool holds(const Writing& writing, std::size_t offset) {
  return writing.begin <= offset && offset < writing.end;
}

// Two stretches are apart, or one of them lies within the other and comes before it.
bool nest(const Writings& all) {
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const bool is_apart = all[j].end <= all[i].begin;
      const bool is_within = all[i].begin <= all[j].begin && all[j].end <= all[i].end;
      if (!is_apart && !is_within) return false;
    }
  }
  return true;
}

TEST(XbyakWritings, HoldEveryInstructionWhole) {
  std::size_t instructions = 0;
  for_each_kernel([&](const Noted& made) {
    EXPECT_TRUE(nest(made.writings)) << print(made.plan);
    for (const Instruction& instruction : decode(made.code).instructions) {
      const std::size_t last = instruction.offset + instruction.info.length - 1;
      const auto by = std::ranges::find_if(
          made.writings, [&](const Writing& one) { return holds(one, instruction.offset); });
      ++instructions;
      if (by != made.writings.end() && holds(*by, last)) continue;
      FAIL() << print(instruction) << " is nobody's\n" << print(made.plan);
    }
  });
  EXPECT_GT(instructions, 100000u);
}

TEST(XbyakWritings, AreOfEveryVerbThatWrites) {
  Names wanted = names_in(read_text("ir/emitter_concepts.h"), "\\be\\.(\\w+)\\(");
  for (const char* silent : {"always", "inverted", "walked_table", "moves_vectors"})
    EXPECT_EQ(wanted.erase(silent), 1u) << silent;
  for (const char* owners : {"slots", "last_match"}) EXPECT_EQ(wanted.erase(owners), 1u) << owners;
  wanted.merge(Names{"prologue", "when_crowded", "epilogue", "constants"});
  Names seen;
  for_each_kernel([&](const Noted& made) {
    for (const Writing& writing : made.writings) seen.emplace(writing.verb);
  });
  EXPECT_EQ(seen, wanted);
}

TEST(XbyakWritings, ChangeNothing) {
  for_each_kernel(
      [](const Noted& made) { EXPECT_EQ(made.code, assembled(made.plan, made.strategy)); });
}

}  // namespace
}  // namespace pto::jit::tests

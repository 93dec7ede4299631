// A plan on one line, nothing left out: two plans are equal exactly when their lines are. Sides are
// marked by letters: i the index tile, t the tile, a what is addressed. Numbers are bytes.
#include "ir/mnemonic.h"
#include "ir/plan.h"

namespace pto::jit {
namespace {

std::string str(std::int64_t value) { return std::to_string(value); }

std::string level_text(const KernelPlan& plan, const Level& level) {
  const std::string tile = "t" + print(level.tile_step);
  if (!plan.has_index()) return "(" + tile + ",a" + print(level.table_step) + ")";
  return "(i" + str(level.index_step) + "," + tile + ")";
}

std::string walk_text(const KernelPlan& plan) {
  std::string out = "walk";
  for (std::size_t i = 0; i < plan.level_count; ++i) {
    out += " " + print(plan.levels[i].extent) + level_text(plan, plan.levels[i]);
  }
  return plan.block > 0 ? out + " by " + str(plan.block) : out;
}

// Each digit but the last as "%radix*step", least significant first.
std::string slot_text(const KernelPlan& plan) {
  std::string out = "slot";
  for (std::size_t i = 0; i < plan.digit_count; ++i) {
    const Digit& digit = plan.digits[i];
    if (i > 0) out += "+";
    if (i + 1 < plan.digit_count) out += "%" + print(digit.radix);
    out += "*" + print(digit.step);
  }
  return out;
}

std::string repeat_text(const Repeat& repeat) {
  if (repeat == Repeat{}) return "";
  return " " + print(repeat.count) + "(a" + print(repeat.table_step) + ",t" +
         print(repeat.tile_step) + ")";
}

std::string audit_text(const AuditWalk& audit) {
  return "audit " + print(audit.rows) + "(i" + str(audit.row_step) + ") " + print(audit.cols) +
         "(i" + str(audit.col_step) + ")" + (audit.counts_collisions ? " collisions" : "");
}

std::string combine_text(const KernelPlan& plan) {
  return std::string(name_of(plan.combine)) + " " + std::string(name_of(plan.number));
}

}  // namespace

std::string print_line(const KernelPlan& plan) {
  std::string out = plan.direction == Direction::ToTable ? "t to a" : "a to t";
  const auto add = [&](const std::string& part) { out += "; " + part; };
  if (plan.fill_bytes > 0) add("fill " + str(plan.fill_bytes));
  if (!plan.gate.is(1)) add("gate " + print(plan.gate));
  if (plan.ranks > 0) add("ranks " + str(plan.ranks) + "(t" + print(plan.rank_step) + ")");
  add(walk_text(plan));
  if (plan.has_index()) {
    add("index " + str(plan.index_size) + " " + std::string(name_of(plan.oob)) + " " +
        print(plan.capacity));
    add(slot_text(plan));
  }
  if (plan.table_base > 0) add("base " + str(plan.table_base));
  add("run " + print(plan.unit.run) + repeat_text(plan.unit.inner) + repeat_text(plan.unit.outer));
  add(combine_text(plan) + " " + std::string(name_of(plan.writer)));
  if (plan.audit.is_on) add(audit_text(plan.audit));
  return out;
}

}  // namespace pto::jit

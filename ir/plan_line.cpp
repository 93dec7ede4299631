// A plan on one line, nothing left out: two plans are equal exactly when their lines are. Sides are
// marked by letters: i the index tile, t the tile, a what is addressed. Numbers are bytes.
#include "ir/mnemonic.h"
#include "ir/plan.h"

namespace pto::jit {
namespace {

using Named = std::optional<Op>;

std::string str(std::int64_t value) { return std::to_string(value); }

std::string level_text(const KernelPlan& plan, const Level& level, Named op) {
  const std::string tile = "t" + print(level.tile_step, op);
  if (!plan.has_index()) return "(" + tile + ",a" + print(level.table_step, op) + ")";
  return "(i" + str(level.index_step) + "," + tile + ")";
}

std::string walk_text(const KernelPlan& plan, Named op) {
  std::string out = "walk";
  for (std::size_t i = 0; i < plan.level_count; ++i) {
    out += " " + print(plan.levels[i].extent, op) + level_text(plan, plan.levels[i], op);
  }
  return plan.block > 0 ? out + " by " + str(plan.block) : out;
}

// Each digit but the last as "%radix*step", least significant first.
std::string slot_text(const KernelPlan& plan, Named op) {
  std::string out = "slot";
  for (std::size_t i = 0; i < plan.digit_count; ++i) {
    const Digit& digit = plan.digits[i];
    if (i > 0) out += "+";
    if (i + 1 < plan.digit_count) out += "%" + print(digit.radix, op);
    out += "*" + print(digit.step, op);
  }
  return out;
}

std::string repeat_text(const Repeat& repeat, Named op) {
  if (repeat == Repeat{}) return "";
  return " " + print(repeat.count, op) + "(a" + print(repeat.table_step, op) + ",t" +
         print(repeat.tile_step, op) + ")";
}

std::string audit_text(const AuditWalk& audit, Named op) {
  return "audit " + print(audit.rows, op) + "(i" + str(audit.row_step) + ") " +
         print(audit.cols, op) + "(i" + str(audit.col_step) + ")" +
         (audit.counts_collisions ? " collisions" : "");
}

std::string combine_text(const KernelPlan& plan) {
  return std::string(name_of(plan.combine)) + " " + std::string(name_of(plan.number));
}

}  // namespace

std::string print_line(const KernelPlan& plan, std::optional<Op> op) {
  std::string out = plan.direction == Direction::ToTable ? "t to a" : "a to t";
  const auto add = [&](const std::string& part) { out += "; " + part; };
  if (plan.fill_bytes > 0) add("fill " + str(plan.fill_bytes));
  if (!plan.gate.is(1)) add("gate " + print(plan.gate, op));
  if (plan.ranks > 0) add("ranks " + str(plan.ranks) + "(t" + print(plan.rank_step, op) + ")");
  add(walk_text(plan, op));
  if (plan.has_index()) {
    add("index " + str(plan.index_size) + " " + std::string(name_of(plan.oob)) + " " +
        print(plan.capacity, op));
    if (plan.own.is_on) add("own " + print(plan.own.first, op) + " " + print(plan.own.count, op));
    add(slot_text(plan, op));
  }
  if (plan.table_base > 0) add("base " + str(plan.table_base));
  add("run " + print(plan.unit.run, op) + repeat_text(plan.unit.inner, op) +
      repeat_text(plan.unit.outer, op));
  add(combine_text(plan) + " " + std::string(name_of(plan.writer)));
  if (plan.audit.is_on) add(audit_text(plan.audit, op));
  return out;
}

}  // namespace pto::jit

#include "ir/plan.h"

#include <algorithm>
#include <utility>

#include "ir/mnemonic.h"
#include "ir/parts.h"
#include "ir/plan_steps.h"

namespace pto::jit {
namespace {

using Named = std::optional<Op>;  // whose operands the dimensions are named after

std::string str(std::int64_t value) { return std::to_string(value); }

std::string bytes(const Amount& amount, Named op) {
  return print(amount, op) + (amount.is(1) ? " byte" : " bytes");
}

std::string name_of_dim(Dim dim, Named op) {
  const auto at = static_cast<std::size_t>(dim);
  if (at >= kDims) return "part." + std::to_string(at - kDims);
  return op ? dim_name(*op, dim) : role_dim_name(dim);
}

std::string print_level(const KernelPlan& plan, const Level& level, Named op) {
  std::string out = print(level.extent, op) + " x (";
  if (plan.has_index()) out += "index +" + str(level.index_step) + ", ";
  out += "tile +" + print(level.tile_step, op);
  if (!plan.has_index()) out += ", table +" + print(level.table_step, op);
  return out + ")";
}

std::string print_walk(const KernelPlan& plan, Named op) {
  std::string out;
  for (std::size_t i = 0; i < plan.level_count; ++i) {
    out += (i > 0 ? ", " : "") + print_level(plan, plan.levels[i], op);
  }
  if (plan.block > 0) out += ", the first in blocks of " + str(plan.block) + " columns";
  return out;
}

std::string print_address(const KernelPlan& plan, Named op) {
  std::string out;
  std::string rest = "slot";
  for (std::size_t i = 0; i < plan.digit_count; ++i) {
    const bool last = i + 1 == plan.digit_count;
    const std::string radix = print(plan.digits[i].radix, op);
    const std::string digit = last ? rest : "(" + rest + " % " + radix + ")";
    out += (i > 0 ? " + " : "") + digit + " * " + print(plan.digits[i].step, op);
    rest = "(" + rest + " / " + radix + ")";
  }
  return out;
}

std::string print_repeat(const Repeat& repeat, Named op) {
  if (repeat.count.is(1)) return {};
  return ", " + print(repeat.count, op) + " times (table +" + print(repeat.table_step, op) +
         ", tile +" + print(repeat.tile_step, op) + ")";
}

}  // namespace

std::string_view name_of(Writer writer) {
  constexpr std::array<std::string_view, 3> kNames = {"any", "last", "in order"};
  return kNames[static_cast<std::size_t>(writer)];
}

std::string print(const Amount& amount, std::optional<Op> op) {
  std::string out = amount.factor == 1 && amount.count > 0 ? "" : str(amount.factor);
  for (std::size_t i = 0; i < amount.count; ++i) {
    out += (out.empty() ? "" : "*") + name_of_dim(amount.dims[i], op);
  }
  return out;
}

std::vector<PlanStep> steps_of(const KernelPlan& plan, std::optional<Op> op) {
  const bool to_table = plan.direction == Direction::ToTable;
  const std::string side = to_table ? "table" : "tile";
  std::vector<PlanStep> out;
  const auto add = [&](std::string_view label, std::string text) {
    out.push_back({label, std::move(text)});
  };
  add("move", std::string(to_table ? "tile to table" : "table to tile") + ", elements of " +
                  bytes(plan.element_size, op));
  if (plan.fill_bytes > 0) add("fill", bytes(plan.fill_bytes, op) + " of zero in the " + side);
  if (!plan.gate.is(1)) add("gate", "nothing moves when " + print(plan.gate, op) + " is 0");
  if (plan.ranks > 0)
    add("ranks", str(plan.ranks) + ", tile +" + print(plan.rank_step, op) + " each");
  add("walk", print_walk(plan, op));
  if (plan.has_index()) {
    add("index", str(plan.index_size) + " bytes, unsigned");
    add("resolve", std::string(name_of(plan.oob)) + ", capacity " + print(plan.capacity, op));
    if (plan.own.is_on)
      add("own", print(plan.own.count, op) + " slots from " + print(plan.own.first, op) + " on");
    add("address", print_address(plan, op));
  }
  if (plan.table_base > 0) add("base", "table +" + str(plan.table_base));
  add("unit", bytes(plan.unit.run, op) + print_repeat(plan.unit.inner, op) +
                  print_repeat(plan.unit.outer, op));
  if (plan.combine != Atomic::None)
    add("combine", std::string(name_of(plan.combine)) + " on " + std::string(name_of(plan.number)));
  add("writer", std::string(name_of(plan.writer)));
  if (!plan.own.is_on) add("shared", std::string(name_of(parting_of(plan))));
  if (plan.audit.is_on) {
    add("audit", print(plan.audit.rows, op) + " x " + print(plan.audit.cols, op) + " indices" +
                     (plan.audit.counts_collisions ? ", collisions counted" : ""));
  }
  return out;
}

std::string print(const KernelPlan& plan, std::optional<Op> op) {
  std::string out;
  for (const PlanStep& step : steps_of(plan, op)) {
    std::string label(step.label);
    label.resize(10, ' ');
    out += label + step.text + "\n";
  }
  return out;
}

std::vector<Dim> dims_read(const KernelPlan& plan) {
  std::vector<Dim> out;
  for_each_amount(plan, [&](const Amount& amount) {
    for (std::size_t i = 0; i < amount.count; ++i) out.push_back(amount.dims[i]);
  });
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

}  // namespace pto::jit

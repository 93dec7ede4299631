#include "ir/plan.h"

#include <algorithm>
#include <utility>

#include "ir/mnemonic.h"
#include "ir/plan_steps.h"

namespace pto::jit {
namespace {

std::string str(std::int64_t value) { return std::to_string(value); }

std::string bytes(const Amount& amount) {
  return print(amount) + (amount.is(1) ? " byte" : " bytes");
}

std::string print_level(const KernelPlan& plan, const Level& level) {
  std::string out = print(level.extent) + " x (";
  if (plan.has_index()) out += "index +" + str(level.index_step) + ", ";
  out += "tile +" + print(level.tile_step);
  if (!plan.has_index()) out += ", table +" + print(level.table_step);
  return out + ")";
}

std::string print_walk(const KernelPlan& plan) {
  std::string out;
  for (std::size_t i = 0; i < plan.level_count; ++i) {
    out += (i > 0 ? ", " : "") + print_level(plan, plan.levels[i]);
  }
  if (plan.block > 0) out += ", the first in blocks of " + str(plan.block) + " columns";
  return out;
}

std::string print_address(const KernelPlan& plan) {
  std::string out;
  std::string rest = "slot";
  for (std::size_t i = 0; i < plan.digit_count; ++i) {
    const bool last = i + 1 == plan.digit_count;
    const std::string radix = print(plan.digits[i].radix);
    const std::string digit = last ? rest : "(" + rest + " % " + radix + ")";
    out += (i > 0 ? " + " : "") + digit + " * " + print(plan.digits[i].step);
    rest = "(" + rest + " / " + radix + ")";
  }
  return out;
}

std::string print_repeat(const Repeat& repeat) {
  if (repeat.count.is(1)) return {};
  return ", " + print(repeat.count) + " times (table +" + print(repeat.table_step) + ", tile +" +
         print(repeat.tile_step) + ")";
}

}  // namespace

std::string_view name_of(Writer writer) {
  constexpr std::array<std::string_view, 3> kNames = {"any", "last", "in order"};
  return kNames[static_cast<std::size_t>(writer)];
}

std::string role_dim_name(Dim dim) {
  constexpr std::array<std::string_view, 5> kRoles = {"data", "index", "store", "table", "peer"};
  constexpr std::array<std::string_view, 10> kTableFields = {"d0", "d1", "d2", "d3", "d4",
                                                             "s0", "s1", "s2", "s3", "s4"};
  const Role role = role_of(dim);
  const auto at = static_cast<std::size_t>(dim) - static_cast<std::size_t>(first_extent(role));
  const std::string_view field = is_tile(role) ? (at == 0 ? "vr" : "vc") : kTableFields[at];
  return std::string(kRoles[static_cast<std::size_t>(role)]) + "." + std::string(field);
}

std::string print(const Amount& amount) {
  std::string out = amount.factor == 1 && amount.count > 0 ? "" : str(amount.factor);
  for (std::size_t i = 0; i < amount.count; ++i) {
    out += (out.empty() ? "" : "*") + role_dim_name(amount.dims[i]);
  }
  return out;
}

std::vector<PlanStep> steps_of(const KernelPlan& plan) {
  const bool to_table = plan.direction == Direction::ToTable;
  const std::string side = to_table ? "table" : "tile";
  std::vector<PlanStep> out;
  const auto add = [&](std::string_view label, std::string text) {
    out.push_back({label, std::move(text)});
  };
  add("move", std::string(to_table ? "tile to table" : "table to tile") + ", elements of " +
                  bytes(plan.element_size));
  if (plan.fill_bytes > 0) add("fill", bytes(plan.fill_bytes) + " of zero in the " + side);
  if (!plan.gate.is(1)) add("gate", "nothing moves when " + print(plan.gate) + " is 0");
  if (plan.ranks > 0) add("ranks", str(plan.ranks) + ", tile +" + print(plan.rank_step) + " each");
  add("walk", print_walk(plan));
  if (plan.has_index()) {
    add("index", str(plan.index_size) + " bytes, unsigned");
    add("resolve", std::string(name_of(plan.oob)) + ", capacity " + print(plan.capacity));
    add("address", print_address(plan));
  }
  if (plan.table_base > 0) add("base", "table +" + str(plan.table_base));
  add("unit", bytes(plan.unit.run) + print_repeat(plan.unit.inner) + print_repeat(plan.unit.outer));
  if (plan.combine != Atomic::None)
    add("combine", std::string(name_of(plan.combine)) + " on " + std::string(name_of(plan.number)));
  add("writer", std::string(name_of(plan.writer)));
  if (plan.audit.is_on) {
    add("audit", print(plan.audit.rows) + " x " + print(plan.audit.cols) + " indices" +
                     (plan.audit.counts_collisions ? ", collisions counted" : ""));
  }
  return out;
}

std::string print(const KernelPlan& plan) {
  std::string out;
  for (const PlanStep& step : steps_of(plan)) {
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

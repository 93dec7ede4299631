// What the grid covers: counts for each cell of the targets' tables, printed and asserted.
#include "tests/support/grid.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <string>

#include "ir/canonical.h"
#include "ir/mnemonic.h"
#include "ir/quantity.h"
#include "ir/spec_text.h"
#include "targets/rules.h"
#include "targets/verify.h"
#include "targets/words.h"
#include "tests/support/grid_parts.h"

namespace pto::jit::tests {
namespace {

constexpr int kLeast = 25;  // legal specs in each cell, static and runtime alike
constexpr std::int64_t kMostBytes = 10240;

using Counts = std::map<std::string, int>;

std::string where(Target target, Op op) {
  return str(name_of(target)) + "." + str(operation_of(op).id);
}

std::string engine_name(Engine engine) { return engine == Engine::Aiv ? "aiv" : "ccu"; }

// The cells a legal spec fills, without saying whether it is static.
std::vector<std::string> cells_of(const KernelSpec& spec) {
  const std::string home = where(spec.target, spec.op) + " ";
  const DType dtype = spec.op == Op::CommTScatter ? spec.table.dtype : spec.data.dtype;
  std::vector<std::string> out = {
      home + "dtype " + str(name_of(dtype)), home + "oob " + str(name_of(spec.oob)),
      home + "atomic " + str(name_of(spec.atomic)) + " " + str(name_of(dtype)),
      home + "engine " + engine_name(spec.engine), home + "data " + str(name_of(spec.data.layout))};
  const bool plain = spec.atomic == Atomic::None;
  const bool stated = spec.conflict == Conflict::Default;
  if (plain) out.push_back(home + "conflict " + (stated ? "default" : "last"));
  if (has_role(spec.op, Role::Index)) {
    out.push_back(home + "index " + str(name_of(spec.index.layout)));
    out.push_back(home + "index dtype " + str(name_of(spec.index.dtype)));
  }
  if (has_role(spec.op, Role::Store))
    out.push_back(home + "store " + str(name_of(spec.store.layout)));
  if (has_role(spec.op, Role::Table))
    out.push_back(home + "table " + str(name_of(spec.table.layout)));
  return out;
}

template <class Enum>
void add_cells(std::vector<std::string>& out, const std::string& prefix, EnumSet<Enum> set) {
  set.for_each([&](Enum member) { out.push_back(prefix + str(name_of(member))); });
}

// The cells of one row of a target's table.
std::vector<std::string> cells_of(Target target, Op op) {
  const OpProfile& row = profile_of(target).of(op);
  const std::string home = where(target, op) + " ";
  std::vector<std::string> out;
  if (row.dtypes.empty()) return out;
  add_cells(out, home + "dtype ", row.dtypes);
  add_cells(out, home + "oob ", row.oob);
  add_cells(out, home + "atomic none ", row.dtypes);
  for (const Atomic atomic : {Atomic::Add, Atomic::Max, Atomic::Min}) {
    add_cells(out, home + "atomic " + str(name_of(atomic)) + " ",
              row.atomics[static_cast<std::size_t>(atomic)]);
  }
  add_cells(out, home + "conflict ", row.conflicts);
  add_cells(out, home + "data ", row.data_layouts);
  if (has_role(op, Role::Index)) add_cells(out, home + "index ", row.index_layouts);
  if (has_role(op, Role::Index)) add_cells(out, home + "index dtype ", row.index_dtypes);
  if (has_role(op, Role::Store)) add_cells(out, home + "store ", row.store_layouts);
  if (has_role(op, Role::Table)) add_cells(out, home + "table ", row.table_layouts);
  row.engines.for_each(
      [&](Engine engine) { out.push_back(home + "engine " + engine_name(engine)); });
  return out;
}

std::vector<std::string> all_cells() {
  std::vector<std::string> out;
  for (std::size_t target = 0; target < kTargets; ++target) {
    for (std::size_t op = 0; op < kOps; ++op) {
      const auto cells = cells_of(static_cast<Target>(target), static_cast<Op>(op));
      out.insert(out.end(), cells.begin(), cells.end());
    }
  }
  return out;
}

struct Census {
  int all = 0;
  int legal = 0;
  Counts with_static;
  Counts with_runtime;
};

Census take_census() {
  Census census;
  for_each_spec([&](const KernelSpec& spec) {
    ++census.all;
    if (!is_legal(spec)) return;
    ++census.legal;
    Counts& counts = !runtime_dims(spec).empty() ? census.with_runtime : census.with_static;
    for (const std::string& cell : cells_of(spec)) ++counts[cell];
  });
  return census;
}

// One line a cell: legal specs with static dimensions only, and with runtime ones.
void print_census(Census& census) {
  std::cout << census.all << " specs, " << census.legal << " of them legal\n";
  for (const std::string& cell : all_cells()) {
    std::cout << "  " << cell << ": " << census.with_static[cell] << " static, "
              << census.with_runtime[cell] << " runtime\n";
  }
}

TEST(Grid, HasEnoughSpecsAndNotTooMany) {
  const Census census = take_census();
  EXPECT_GE(census.all, 20000);
  EXPECT_GE(census.legal, 15000);
  EXPECT_LE(census.legal, 45000);
  EXPECT_GE(census.all - census.legal, 5000);
}

TEST(Grid, FillsEveryCellOfTheTablesStaticAndRuntime) {
  Census census = take_census();
  print_census(census);
  for (const std::string& cell : all_cells()) {
    EXPECT_GE(census.with_static[cell], kLeast) << cell;
    EXPECT_GE(census.with_runtime[cell], kLeast) << cell;
  }
}

TEST(Grid, HasNoLegalSpecOutsideTheTables) {
  const std::vector<std::string> cells = all_cells();
  const Census census = take_census();
  for (const Counts* counts : {&census.with_static, &census.with_runtime}) {
    for (const auto& [cell, count] : *counts) {
      const bool is_trivial = cell.find("conflict last") != std::string::npos;
      const bool known = std::find(cells.begin(), cells.end(), cell) != cells.end();
      EXPECT_TRUE(known || is_trivial) << cell;
    }
  }
}

std::int64_t bytes_of(const KernelSpec& bound, Role role) {
  if (is_tile(role)) return tile_bytes(tile_of(bound, role));
  const Table& table = table_of(bound, role);
  return span_of(table).value * size_of(table.dtype);
}

TEST(Grid, OperandsAreSmall) {
  for (const GridCase& entry : runnable_grid()) {
    for (const Operand& operand : operands_of(entry.spec.op))
      EXPECT_LE(bytes_of(entry.bound, operand.role), kMostBytes) << print(entry.bound);
  }
}

TEST(Grid, IsTheSameEachTime) {
  std::vector<KernelSpec> first;
  for_each_spec([&](const KernelSpec& spec) { first.push_back(spec); });
  std::size_t at = 0;
  for_each_spec([&](const KernelSpec& spec) { ASSERT_EQ(spec, first.at(at++)); });
  EXPECT_EQ(at, first.size());
}

TEST(Grid, MostLegalSpecsCanBeRun) {
  const std::size_t runnable = runnable_grid().size();
  const std::size_t legal = legal_grid().size();
  std::cout << runnable << " of " << legal << " legal specs come with legal values\n";
  EXPECT_GE(runnable * 10, legal * 9);
}

}  // namespace
}  // namespace pto::jit::tests

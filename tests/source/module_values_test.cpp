// The numbers of modules: with values for every runtime dimension, each view has the extents and
// the strides of its operand.
#include <gtest/gtest.h>

#include <algorithm>

#include "ir/operands.h"
#include "ir/spec_text.h"
#include "jit/source/assembler/assembler_text.h"
#include "tests/source/module_checker.h"
#include "tests/support/grid.h"
#include "tests/support/grid_parts.h"

namespace pto::jit::tests {
namespace {

using Numbers = std::vector<std::int64_t>;

// The value a name of the module has when the kernel is called as `bound` says.
std::int64_t value_of(const ModuleFacts& facts, const KernelSpec& bound, const std::string& name) {
  const auto product = facts.products.find(name);
  if (product != facts.products.end()) {
    return value_of(facts, bound, product->second[0]) * value_of(facts, bound, product->second[1]);
  }
  if (name.starts_with("%c")) return std::stoll(name.substr(2));
  std::string dim = name.substr(1);
  std::ranges::replace(dim, '_', '.');
  const std::optional<Dim> found = dim_named(bound.op, dim);
  return found ? get(bound, *found) : -2;
}

Numbers values_of(const ModuleFacts& facts, const KernelSpec& bound,
                  const std::vector<std::string>& names) {
  Numbers out;
  for (const std::string& name : names) out.push_back(value_of(facts, bound, name));
  return out;
}

// Extents, and strides where there is something to step over: the rest never matters, except the
// pitch of rows that are counted in an outer dimension alone.
struct Layout {
  Numbers shape;
  Numbers strides;
};

Layout layout_of(const Table& table) {
  const std::array<std::int64_t, 5> strides = strides_of(table);
  return {{table.shape.begin(), table.shape.end()}, {strides.begin(), strides.end()}};
}

Layout layout_of(const KernelSpec& bound, Role role) {
  if (!is_tile(role)) return layout_of(table_of(bound, role));
  const Tile& tile = tile_of(bound, role);
  const bool is_whole =
      role == Role::Store && (bound.op == Op::TScatter || bound.op == Op::TGatherB);
  const bool lies = tile.layout == TileLayout::RowMajor;
  return {{is_whole ? tile.rows : tile.vr, is_whole ? tile.cols : tile.vc},
          {lies ? tile.cols : 1, lies ? 1 : tile.rows}};
}

// Leading ones are not written, and neither are their strides.
void expect_layout(Layout expected, const Layout& written, const std::string& where) {
  ASSERT_LE(written.shape.size(), expected.shape.size()) << where;
  while (expected.shape.size() > written.shape.size()) {
    ASSERT_EQ(expected.shape.front(), 1) << where;
    expected.shape.erase(expected.shape.begin());
    expected.strides.erase(expected.strides.begin());
  }
  EXPECT_EQ(written.shape, expected.shape) << where;
  for (std::size_t i = 0; i < expected.shape.size(); ++i) {
    if (expected.shape[i] <= 1) continue;
    EXPECT_EQ(written.strides[i], expected.strides[i]) << where;
  }
}

// The pitch a device takes for rows: that of the innermost counted dimension.
void expect_row_pitch(const KernelSpec& bound, const Layout& written, const std::string& where) {
  const bool has_rows = has_role(bound.op, Role::Index) && has_role(bound.op, Role::Table) &&
                        bound.coalesce == Coalesce::Row;
  if (!has_rows) return;
  const Layout table = layout_of(bound.table);
  for (std::size_t dim = 4; dim-- > 0;) {
    if (table.shape[dim] == 1) continue;
    EXPECT_EQ(written.strides[written.strides.size() - 2], table.strides[dim]) << where;
    return;
  }
}

void expect_views(const KernelSpec& spec, const KernelSpec& bound, const ModuleFacts& facts) {
  const std::string where = "ptojit emit --form pto-as '" + print(spec) + "'";
  for (const Operand& operand : operands_of(spec.op)) {
    if (spec.op == Op::CommTScatter && operand.role == Role::Data) continue;
    std::string pointer = "%" + std::string(operand.name);
    if (operand.role == Role::Peer) pointer += std::to_string(spec.ranks - 1);
    const auto view = facts.views.find(pointer);
    ASSERT_NE(view, facts.views.end()) << where << " " << pointer;
    const Layout written = {values_of(facts, bound, view->second.shape),
                            values_of(facts, bound, view->second.strides)};
    expect_layout(layout_of(bound, operand.role), written, where + " " + pointer);
    if (operand.role == Role::Table) expect_row_pitch(bound, written, where);
  }
}

TEST(Assembler, ViewsHaveTheExtentsAndStridesOfTheirOperands) {
  int modules = 0;
  for (const GridCase& entry : runnable_grid()) {
    const Result<LegalSpec> legal = verify(entry.spec);
    ASSERT_TRUE(legal) << print(entry.spec);
    const Result<std::string> text = assembler_module(*legal);
    if (!text) continue;
    ++modules;
    expect_views(entry.spec, entry.bound, read_module(*text));
    if (HasFailure()) break;
  }
  EXPECT_GT(modules, 1000);
}

}  // namespace
}  // namespace pto::jit::tests

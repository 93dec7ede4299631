// The numbers of modules: with values for every runtime dimension, each view has the extents and
// the strides of its operand.
#include <gtest/gtest.h>

#include <algorithm>

#include "ir/operands.h"
#include "ir/spec_text.h"
#include "jit/text/assembler/assembler_text.h"
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

// The storage of a tile, or a table.
Layout layout_of(const KernelSpec& bound, Role role) {
  if (!is_tile(role)) return layout_of(table_of(bound, role));
  const Tile& tile = tile_of(bound, role);
  const bool lies = tile.layout == TileLayout::RowMajor;
  return {{tile.rows, tile.cols}, {lies ? tile.cols : 1, lies ? 1 : tile.rows}};
}

// What of it is loaded, stored or addressed: of a destination that is cleared first, all. The
// pattern that takes every element is a plain move.
Numbers part_of(const KernelSpec& bound, Role role) {
  if (!is_tile(role)) return layout_of(bound, role).shape;
  const Tile& tile = tile_of(bound, role);
  const bool is_move = bound.op == Op::TScatterMask && bound.mask == MaskPattern::P1111;
  if (role == Role::Store && !is_move) return {tile.rows, tile.cols};
  return {tile.vr, tile.vc};
}

// Leading ones are not written, and neither are their strides.
void drop_leading_ones(Layout& expected, std::size_t rank) {
  while (expected.shape.size() > rank && expected.shape.front() == 1) {
    expected.shape.erase(expected.shape.begin());
    expected.strides.erase(expected.strides.begin());
  }
}

// A view may be one step longer than what it is cut to, so that it does not look like NZ.
void expect_layout(Layout expected, const Layout& written, const std::string& where) {
  drop_leading_ones(expected, written.shape.size());
  ASSERT_EQ(written.shape.size(), expected.shape.size()) << where;
  for (std::size_t i = 0; i < expected.shape.size(); ++i) {
    const bool is_plane = i + 3 == expected.shape.size() && expected.shape[i] == 16;
    EXPECT_TRUE(written.shape[i] == expected.shape[i] || (is_plane && written.shape[i] == 17))
        << where;
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
    Layout part = {part_of(bound, operand.role), {0, 0, 0, 0, 0}};
    drop_leading_ones(part, written.shape.size());
    EXPECT_EQ(values_of(facts, bound, view->second.sizes), part.shape) << where << " " << pointer;
    if (operand.role == Role::Table) expect_row_pitch(bound, written, where);
  }
}

TEST(Assembler, ViewsHaveTheExtentsAndStridesOfTheirOperands) {
  int modules = 0;
  for (const GridCase& entry : runnable_grid()) {
    const Result<LegalSpec> legal = verify(entry.spec);
    ASSERT_TRUE(legal) << print(entry.spec);
    const Result<AssemblerModule> module = assembler_module(*legal);
    if (!module) continue;
    ++modules;
    expect_views(entry.spec, entry.bound, read_module(module->text));
    if (HasFailure()) break;
  }
  EXPECT_GT(modules, 1000);
}

}  // namespace
}  // namespace pto::jit::tests

#include "ir/canonical.h"
#include "ir/mnemonic.h"
#include "ir/operands.h"
#include "ir/spec_text.h"

namespace pto::jit {
namespace {

std::string number(std::int64_t value) { return value == kRuntime ? "?" : std::to_string(value); }

template <class Array>
std::string joined(const Array& values, std::size_t first) {
  std::string out;
  for (std::size_t i = first; i < values.size(); ++i) {
    out += (i > first ? "x" : "") + number(values[i]);
  }
  return out;
}

std::size_t first_printed_dim(const Table& table) {
  std::size_t first = 0;
  while (first < 4 && table.shape[first] == 1) ++first;
  return first;
}

std::string value_of(const KernelSpec& spec, Role role) {
  return is_tile(role) ? print(tile_of(spec, role)) : print(table_of(spec, role));
}

}  // namespace

std::string print(const Tile& tile) {
  static constexpr std::array<std::string_view, 3> kLayouts = {"", ":cm", ":nz"};
  static constexpr std::string_view kNone = ":nothing";
  std::string out(name_of(tile.dtype));
  out += "[" + number(tile.rows) + "x" + number(tile.cols);
  if (tile.vr != tile.rows || tile.vc != tile.cols) {
    out += "|" + number(tile.vr) + "x" + number(tile.vc);
  }
  return out + "]" + std::string(row_of(kLayouts, tile.layout, kNone));
}

std::string print(const Table& table) {
  const std::size_t first = first_printed_dim(table);
  std::string out(name_of(table.dtype));
  out += "[" + joined(table.shape, first);
  if (!is_packed(table)) out += "@" + joined(table.strides, first);
  return out + "]" + (table.layout == TableLayout::Nz ? ":nz" : "");
}

std::string print(const KernelSpec& raw) {
  const KernelSpec spec = canonical(raw);
  std::string out = std::string(name_of(spec.target)) + ":" + mnemonic(spec);
  for (const Operand& operand : operands_of(spec.op)) {
    out += " " + std::string(operand.name) + "=" + value_of(spec, operand.role);
  }
  if (is_collective(spec.op)) {
    out += " ranks=" + std::to_string(spec.ranks) + " root=" + std::to_string(spec.root);
  }
  return out;
}

}  // namespace pto::jit

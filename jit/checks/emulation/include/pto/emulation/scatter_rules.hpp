// What MSCATTER and MGATHER refuse: at compile time what the types show, when the kernel runs what
// they leave open. Both take a data tile, an index tile and a table, under the same rules.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <type_traits>

#include "pto/emulation/execution.hpp"
#include "pto/emulation/global_tensor.hpp"
#include "pto/emulation/policies.hpp"
#include "pto/emulation/target.hpp"
#include "pto/emulation/views.hpp"

namespace pto {
namespace emulation {

struct Operands {
  TableView table;
  TileView data;
  TileView index;
};

inline bool is_row_index(const TileView& index, std::int64_t rows, Device device) {
  const bool lies = index.valid_rows == 1 && index.valid_cols == rows;
  const bool stands = index.valid_cols == 1 && index.valid_rows == rows;
  return lies || (device == Device::A5 && stands);
}

// An intrinsic may read as it writes, in any order.
inline void check_apart(Execution& run, const char* name, const TileView& destination,
                        const TileView& operand) {
  if (!share_bytes(destination, operand)) return;
  run.report(ReportKind::TileOverlap, std::string(name) + ": the destination at " +
                                          hex(destination.at) +
                                          " shares bytes with the operand at " + hex(operand.at));
}

struct Rule {
  bool holds = true;
  const char* text = "";
};

inline std::array<Rule, 5> row_rules(const Operands& operands, Device device) {
  const TileView& data = operands.data;
  const TableView& table = operands.table;
  const bool is_a5 = device == Device::A5;
  const bool is_nz = table.layout == TableLayout::Nz;
  return {{
      {is_row_index(operands.index, data.valid_rows, device),
       "by rows, the index tile has one index for each valid row"},
      {!is_a5 || table.shape[4] == data.valid_cols,
       "by rows, A5 needs a table as wide as the valid columns"},
      {!is_a5 || product_of_extents(table, 3) == 1,
       "by rows, A5 counts only the fourth dimension of the table"},
      {is_a5 || is_nz || data.valid_cols <= table.shape[4],
       "a row wider than the table's spills into the next"},
      {!is_nz || table.shape[0] * table.shape[1] * table.shape[4] <= data.type.cols,
       "by rows, the tile is as wide as the NZ table"},
  }};
}

inline bool have_same_valid_shape(const TileView& left, const TileView& right) {
  return left.valid_rows == right.valid_rows && left.valid_cols == right.valid_cols;
}

// The extents that were runtime numbers in the types.
inline void check_extents(Execution& run, const char* name, const Operands& operands,
                          Coalesce coalesce) {
  const auto check = [&](const Rule& rule) {
    if (!rule.holds) run.report(ReportKind::Extent, std::string(name) + ": " + rule.text);
  };
  if (coalesce == Coalesce::Elem) {
    return check({have_same_valid_shape(operands.index, operands.data),
                  "by elements, index and data tile have the same valid shape"});
  }
  for (const Rule& rule : row_rules(operands, run.device())) check(rule);
}

}  // namespace emulation

inline namespace PTO_EMULATION_TARGET {

// A5 compares what the types say, so a runtime extent agrees only with another runtime extent.
constexpr bool agree(std::int64_t left, std::int64_t right) {
  const bool is_open = left == DYNAMIC || right == DYNAMIC;
  return left == right || (is_open && kTarget != emulation::Device::A5);
}

template <typename Data, typename Index>
constexpr bool has_row_index() {
  constexpr bool kLies =
      Index::isRowMajor && agree(Index::ValidRow, 1) && agree(Index::ValidCol, Data::ValidRow);
  constexpr bool kStands = !Index::isRowMajor && Index::SFractal == SLayout::NoneBox &&
                           agree(Index::ValidCol, 1) && agree(Index::ValidRow, Data::ValidRow);
  return kLies || (kStands && kTarget == emulation::Device::A5);
}

template <Coalesce kCoalesce, typename Table, typename Data, typename Index>
constexpr void check_indexed_types() {
  using T = typename Data::DType;
  using I = typename Index::DType;
  constexpr bool kA2A3 = kTarget == emulation::Device::A2A3;
  static_assert(std::is_same_v<T, typename Table::RawDType>,
                "tile and table have one element type");
  static_assert(std::is_same_v<I, std::int32_t> || std::is_same_v<I, std::uint32_t>,
                "indices are int32_t or uint32_t");
  constexpr bool kA5 = kTarget == emulation::Device::A5;
  static_assert(!kA2A3 || !emulation::is_float8(emulation::kElementOf<T>),
                "A2/A3 has no 8-bit floats");
  static_assert(kA5 || (Index::isRowMajor && Index::SFractal == SLayout::NoneBox),
                "only on A5 index tiles are column-major");
  static_assert(Data::kIsNz == (Table::layout == Layout::NZ), "an NZ table goes with an NZ tile");
  static_assert(kA5 || Data::kIsNz || Data::isRowMajor, "only on A5 ND tiles are column-major");
  static_assert(kA2A3 || !Data::kIsNz, "only A2/A3 has NZ");
  static_assert(!Data::kIsNz || Data::Rows % FRACTAL_NZ_ROW == 0, "NZ rows come in blocks of 16");
  static_assert(kCoalesce == Coalesce::Elem || has_row_index<Data, Index>(),
                "by rows, the index tile has one index for each valid row");
  static_assert(kCoalesce == Coalesce::Row || (agree(Index::ValidRow, Data::ValidRow) &&
                                               agree(Index::ValidCol, Data::ValidCol)),
                "by elements, index and data tile have the same valid shape");
  static_assert(!kA5 || kCoalesce == Coalesce::Elem || agree(Table::staticShape[4], Data::ValidCol),
                "by rows, A5 needs a table as wide as the valid columns");
}

}  // namespace PTO_EMULATION_TARGET
}  // namespace pto

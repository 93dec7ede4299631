// What one target accepts and how it behaves, as data. Everything outside this folder stays
// ignorant of which target it serves.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "ir/enum_set.h"
#include "ir/spec.h"

namespace pto::jit {

struct RuleRow;
struct Note;
struct Dialect;
using Notes = std::span<const Note>;

// Membership: which values each part of an operation's spec may take.
struct OpProfile {
  EnumSet<DType> dtypes{};  // empty: the operation is not offered
  EnumSet<DType> index_dtypes{};
  EnumSet<TileLayout> data_layouts{};
  EnumSet<TileLayout> index_layouts{};
  EnumSet<TileLayout> store_layouts{};
  EnumSet<TableLayout> table_layouts{};
  EnumSet<Oob> oob = {Oob::Undefined};
  std::array<EnumSet<DType>, 4> atomics{};  // by Atomic; None is always offered
  EnumSet<Conflict> conflicts{};
  EnumSet<Engine> engines = {Engine::Aiv};
};

// Where the indices of a Row form lie: along the one row of a row-major tile and the one column of
// a column-major one, or in the first column of a row-major tile.
enum class RowIndex : std::uint8_t { AlongLayout, FirstColumn };

// What a Row form demands of its width.
enum class RowWidth : std::uint8_t { One, TableWidth, WithinTable };

// Which forms address a table whose leading three extents must be one.
enum class FlatTables : std::uint8_t { Never, Row, Always };

struct Behaviour {
  RowIndex row_index = RowIndex::AlongLayout;
  RowWidth row_width = RowWidth::TableWidth;
  FlatTables flat_tables = FlatTables::Never;
  bool has_modes = true;  // false: element by element, replacing, unchecked, whatever is asked
  bool reads_row_pitch = false;     // Row takes the table's own row stride
  bool wide_row_offsets = false;    // Row computes its offsets in 64 bits
  bool zero_fills_scatter = false;  // tscatter clears the whole destination first
  bool clamps_offsets = false;      // tgatherb stays inside its source
};

struct Budget {
  std::int64_t tile_bytes = 0;   // local memory for tiles; 0: no limit
  std::int64_t plain_bytes = 0;  // what a launch grants without asking; 0: all of it
  std::int64_t load_rows = 0;    // rows of one load; 0: no limit
};

// Columns that some operations share.
struct OpRow {
  EnumSet<Op> ops;
  OpProfile columns;
};

// What no row names is not offered.
template <std::size_t kRows>
consteval std::array<OpProfile, kOps> by_op(const OpRow (&rows)[kRows]) {
  std::array<OpProfile, kOps> out{};
  for (const OpRow& row : rows)
    row.ops.for_each([&](Op op) { out[static_cast<std::size_t>(op)] = row.columns; });
  return out;
}

struct Profile {
  Target target;
  std::string_view title;
  std::string_view device;  // one line for tables
  std::array<OpProfile, kOps> ops;
  Behaviour behaviour;
  Budget budget;
  std::span<const RuleRow> rules;  // besides those every target keeps
  const Notes& notes;              // besides those any target may give
  const Dialect& dialect;          // of the text for it

  const OpProfile& of(Op op) const { return ops[static_cast<std::size_t>(op)]; }
};

// Every target, in the order of its enumerators.
std::span<const Profile* const> all_profiles();
const Profile& profile_of(Target target);

inline constexpr EnumSet<DType> kNumbers = {DType::I8,  DType::U8,   DType::I16,
                                            DType::U16, DType::I32,  DType::U32,
                                            DType::F16, DType::BF16, DType::F32};
inline constexpr EnumSet<DType> kIndex32 = {DType::I32, DType::U32};
inline constexpr EnumSet<DType> kIndex16Or32 = {DType::I16, DType::U16, DType::I32, DType::U32};

}  // namespace pto::jit

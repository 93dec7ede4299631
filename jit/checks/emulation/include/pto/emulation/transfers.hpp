// TLOAD and TSTORE: a table into a tile on MTE2, a tile into a table on MTE3. Row-major tiles go
// with ND tables, column-major ones with DN, NZ with NZ; valid extents and shape agree exactly.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

#include "pto/emulation/bursts.hpp"
#include "pto/emulation/events.hpp"
#include "pto/emulation/execution.hpp"
#include "pto/emulation/global_tensor.hpp"
#include "pto/emulation/tile.hpp"
#include "pto/emulation/views.hpp"

namespace pto {
namespace emulation {

// A table seen as the matrix a transfer moves: lines contiguous in memory, in the order of the
// tile's lines, all `length` elements long.
struct Lines {
  std::int64_t length = 0;
  std::int64_t count = 0;
};

inline Lines lines_of(const TableView& table) {
  const auto& d = table.shape;
  switch (table.layout) {
    case TableLayout::Nd: return {d[4], d[0] * d[1] * d[2] * d[3]};
    case TableLayout::Dn: return {d[3], d[0] * d[1] * d[2] * d[4]};
    case TableLayout::Nz: return {d[2] * d[3] * d[4], d[0] * d[1]};
  }
  return {};
}

inline Lines lines_of(const TileView& tile) {
  const std::int64_t width = block_elements(tile.type.element);
  switch (tile.type.layout) {
    case TileLayout::RowMajor: return {tile.valid_cols, tile.valid_rows};
    case TileLayout::ColMajor: return {tile.valid_rows, tile.valid_cols};
    case TileLayout::Nz: return {tile.valid_rows * width, (tile.valid_cols + width - 1) / width};
  }
  return {};
}

// Elements from one line of the tile to the next.
inline std::int64_t line_pitch(const StorageType& type) {
  switch (type.layout) {
    case TileLayout::RowMajor: return type.cols;
    case TileLayout::ColMajor: return type.rows;
    case TileLayout::Nz: return type.rows * block_elements(type.element);
  }
  return 0;
}

// Bursts of one transfer: the lines of the innermost line dimension.
inline std::int64_t bursts_of(const TableView& table) {
  switch (table.layout) {
    case TableLayout::Nd: return table.shape[3];
    case TableLayout::Dn: return table.shape[4];
    case TableLayout::Nz: return table.shape[1];
  }
  return 0;
}

// Transfers never look at the strides inside a line: these must be the packed ones. Strides of
// dimensions with one element say nothing.
inline bool has_packed_lines(const TableView& table) {
  const auto is = [&table](std::size_t dim, std::int64_t stride) {
    return table.shape[dim] <= 1 || table.stride[dim] == stride;
  };
  switch (table.layout) {
    case TableLayout::Nd: return is(4, 1);
    case TableLayout::Dn: return is(3, 1);
    case TableLayout::Nz:
      return is(4, 1) && is(3, table.shape[4]) && is(2, table.shape[3] * table.shape[4]);
  }
  return false;
}

inline void check_transfer(Execution& run, const char* name, const TileView& tile,
                           const TableView& table) {
  const Lines of_tile = lines_of(tile);
  const Lines of_table = lines_of(table);
  if (of_tile.length != of_table.length || of_tile.count != of_table.count) {
    const auto spell = [](const Lines& lines) {
      return std::to_string(lines.count) + " lines of " + std::to_string(lines.length);
    };
    run.report(ReportKind::Extent, std::string(name) + ": the tile's valid region is " +
                                       spell(of_tile) + " elements, the table's shape " +
                                       spell(of_table));
  }
  if (tile.type.layout == TileLayout::Nz &&
      tile.valid_cols % block_elements(tile.type.element) != 0) {
    run.report(ReportKind::Extent, std::string(name) + ": NZ moves whole 32-byte blocks");
  }
  if (!has_packed_lines(table)) {
    run.report(ReportKind::Extent, std::string(name) + ": elements of a line must be adjacent");
  }
  if (run.device() == Device::A2A3 && bursts_of(table) >= kBurstLimit) {
    run.report(ReportKind::Extent, std::string(name) + " of " + std::to_string(bursts_of(table)) +
                                       " lines: A2/A3 moves fewer than 4096 at a time");
  }
}

// `move(line, offset)` for each line in the order of the tile's, with its offset in the table.
template <typename Move>
void for_each_line(const TableView& table, Move move) {
  const auto& d = table.shape;
  const auto& s = table.stride;
  std::array<std::int64_t, 4> extent = {d[0], d[1], d[2], d[3]};  // ND
  std::array<std::int64_t, 4> step = {s[0], s[1], s[2], s[3]};
  if (table.layout == TableLayout::Dn) {
    extent[3] = d[4];
    step[3] = s[4];
  } else if (table.layout == TableLayout::Nz) {
    extent[2] = 1;
    extent[3] = 1;
  }
  std::int64_t line = 0;
  for (std::int64_t a = 0; a < extent[0]; ++a) {
    for (std::int64_t b = 0; b < extent[1]; ++b) {
      for (std::int64_t c = 0; c < extent[2]; ++c) {
        for (std::int64_t e = 0; e < extent[3]; ++e) {
          move(line++, a * step[0] + b * step[1] + c * step[2] + e * step[3]);
        }
      }
    }
  }
}

inline void load_tile(Execution& run, const char* name, const TileView& tile,
                      const TableView& table) {
  check_transfer(run, name, tile, table);
  const OperationId now = run.operations().begin(name, PIPE_MTE2);
  const Lines lines = lines_of(tile);
  const std::int64_t length = std::min(lines.length, lines_of(table).length);
  for_each_line(table, [&](std::int64_t line, std::int64_t offset) {
    if (line >= lines.count) return;
    run.copy(now, element_of(table, offset), stored_at(tile, line * line_pitch(tile.type)),
             length * size_of(table.element));
  });
}

inline void store_tile(Execution& run, const char* name, const TableView& table,
                       const TileView& tile) {
  check_transfer(run, name, tile, table);
  const OperationId now = run.operations().begin(name, PIPE_MTE3);
  const Combine how = combine_of(run, name, run.read_mode(now), size_of(table.element));
  const Lines lines = lines_of(tile);
  const std::int64_t length = std::min(lines.length, lines_of(table).length);
  for_each_line(table, [&](std::int64_t line, std::int64_t offset) {
    if (line >= lines.count) return;
    const Place from = stored_at(tile, line * line_pitch(tile.type));
    store_piece(run, now, static_cast<std::int64_t>(from.at), element_of(table, offset),
                length * size_of(table.element), how);
  });
}

}  // namespace emulation

inline namespace PTO_EMULATION_TARGET {

template <typename TileData, typename GlobalData>
constexpr void check_transfer_types() {
  static_assert(std::is_same_v<typename TileData::DType, typename GlobalData::RawDType>,
                "tile and table have one element type");
  constexpr Layout kNeeded =
      TileData::kIsNz ? Layout::NZ : (TileData::isRowMajor ? Layout::ND : Layout::DN);
  static_assert(GlobalData::layout == kNeeded,
                "row-major tiles go with ND tables, column-major ones with DN, NZ with NZ");
  static_assert(!TileData::kIsNz || (GlobalData::staticShape[3] == emulation::kNzBlockRows &&
                                     GlobalData::staticShape[4] ==
                                         emulation::block_elements(TileData::kStorage.element)),
                "an NZ table ends in 16 rows of one 32-byte block");
}

template <typename TileData, typename GlobalData, typename... WaitEvents>
RecordEvent TLOAD(TileData& dst, GlobalData& src, WaitEvents&... events) {
  check_transfer_types<TileData, GlobalData>();
  static_assert(kTarget != emulation::Device::A2A3 || !TileData::isRowMajor ||
                    TileData::Rows < emulation::kBurstLimit,
                "A2/A3 loads fewer than 4096 rows at a time");
  wait_for(events...);
  emulation::load_tile(emulation::execution(), "TLOAD", dst.view(), emulation::view_of(src));
  return {};
}

template <typename TileData, typename GlobalData, typename... WaitEvents>
RecordEvent TSTORE(GlobalData& dst, TileData& src, WaitEvents&... events) {
  check_transfer_types<TileData, GlobalData>();
  wait_for(events...);
  emulation::store_tile(emulation::execution(), "TSTORE", emulation::view_of(dst), src.view());
  return {};
}

}  // namespace PTO_EMULATION_TARGET
}  // namespace pto

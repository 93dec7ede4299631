// MGATHER: a table into a tile, by rows or by elements, with the shapes, layouts and pipes of
// MSCATTER. Outside the valid region the tile is left alone, except by rows of NZ tables.
#pragma once

#include <cstdint>
#include <optional>

#include "pto/emulation/bursts.hpp"
#include "pto/emulation/events.hpp"
#include "pto/emulation/scatter_rules.hpp"
#include "pto/emulation/slots.hpp"
#include "pto/emulation/tile.hpp"

namespace pto {
namespace emulation {

inline void gather_element(Execution& run, OperationId now, const Operands& operands,
                           std::optional<std::int64_t> offset, Place to, OutOfBounds policy) {
  const Element element = operands.table.element;
  if (offset) {
    run.store(now, to, element, run.load(now, element_of(operands.table, *offset), element));
  } else if (policy == OutOfBounds::Zero) {
    run.store(now, to, element, 0);
  }
}

inline void gather_elements(Execution& run, OperationId now, const Operands& operands,
                            OutOfBounds policy) {
  const std::int64_t capacity = element_capacity(operands.table);
  walk(operands.data, [&](std::int64_t row, std::int64_t col) {
    const std::uint32_t raw = index_at(run, now, operands.index, row, col);
    std::optional<std::int64_t> offset = slot_of(raw, policy, capacity);
    if (offset) offset = element_offset(operands.table, *offset);
    gather_element(run, now, operands, offset, element_of(operands.data, row, col), policy);
  });
}

// The counterpart of MSCATTER's store_row.
inline void load_row(Execution& run, const Operands& operands, std::int64_t row,
                     std::int64_t slot) {
  const TableView& table = operands.table;
  const TileView& data = operands.data;
  const std::int64_t size = size_of(table.element);
  const std::int64_t width = block_elements(table.element);
  if (table.layout != TableLayout::Nz) {
    const auto to = static_cast<std::int64_t>(element_of(data, row, 0).at);
    return load_bursts(run, "MGATHER", to, element_of(table, slot * table.stride[3]),
                       {1, data.valid_cols * size, 0, 0});
  }
  const Bursts bursts = {table.shape[1], kBlockBytes, data.type.rows - 1,
                         (table.stride[1] - width) * size};
  for (std::int64_t i = 0; i < table.shape[0]; ++i) {
    const std::int64_t to = i * table.shape[1] * data.type.rows * width + row * width;
    load_bursts(run, "MGATHER", static_cast<std::int64_t>(stored_at(data, to).at),
                element_of(table, i * table.stride[0] + nz_row_offset(table, slot)), bursts);
  }
}

// Misses of ND rows are cleared one by one. With NZ tables the whole tile was cleared before, also
// when nothing moves.
inline void gather_rows_by_bursts(Execution& run, const Operands& operands, OutOfBounds policy) {
  Operations& operations = run.operations();
  const TileView& data = operands.data;
  const bool is_nz = operands.table.layout == TableLayout::Nz;
  const bool clears = policy == OutOfBounds::Zero;
  operations.handshake(PIPE_V, PIPE_S);
  operations.handshake(PIPE_MTE3, PIPE_S);
  if (is_nz && clears) {
    run.clear(operations.begin("MGATHER", PIPE_S), stored_at(data, 0), data.type.bytes());
  }
  const std::int64_t rows = data.valid_cols == 0 ? 0 : data.valid_rows;
  for (std::int64_t row = 0; row < rows; ++row) {
    const OperationId now = operations.begin("MGATHER", PIPE_S);
    const std::uint32_t raw = row_index(run, now, operands.index, row);
    const std::optional<std::int64_t> slot =
        slot_of(raw, policy, row_capacity(operands.table, run.device()));
    if (slot) {
      operations.follow(PIPE_MTE2, PIPE_S);  // the burst's address is made of the index
      load_row(run, operands, row, *slot);
    } else if (!is_nz && clears) {
      run.clear(now, element_of(data, row, 0), data.valid_cols * size_of(data.type.element));
    }
  }
  operations.handshake(PIPE_S, PIPE_MTE2);
  operations.handshake(PIPE_MTE2, PIPE_V);
  operations.handshake(PIPE_MTE2, PIPE_MTE3);
  operations.handshake(PIPE_S, PIPE_V);
  operations.handshake(PIPE_S, PIPE_MTE3);
}

inline void gather_elements_by_scalars(Execution& run, const Operands& operands,
                                       OutOfBounds policy) {
  Operations& operations = run.operations();
  operations.handshake(PIPE_V, PIPE_S);
  operations.handshake(PIPE_MTE3, PIPE_S);
  operations.handshake(PIPE_MTE2, PIPE_S);
  gather_elements(run, operations.begin("MGATHER", PIPE_S), operands, policy);
  operations.handshake(PIPE_S, PIPE_V);
  operations.handshake(PIPE_S, PIPE_MTE2);
  operations.handshake(PIPE_S, PIPE_MTE3);
}

inline void gather_rows_by_threads(Execution& run, OperationId now, const Operands& operands,
                                   OutOfBounds policy) {
  const TileView& data = operands.data;
  const std::int64_t capacity = row_capacity(operands.table, run.device());
  for (std::int64_t row = 0; row < data.valid_rows; ++row) {
    const std::uint32_t raw = row_index(run, now, operands.index, row);
    const std::optional<std::int64_t> slot = slot_of(raw, policy, capacity);
    for (std::int64_t col = 0; col < data.valid_cols; ++col) {
      std::optional<std::int64_t> offset;
      if (slot) offset = *slot * data.valid_cols + col;
      gather_element(run, now, operands, offset, element_of(data, row, col), policy);
    }
  }
}

inline void gather_by_threads(Execution& run, const Operands& operands, Coalesce coalesce,
                              OutOfBounds policy) {
  Operations& operations = run.operations();
  const bool is_single = operands.data.valid_rows == 1 && operands.data.valid_cols == 1;
  if (coalesce == Coalesce::Row) {
    gather_rows_by_threads(run, operations.begin("MGATHER", PIPE_V), operands, policy);
  } else if (!is_single) {
    gather_elements(run, operations.begin("MGATHER", PIPE_V), operands, policy);
  } else {
    operations.handshake(PIPE_V, PIPE_S);
    gather_elements(run, operations.begin("MGATHER", PIPE_S), operands, policy);
    operations.handshake(PIPE_S, PIPE_V);
  }
}

inline void gather_from_table(Execution& run, const Operands& operands, Coalesce coalesce,
                              OutOfBounds policy) {
  check_extents(run, "MGATHER", operands, coalesce);
  check_apart(run, "MGATHER", operands.data, operands.index);
  if (run.device() == Device::Simulator)
    return gather_elements(run, run.operations().begin("MGATHER", PIPE_S), operands, policy);
  if (run.device() == Device::A5) return gather_by_threads(run, operands, coalesce, policy);
  if (coalesce == Coalesce::Row) return gather_rows_by_bursts(run, operands, policy);
  return gather_elements_by_scalars(run, operands, policy);
}

}  // namespace emulation

inline namespace PTO_EMULATION_TARGET {

#if defined(MEMORY_BASE) || defined(REGISTER_BASE)
template <Coalesce CMode = Coalesce::Row, GatherOOB Oob = GatherOOB::Undefined, typename TileDst,
          typename GlobalTable, typename TileIdx, typename... WaitEvents>
RecordEvent MGATHER(TileDst& dst, GlobalTable& table, TileIdx& idx, WaitEvents&... events) {
  check_indexed_types<CMode, GlobalTable, TileDst, TileIdx>();
  wait_for(events...);
  emulation::gather_from_table(emulation::execution(),
                               {emulation::view_of(table), dst.view(), idx.view()}, CMode,
                               emulation::policy_of(Oob));
  return {};
}
#else
// As the simulator's MSCATTER.
template <typename TileDst, typename GlobalTable, typename TileIdx, typename... WaitEvents>
RecordEvent MGATHER(TileDst& dst, GlobalTable& table, TileIdx& idx, WaitEvents&... events) {
  check_indexed_types<Coalesce::Elem, GlobalTable, TileDst, TileIdx>();
  wait_for(events...);
  emulation::gather_from_table(emulation::execution(),
                               {emulation::view_of(table), dst.view(), idx.view()}, Coalesce::Elem,
                               emulation::OutOfBounds::Undefined);
  return {};
}
#endif

}  // namespace PTO_EMULATION_TARGET
}  // namespace pto

// MSCATTER: a tile into a table, by rows or by elements. On A2/A3 a walk of the scalar pipe that
// stores by bursts or by itself, with handshakes of its own; on A5 one SIMT launch on the vector
// pipe, with none.
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

struct Scatter {
  Coalesce coalesce = Coalesce::Row;
  Combine how = Combine::Replace;
  OutOfBounds policy = OutOfBounds::Undefined;
  bool last_wins = true;
};

inline void scatter_element(Execution& run, OperationId now, Place from, Place to, Element element,
                            Combine how) {
  const std::uint32_t value = run.load(now, from, element);
  const std::uint32_t old = how == Combine::Replace ? 0 : run.load(now, to, element);
  run.store(now, to, element, combine(element, how, old, value));
}

inline void scatter_elements(Execution& run, OperationId now, const Operands& operands,
                             const Scatter& scatter) {
  const std::int64_t capacity = element_capacity(operands.table);
  walk(operands.data, [&](std::int64_t row, std::int64_t col) {
    const std::uint32_t raw = index_at(run, now, operands.index, row, col);
    const std::optional<std::int64_t> slot = slot_of(raw, scatter.policy, capacity);
    if (!slot) return;
    const Place to = element_of(operands.table, element_offset(operands.table, *slot));
    scatter_element(run, now, element_of(operands.data, row, col), to, operands.table.element,
                    scatter.how);
  });
}

// One row of an ND table is one burst; one of an NZ table is a block in each block column.
inline void store_row(Execution& run, const Operands& operands, std::int64_t row,
                      std::int64_t slot) {
  const TableView& table = operands.table;
  const TileView& data = operands.data;
  const std::int64_t size = size_of(table.element);
  const std::int64_t width = block_elements(table.element);
  if (table.layout != TableLayout::Nz) {
    const Place from = element_of(data, row, 0);
    return store_bursts(run, "MSCATTER", element_of(table, slot * table.stride[3]),
                        static_cast<std::int64_t>(from.at), {1, data.valid_cols * size, 0, 0},
                        size);
  }
  const Bursts bursts = {table.shape[1], kBlockBytes, data.type.rows - 1,
                         (table.stride[1] - width) * size};
  for (std::int64_t i = 0; i < table.shape[0]; ++i) {
    const std::int64_t to = i * table.stride[0] + nz_row_offset(table, slot);
    const std::int64_t from = i * table.shape[1] * data.type.rows * width + row * width;
    store_bursts(run, "MSCATTER", element_of(table, to),
                 static_cast<std::int64_t>(stored_at(data, from).at), bursts, size);
  }
}

inline void scatter_rows_by_bursts(Execution& run, const Operands& operands,
                                   const Scatter& scatter) {
  Operations& operations = run.operations();
  const bool adds = scatter.how == Combine::Add;
  operations.handshake(PIPE_V, PIPE_S);
  operations.handshake(PIPE_MTE2, PIPE_S);
  if (adds) run.set_mode("MSCATTER", {true, true, operands.table.element});
  operations.handshake(PIPE_S, PIPE_MTE3);
  const std::int64_t rows = operands.data.valid_cols == 0 ? 0 : operands.data.valid_rows;
  for (std::int64_t row = 0; row < rows; ++row) {
    const OperationId now = operations.begin("MSCATTER", PIPE_S);
    const std::uint32_t raw = row_index(run, now, operands.index, row);
    const std::optional<std::int64_t> slot =
        slot_of(raw, scatter.policy, row_capacity(operands.table, run.device()));
    if (!slot) continue;
    operations.follow(PIPE_MTE3, PIPE_S);  // the burst's address is made of the index
    store_row(run, operands, row, *slot);
    if (!adds) operations.handshake(PIPE_MTE3, PIPE_S);
  }
  if (adds) {
    operations.handshake(PIPE_MTE3, PIPE_S);
    run.set_mode("MSCATTER", {});
    operations.handshake(PIPE_S, PIPE_V);
    operations.handshake(PIPE_S, PIPE_MTE2);
  }
  operations.handshake(PIPE_MTE3, PIPE_V);
  operations.handshake(PIPE_MTE3, PIPE_MTE2);
}

inline void scatter_elements_by_scalars(Execution& run, const Operands& operands,
                                        const Scatter& scatter) {
  Operations& operations = run.operations();
  operations.handshake(PIPE_V, PIPE_S);
  operations.handshake(PIPE_MTE3, PIPE_S);
  operations.handshake(PIPE_MTE2, PIPE_S);
  scatter_elements(run, operations.begin("MSCATTER", PIPE_S), operands, scatter);
  operations.handshake(PIPE_S, PIPE_V);
  operations.handshake(PIPE_S, PIPE_MTE2);
  operations.handshake(PIPE_S, PIPE_MTE3);
}

// A5 takes tables for packed, rows as wide as the valid columns.
inline void scatter_rows_by_threads(Execution& run, OperationId now, const Operands& operands,
                                    const Scatter& scatter) {
  const TileView& data = operands.data;
  const std::int64_t capacity = row_capacity(operands.table, run.device());
  for (std::int64_t k = 0; k < data.valid_rows; ++k) {
    // Where any writer may win, the first does, so that nobody relies on the last.
    const std::int64_t row = scatter.last_wins ? k : data.valid_rows - 1 - k;
    const std::uint32_t raw = row_index(run, now, operands.index, row);
    const std::optional<std::int64_t> slot = slot_of(raw, scatter.policy, capacity);
    if (!slot) continue;
    for (std::int64_t col = 0; col < data.valid_cols; ++col) {
      scatter_element(run, now, element_of(data, row, col),
                      element_of(operands.table, *slot * data.valid_cols + col),
                      operands.table.element, scatter.how);
    }
  }
}

inline void scatter_elements_by_threads(Execution& run, OperationId now, const Operands& operands,
                                        const Scatter& scatter) {
  const TileView& data = operands.data;
  const std::int64_t capacity = element_capacity(operands.table);
  const std::int64_t count = data.valid_rows * data.valid_cols;
  for (std::int64_t k = 0; k < count; ++k) {
    const std::int64_t at = scatter.last_wins ? k : count - 1 - k;
    const std::int64_t row = at / data.valid_cols;
    const std::int64_t col = at % data.valid_cols;
    const std::uint32_t raw = index_at(run, now, operands.index, row, col);
    const std::optional<std::int64_t> slot = slot_of(raw, scatter.policy, capacity);
    if (!slot) continue;
    scatter_element(run, now, element_of(data, row, col), element_of(operands.table, *slot),
                    operands.table.element, scatter.how);
  }
}

inline void scatter_by_threads(Execution& run, const Operands& operands, const Scatter& scatter) {
  Operations& operations = run.operations();
  const bool is_single = operands.data.valid_rows == 1 && operands.data.valid_cols == 1;
  if (scatter.coalesce == Coalesce::Row) {
    scatter_rows_by_threads(run, operations.begin("MSCATTER", PIPE_V), operands, scatter);
  } else if (!is_single) {
    scatter_elements_by_threads(run, operations.begin("MSCATTER", PIPE_V), operands, scatter);
  } else {
    operations.handshake(PIPE_V, PIPE_S);
    scatter_elements(run, operations.begin("MSCATTER", PIPE_S), operands, scatter);
    operations.handshake(PIPE_S, PIPE_V);
  }
}

inline void scatter_to_table(Execution& run, const Operands& operands, const Scatter& scatter) {
  check_extents(run, "MSCATTER", operands, scatter.coalesce);
  if (run.device() == Device::Simulator)
    return scatter_elements(run, run.operations().begin("MSCATTER", PIPE_S), operands, scatter);
  if (run.device() == Device::A5) return scatter_by_threads(run, operands, scatter);
  if (scatter.coalesce == Coalesce::Row) return scatter_rows_by_bursts(run, operands, scatter);
  return scatter_elements_by_scalars(run, operands, scatter);
}

constexpr Combine combine_of(ScatterAtomicOp atomic) {
  switch (atomic) {
    case ScatterAtomicOp::None: return Combine::Replace;
    case ScatterAtomicOp::Add: return Combine::Add;
    case ScatterAtomicOp::Max: return Combine::Max;
    case ScatterAtomicOp::Min: return Combine::Min;
  }
  return Combine::Replace;
}

}  // namespace emulation

inline namespace PTO_EMULATION_TARGET {

constexpr bool has_atomic(emulation::Element element, ScatterAtomicOp atomic) {
  using emulation::Element;
  if (atomic == ScatterAtomicOp::None) return true;
  const bool is_word = element == Element::I32 || element == Element::F32;
  if (atomic != ScatterAtomicOp::Add) {
    return kTarget == emulation::Device::A5 && (is_word || element == Element::U32);
  }
  if (is_word || element == Element::F16 || element == Element::BF16) return true;
  if (kTarget == emulation::Device::A5) return element == Element::U32;
  return element == Element::I8 || element == Element::I16;
}

template <Coalesce kCoalesce, ScatterAtomicOp kAtomic, typename Table, typename Data,
          typename Index>
void mscatter(Table& table, Data& src, Index& idx, emulation::OutOfBounds policy, bool last_wins) {
  check_indexed_types<kCoalesce, Table, Data, Index>();
  static_assert(has_atomic(emulation::kElementOf<typename Data::DType>, kAtomic),
                "this target has no such atomic for this element type");
  emulation::scatter_to_table(emulation::execution(),
                              {emulation::view_of(table), src.view(), idx.view()},
                              {kCoalesce, emulation::combine_of(kAtomic), policy, last_wins});
}

#if defined(MEMORY_BASE)
template <Coalesce CMode = Coalesce::Row, ScatterAtomicOp AtomOp = ScatterAtomicOp::None,
          ScatterOOB Oob = ScatterOOB::Undefined, typename GlobalTable, typename TileSrc,
          typename TileIdx, typename... WaitEvents>
RecordEvent MSCATTER(GlobalTable& table, TileSrc& src, TileIdx& idx, WaitEvents&... events) {
  wait_for(events...);
  mscatter<CMode, AtomOp>(table, src, idx, emulation::policy_of(Oob), true);
  return {};
}
#elif defined(REGISTER_BASE)
template <Coalesce Mode = Coalesce::Row, ScatterAtomicOp Atomic = ScatterAtomicOp::None,
          ScatterOOB Oob = ScatterOOB::Undefined, ScatterConflict Conflict = ScatterConflict::Last,
          typename GlobalTable, typename TileSrc, typename TileIdx, typename... WaitEvents>
RecordEvent MSCATTER(GlobalTable& table, TileSrc& src, TileIdx& idx, WaitEvents&... events) {
  wait_for(events...);
  constexpr bool kInOrder = Atomic != ScatterAtomicOp::None || Conflict == ScatterConflict::Last;
  mscatter<Mode, Atomic>(table, src, idx, emulation::policy_of(Oob), kInOrder);
  return {};
}
#else
// The simulator as the documents have it: elements, replaced one by one, unchecked.
template <typename GlobalTable, typename TileSrc, typename TileIdx, typename... WaitEvents>
RecordEvent MSCATTER(GlobalTable& table, TileSrc& src, TileIdx& idx, WaitEvents&... events) {
  wait_for(events...);
  mscatter<Coalesce::Elem, ScatterAtomicOp::None>(table, src, idx,
                                                  emulation::OutOfBounds::Undefined, true);
  return {};
}
#endif

}  // namespace PTO_EMULATION_TARGET
}  // namespace pto

// Tiles in local memory, and what one call has to do.
#include <algorithm>

#include "ir/interpreter.h"
#include "ir/quantity.h"
#include "jit/tools/explain/views.h"
#include "targets/chunking.h"
#include "targets/profile.h"

namespace pto::jit::cli {
namespace {

// In a full part of the loop, where there is one.
std::int64_t value_of(const Value& value, const SourcePlan& plan, const Frame& frame) {
  const std::int64_t amount = value_in(frame, value.amount);
  if (value.local == Local::None || !plan.loop) return amount;
  const std::int64_t full = std::min(plan.loop->step, value_in(frame, plan.loop->total));
  if (value.local == Local::Count) return amount * full;
  return amount * (round_up(full, plan.loop->block) / plan.loop->block);
}

TileSpan span_of(const TilePlan& tile, const SourcePlan& plan, const Frame& frame) {
  const TileType& type = tile.type;
  const std::int64_t size = size_of(type.dtype);
  TileSpan out{.name = type.name,
               .shape = std::to_string(type.rows) + "x" + std::to_string(type.cols) + " " +
                        std::string(name_of(type.dtype)),
               .offset = tile.offset,
               .bytes = type.rows * type.cols * size};
  const std::int64_t rows = value_of(type.valid_rows.value, plan, frame);
  const std::int64_t cols = value_of(type.valid_cols.value, plan, frame);
  out.valid_bytes = std::min(rows * cols * size, out.bytes);
  out.padding = out.bytes - out.valid_bytes;
  out.gap = round_up(out.bytes, kBlockBytes) - out.bytes;
  return out;
}

}  // namespace

MemoryMap memory_map(const BoundSpec& bound, const SourcePlan& plan) {
  const Profile& profile = bound.legal().profile();
  const Frame frame = frame_of(bound.spec());
  MemoryMap out{.is_placed = plan.placement == Placement::Manual,
                .budget = profile.budget.tile_bytes,
                .plain = profile.budget.plain_bytes,
                .dynamic_bytes = plan.dynamic_bytes,
                .parts = "in one call"};
  for (const TilePlan& tile : plan.tiles) {
    out.tiles.push_back(span_of(tile, plan, frame));
    out.used += out.tiles.back().bytes + out.tiles.back().gap;
  }
  out.left = out.budget > 0 ? out.budget - out.used : 0;
  const std::optional<Chunking> chunks = chunking_of(bound.legal().spec(), profile);
  if (!chunks || chunks->axis == ChunkAxis::Whole) return out;
  out.parts = describe(*chunks);
  out.calls = chunks->chunks;
  return out;
}

Work work_of(const BoundSpec& bound, const Frame& frame) {
  const KernelPlan& plan = bound.plan();
  Work out{.indices = std::max(plan.ranks, 1), .index_bytes = plan.index_size};
  for (std::size_t i = 0; i < plan.level_count; ++i) {
    const bool is_block = plan.block > 0 && i + 1 == plan.level_count;
    if (!is_block) out.indices *= value_in(frame, plan.levels[i].extent);
  }
  out.bytes_per_index = value_in(frame, plan.unit.run) * value_in(frame, plan.unit.inner.count) *
                        value_in(frame, plan.unit.outer.count);
  out.elements_per_index = out.bytes_per_index / plan.element_size;
  out.bytes_moved = out.indices * out.bytes_per_index;
  out.capacity = value_in(frame, plan.capacity);
  return out;
}

}  // namespace pto::jit::cli

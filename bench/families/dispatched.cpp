// R: one loop for everything. Policy, element type, layout and widths are looked at for each index
// while it runs, as code does that is compiled once for all shapes.
#include <cstring>

#include "bench/families/moves.h"
#include "ir/half.h"

namespace pto::jit::bench {
namespace {

struct Slot {
  std::uint32_t at;
  bool is_outside;
};

Slot resolve(Oob oob, std::uint32_t index, std::uint32_t capacity) {
  switch (oob) {
    case Oob::Undefined: break;
    case Oob::Clamp: return {index < capacity ? index : capacity - 1, false};
    case Oob::Wrap: return {index % capacity, false};
    case Oob::Skip:
    case Oob::Zero: return {index, index >= capacity};
  }
  return {index, false};
}

template <class T>
void combine_as(Atomic atomic, std::byte* to, const std::byte* from) {
  T t;
  T v;
  std::memcpy(&t, to, sizeof t);
  std::memcpy(&v, from, sizeof v);
  if (atomic == Atomic::Add) t = static_cast<T>(t + v);
  if (atomic == Atomic::Max) t = t < v ? v : t;
  if (atomic == Atomic::Min) t = v < t ? v : t;
  std::memcpy(to, &t, sizeof t);
}

void add_bf16(std::byte* to, const std::byte* from) {
  std::uint16_t t = 0;
  std::uint16_t v = 0;
  std::memcpy(&t, to, sizeof t);
  std::memcpy(&v, from, sizeof v);
  t = narrow_bf16(widen_bf16(t) + widen_bf16(v));
  std::memcpy(to, &t, sizeof t);
}

// One element, whatever it is.
void combine(const KernelSpec& spec, std::byte* to, const std::byte* from) {
  const DType dtype = spec.data.dtype;
  if (spec.atomic == Atomic::None) {
    std::memcpy(to, from, static_cast<std::size_t>(size_of(dtype)));
  } else if (dtype == DType::F32) {
    combine_as<float>(spec.atomic, to, from);
  } else if (dtype == DType::F16) {
    combine_as<_Float16>(spec.atomic, to, from);
  } else if (dtype == DType::BF16) {
    add_bf16(to, from);
  } else {
    combine_as<std::uint32_t>(spec.atomic, to, from);
  }
}

std::size_t place(const Tile& tile, std::int32_t r, std::int32_t c) {
  const std::int32_t c0 = block_elements(tile.dtype);
  std::int64_t at = std::int64_t{r} * tile.cols + c;
  if (tile.layout == TileLayout::ColMajor) at = std::int64_t{c} * tile.rows + r;
  if (tile.layout == TileLayout::Nz) {
    at = std::int64_t{c / c0} * tile.rows * c0 + std::int64_t{r} * c0 + c % c0;
  }
  return static_cast<std::size_t>(at * size_of(tile.dtype));
}

std::size_t place(const Table& table, std::uint32_t slot, std::int32_t c) {
  const std::int32_t c0 = table.shape[4];
  std::int64_t at = std::int64_t{slot} * table.shape[4] + c;
  if (table.layout == TableLayout::Nz) {
    at = std::int64_t{c / c0} * table.shape[2] * kNzBlockRows * c0 + std::int64_t{slot} * c0 +
         c % c0;
  }
  return static_cast<std::size_t>(at * size_of(table.dtype));
}

struct Sides {
  std::byte* tile;
  const std::uint32_t* index;
  std::byte* table;
};

void move_run(const KernelSpec& spec, std::byte* tile, std::byte* table, std::size_t bytes) {
  if (is_gather(spec)) {
    std::memcpy(tile, table, bytes);
  } else if (spec.atomic == Atomic::None) {
    std::memcpy(table, tile, bytes);
  } else {
    const auto size = static_cast<std::size_t>(size_of(spec.data.dtype));
    for (std::size_t at = 0; at < bytes; at += size) combine(spec, table + at, tile + at);
  }
}

// Runs are as long as both sides stay contiguous.
std::int32_t run_columns(const KernelSpec& spec) {
  if (spec.data.layout == TileLayout::ColMajor) return 1;
  return spec.data.layout == TileLayout::Nz ? block_elements(spec.data.dtype) : spec.data.vc;
}

void move_rows(const KernelSpec& spec, const Sides& sides) {
  const bool is_nz = spec.table.layout == TableLayout::Nz;
  const std::int32_t capacity = is_nz ? spec.table.shape[2] * kNzBlockRows : spec.table.shape[3];
  const std::int32_t columns = run_columns(spec);
  const auto bytes = static_cast<std::size_t>(columns * size_of(spec.data.dtype));
  for (std::int32_t r = 0; r < spec.data.vr; ++r) {
    const Slot slot = resolve(spec.oob, sides.index[r], static_cast<std::uint32_t>(capacity));
    if (slot.is_outside && spec.oob == Oob::Skip) continue;
    for (std::int32_t c = 0; c < spec.data.vc; c += columns) {
      std::byte* tile = sides.tile + place(spec.data, r, c);
      if (slot.is_outside) {
        std::memset(tile, 0, bytes);
      } else {
        move_run(spec, tile, sides.table + place(spec.table, slot.at, c), bytes);
      }
    }
  }
}

std::uint32_t element_capacity(const Table& table) {
  std::uint32_t out = 1;
  for (const std::int32_t extent : table.shape) out *= static_cast<std::uint32_t>(extent);
  return out;
}

bool has_layouts(const KernelSpec& spec) {
  return spec.data.layout != TileLayout::RowMajor || spec.index.layout != TileLayout::RowMajor;
}

std::size_t element_place(const Table& table, std::uint32_t slot) {
  if (table.layout == TableLayout::Nd) return slot * static_cast<std::size_t>(size_of(table.dtype));
  const auto cols = static_cast<std::uint32_t>(table.shape[1] * table.shape[4]);
  return place(table, slot / cols, static_cast<std::int32_t>(slot % cols));
}

// NZ tiles are walked by block columns.
template <class Visit>
void for_each_element(const KernelSpec& spec, Visit visit) {
  const bool is_nz = spec.data.layout == TileLayout::Nz;
  const std::int32_t block = is_nz ? block_elements(spec.data.dtype) : spec.data.vc;
  for (std::int32_t first = 0; first < spec.data.vc; first += block) {
    for (std::int32_t r = 0; r < spec.data.vr; ++r) {
      for (std::int32_t c = first; c < first + block; ++c) visit(r, c);
    }
  }
}

void move_elements(const KernelSpec& spec, const Sides& sides) {
  const auto size = static_cast<std::size_t>(size_of(spec.data.dtype));
  const std::uint32_t capacity = element_capacity(spec.table);
  const bool is_placed = has_layouts(spec);
  for_each_element(spec, [&](std::int32_t r, std::int32_t c) {
    const auto flat = static_cast<std::size_t>(std::int64_t{r} * spec.data.cols + c);
    const std::size_t index_at = is_placed ? place(spec.index, r, c) / 4 : flat;
    const Slot slot = resolve(spec.oob, sides.index[index_at], capacity);
    std::byte* tile = sides.tile + (is_placed ? place(spec.data, r, c) : flat * size);
    if (slot.is_outside && spec.oob == Oob::Zero) std::memset(tile, 0, size);
    if (slot.is_outside) return;
    std::byte* table =
        sides.table + (is_placed ? element_place(spec.table, slot.at) : slot.at * size);
    if (is_gather(spec)) {
      std::memcpy(tile, table, size);
    } else {
      combine(spec, table, tile);
    }
  });
}

void move_by_bytes(const KernelSpec& spec, const Sides& sides) {
  const auto bytes =
      static_cast<std::size_t>(spec.unit == Unit::Block ? kBlockBytes : size_of(spec.data.dtype));
  const std::int32_t count = spec.index.vr * spec.index.vc;
  for (std::int32_t i = 0; i < count; ++i) {
    std::memcpy(sides.tile + static_cast<std::size_t>(i) * bytes, sides.table + sides.index[i],
                bytes);
  }
}

std::size_t store_bytes(const KernelSpec& spec) {
  return static_cast<std::size_t>(std::int64_t{spec.store.rows} * spec.store.cols *
                                  size_of(spec.store.dtype));
}

void move_within_tiles(const KernelSpec& spec, const Sides& sides) {
  const auto size = static_cast<std::size_t>(size_of(spec.data.dtype));
  const auto* narrow = reinterpret_cast<const std::uint16_t*>(sides.index);
  std::memset(sides.table, 0, store_bytes(spec));
  for (std::int32_t i = 0; i < spec.data.vr * spec.data.vc; ++i) {
    const std::uint32_t at = size_of(spec.index.dtype) == 4 ? sides.index[i] : narrow[i];
    std::memcpy(sides.table + at * size, sides.tile + static_cast<std::size_t>(i) * size, size);
  }
}

void expand_mask(const KernelSpec& spec, const Sides& sides) {
  const auto size = static_cast<std::size_t>(size_of(spec.data.dtype));
  const MaskShape shape = shape_of(spec.mask);
  if (shape.factor > 1) std::memset(sides.table, 0, store_bytes(spec));
  for (std::int32_t i = 0; i < spec.data.vr * spec.data.vc; ++i) {
    const auto at = static_cast<std::size_t>(i * shape.factor + shape.position);
    std::memcpy(sides.table + at * size, sides.tile + static_cast<std::size_t>(i) * size, size);
  }
}

void split_among_ranks(const KernelSpec& spec, const Sides& sides) {
  const auto row = static_cast<std::size_t>(spec.peer.shape[4] * size_of(spec.peer.dtype));
  const auto rows = static_cast<std::size_t>(spec.peer.shape[3]);
  for (std::size_t rank = 0; rank < static_cast<std::size_t>(spec.ranks); ++rank) {
    std::byte* to = reinterpret_cast<std::byte**>(sides.table)[rank];
    for (std::size_t r = 0; r < rows; ++r) {
      std::memcpy(to + r * row, sides.tile + (rank * rows + r) * row, row);
    }
  }
}

}  // namespace

void move_dispatched(const KernelSpec& spec, void* tile, const void* index, void* table) {
  const Sides sides = {static_cast<std::byte*>(tile), static_cast<const std::uint32_t*>(index),
                       static_cast<std::byte*>(table)};
  switch (spec.op) {
    case Op::MScatter:
    case Op::MGather: return is_row(spec) ? move_rows(spec, sides) : move_elements(spec, sides);
    case Op::TScatter: return move_within_tiles(spec, sides);
    case Op::TScatterMask: return expand_mask(spec, sides);
    case Op::TGatherB: return move_by_bytes(spec, sides);
    case Op::CommTScatter: return split_among_ranks(spec, sides);
  }
}

}  // namespace pto::jit::bench

// S: what a careful programmer gets from a compiler when everything is known beforehand. The spec
// is a template argument, so shapes, policy and types are constants of each function.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "bench/families/cell.h"
#include "ir/half.h"

// Compiled once by each compiler and policy: names must not meet across them.
namespace pto::jit::bench {
namespace {

template <DType kType>
struct ElementOf {
  using Type =
      std::conditional_t<size_of(kType) == 4, std::uint32_t,
                         std::conditional_t<size_of(kType) == 2, std::uint16_t, std::uint8_t>>;
};
template <>
struct ElementOf<DType::F32> {
  using Type = float;
};
template <>
struct ElementOf<DType::F16> {
  using Type = _Float16;
};
template <>
struct ElementOf<DType::I16> {
  using Type = std::int16_t;
};
template <>
struct ElementOf<DType::I32> {
  using Type = std::int32_t;
};

template <DType kType>
using Element = typename ElementOf<kType>::Type;

template <DType kType>
inline Element<kType> add(Element<kType> t, Element<kType> v) {
  if constexpr (kType == DType::BF16) {
    return narrow_bf16(widen_bf16(t) + widen_bf16(v));
  } else if constexpr (kType == DType::F16) {
    return static_cast<_Float16>(static_cast<float>(t) + static_cast<float>(v));
  } else if constexpr (kType == DType::F32) {
    return t + v;
  } else {
    return static_cast<Element<kType>>(static_cast<std::uint32_t>(t) +
                                       static_cast<std::uint32_t>(v));
  }
}

template <KernelSpec kSpec>
inline auto combined(Element<kSpec.data.dtype> t, Element<kSpec.data.dtype> v) {
  if constexpr (kSpec.atomic == Atomic::Add) return add<kSpec.data.dtype>(t, v);
  if constexpr (kSpec.atomic == Atomic::Max) return t < v ? v : t;
  if constexpr (kSpec.atomic == Atomic::Min) return v < t ? v : t;
  if constexpr (kSpec.atomic == Atomic::None) return v;
}

template <KernelSpec kSpec>
constexpr std::uint32_t capacity_of() {
  const auto& shape = kSpec.table.shape;
  const int nz_rows = shape[2] * 16;
  if (kSpec.table.layout == TableLayout::Nz) {
    return static_cast<std::uint32_t>(is_row(kSpec) ? nz_rows : nz_rows * shape[1] * shape[4]);
  }
  if (is_row(kSpec)) return static_cast<std::uint32_t>(shape[3]);
  return static_cast<std::uint32_t>(shape[3] * shape[4]);
}

template <KernelSpec kSpec>
inline std::uint32_t slot_of(std::uint32_t index) {
  constexpr std::uint32_t kCapacity = capacity_of<kSpec>();
  if constexpr (kSpec.oob == Oob::Clamp) return index < kCapacity ? index : kCapacity - 1;
  if constexpr (kSpec.oob == Oob::Wrap) return index % kCapacity;
  return index;
}

template <KernelSpec kSpec>
inline bool is_outside(std::uint32_t index) {
  if constexpr (kSpec.oob != Oob::Skip && kSpec.oob != Oob::Zero) return false;
  return index >= capacity_of<kSpec>();
}

constexpr std::size_t place(const Tile& tile, int r, int c) {
  const auto rows = static_cast<std::size_t>(tile.rows);
  const auto cols = static_cast<std::size_t>(tile.cols);
  const auto row = static_cast<std::size_t>(r);
  const auto col = static_cast<std::size_t>(c);
  const auto c0 = static_cast<std::size_t>(block_elements(tile.dtype));
  if (tile.layout == TileLayout::ColMajor) return col * rows + row;
  if (tile.layout == TileLayout::Nz) return col / c0 * rows * c0 + row * c0 + col % c0;
  return row * cols + col;
}

// Where column `c` of slot `q` lies in the table.
template <KernelSpec kSpec>
inline std::size_t table_place(std::uint32_t slot, int c) {
  const auto col = static_cast<std::size_t>(c);
  if constexpr (kSpec.table.layout == TableLayout::Nz) {
    const auto c0 = static_cast<std::size_t>(kSpec.table.shape[4]);
    const auto column = static_cast<std::size_t>(kSpec.table.shape[2]) * 16 * c0;
    return col / c0 * column + slot * c0 + col % c0;
  } else {
    return slot * static_cast<std::size_t>(kSpec.table.shape[4]) + col;
  }
}

template <KernelSpec kSpec>
void move_rows(void* tile_memory, const void* index_memory, void* table_memory) {
  using T = Element<kSpec.data.dtype>;
  T* __restrict tile = static_cast<T*>(tile_memory);
  T* __restrict table = static_cast<T*>(table_memory);
  const auto* __restrict index = static_cast<const std::uint32_t*>(index_memory);
  for (int r = 0; r < kSpec.data.vr; ++r) {
    const std::uint32_t slot = slot_of<kSpec>(index[r]);
    if (is_outside<kSpec>(index[r])) {
      if constexpr (kSpec.oob == Oob::Zero) {
        for (int c = 0; c < kSpec.data.vc; ++c) tile[place(kSpec.data, r, c)] = 0;
      }
      continue;
    }
    for (int c = 0; c < kSpec.data.vc; ++c) {
      T& mine = tile[place(kSpec.data, r, c)];
      T& theirs = table[table_place<kSpec>(slot, c)];
      if constexpr (is_gather(kSpec)) mine = theirs;
      if constexpr (!is_gather(kSpec)) theirs = combined<kSpec>(theirs, mine);
    }
  }
}

// Rows in pieces that are contiguous on both sides can also be said as copies of known size. Which
// of the two a compiler does better depends on the width.
template <KernelSpec kSpec>
constexpr bool kHasCopies =
    is_row(kSpec) && kSpec.atomic == Atomic::None && kSpec.data.layout != TileLayout::ColMajor;

template <KernelSpec kSpec>
void copy_rows(void* tile_memory, const void* index_memory, void* table_memory) {
  constexpr bool kIsNz = kSpec.data.layout == TileLayout::Nz;
  constexpr std::size_t kSize = size_of(kSpec.data.dtype);
  constexpr std::size_t kPiece = kIsNz ? 32 : kSpec.data.vc * kSize;
  constexpr int kPieces = kIsNz ? kSpec.table.shape[1] : 1;
  constexpr std::size_t kTilePitch = kIsNz ? kPiece : kSpec.data.cols * kSize;
  constexpr std::size_t kTileColumn = kSpec.data.rows * kPiece;
  constexpr std::size_t kTableColumn = std::size_t{capacity_of<kSpec>()} * kPiece;
  auto* __restrict tile = static_cast<unsigned char*>(tile_memory);
  auto* __restrict table = static_cast<unsigned char*>(table_memory);
  const auto* __restrict index = static_cast<const std::uint32_t*>(index_memory);
  for (std::size_t r = 0; r < kSpec.data.vr; ++r) {
    const std::size_t slot = slot_of<kSpec>(index[r]);
    for (int piece = 0; piece < kPieces; ++piece) {
      unsigned char* mine = tile + r * kTilePitch + piece * kTileColumn;
      unsigned char* theirs = table + slot * kPiece + piece * kTableColumn;
      if (is_outside<kSpec>(index[r])) {
        if constexpr (kSpec.oob == Oob::Zero) std::memset(mine, 0, kPiece);
      } else if constexpr (is_gather(kSpec)) {
        std::memcpy(mine, theirs, kPiece);
      } else {
        std::memcpy(theirs, mine, kPiece);
      }
    }
  }
}

// Where element `slot` of a table lies, counted row by row.
template <KernelSpec kSpec>
inline std::size_t element_place(std::uint32_t slot) {
  if constexpr (kSpec.table.layout == TableLayout::Nd) return slot;
  constexpr auto kCols = static_cast<std::uint32_t>(kSpec.table.shape[1] * kSpec.table.shape[4]);
  return table_place<kSpec>(slot / kCols, static_cast<int>(slot % kCols));
}

// Elements of tiles that are not laid out alike. Blocks of columns come first where the target
// walks them so.
template <KernelSpec kSpec>
void move_placed_elements(void* tile_memory, const void* index_memory, void* table_memory) {
  using T = Element<kSpec.data.dtype>;
  T* __restrict tile = static_cast<T*>(tile_memory);
  T* __restrict table = static_cast<T*>(table_memory);
  const auto* __restrict index = static_cast<const std::uint32_t*>(index_memory);
  constexpr int kBlock =
      kSpec.data.layout == TileLayout::Nz ? block_elements(kSpec.data.dtype) : kSpec.data.vc;
  for (int block = 0; block < kSpec.data.vc; block += kBlock) {
    for (int r = 0; r < kSpec.data.vr; ++r) {
      for (int c = block; c < block + kBlock; ++c) {
        const std::uint32_t raw = index[place(kSpec.index, r, c)];
        T& mine = tile[place(kSpec.data, r, c)];
        T& theirs = table[element_place<kSpec>(slot_of<kSpec>(raw))];
        if constexpr (is_gather(kSpec)) mine = theirs;
        if constexpr (!is_gather(kSpec)) theirs = combined<kSpec>(theirs, mine);
      }
    }
  }
}

template <KernelSpec kSpec>
constexpr bool kIsPlaced =
    kSpec.data.layout != TileLayout::RowMajor || kSpec.index.layout != TileLayout::RowMajor;

template <KernelSpec kSpec>
void move_elements(void* tile_memory, const void* index_memory, void* table_memory) {
  using T = Element<kSpec.data.dtype>;
  T* __restrict tile = static_cast<T*>(tile_memory);
  T* __restrict table = static_cast<T*>(table_memory);
  const auto* __restrict index = static_cast<const std::uint32_t*>(index_memory);
  constexpr int kCount = kSpec.data.vr * kSpec.data.vc;
  for (int i = 0; i < kCount; ++i) {
    const std::uint32_t slot = slot_of<kSpec>(index[i]);
    if constexpr (is_gather(kSpec)) {
      tile[i] = is_outside<kSpec>(index[i]) ? T(0) : table[slot];
    } else {
      if (!is_outside<kSpec>(index[i])) table[slot] = combined<kSpec>(table[slot], tile[i]);
    }
  }
}

// Without branches: what is out of range goes to spare memory, or comes from a row of zeros.
template <KernelSpec kSpec>
constexpr bool kHasSpares = (kSpec.op == Op::MScatter || kSpec.op == Op::MGather) &&
                            kSpec.oob == (is_gather(kSpec) ? Oob::Zero : Oob::Skip) &&
                            (!is_row(kSpec) || kSpec.atomic == Atomic::None) && !kIsPlaced<kSpec>;

template <KernelSpec kSpec>
void move_elements_with_spares(void* tile_memory, const void* index_memory, void* table_memory) {
  using T = Element<kSpec.data.dtype>;
  constexpr int kSpares = 8;
  T spares[kSpares] = {};
  T* __restrict tile = static_cast<T*>(tile_memory);
  T* table = static_cast<T*>(table_memory);
  const auto* __restrict index = static_cast<const std::uint32_t*>(index_memory);
  for (int i = 0; i < kSpec.data.vr * kSpec.data.vc; ++i) {
    T* theirs = is_outside<kSpec>(index[i]) ? spares + i % kSpares : table + index[i];
    if constexpr (is_gather(kSpec)) tile[i] = *theirs;
    if constexpr (!is_gather(kSpec)) *theirs = combined<kSpec>(*theirs, tile[i]);
  }
}

template <KernelSpec kSpec>
void move_rows_with_spares(void* tile_memory, const void* index_memory, void* table_memory) {
  constexpr auto kBytes = static_cast<std::size_t>(kSpec.data.vc) * size_of(kSpec.data.dtype);
  constexpr auto kPitch = static_cast<std::size_t>(kSpec.data.cols) * size_of(kSpec.data.dtype);
  unsigned char spare[kBytes] = {};
  auto* __restrict tile = static_cast<unsigned char*>(tile_memory);
  auto* table = static_cast<unsigned char*>(table_memory);
  const auto* __restrict index = static_cast<const std::uint32_t*>(index_memory);
  for (std::size_t r = 0; r < static_cast<std::size_t>(kSpec.data.vr); ++r) {
    unsigned char* theirs = is_outside<kSpec>(index[r]) ? spare : table + index[r] * kBytes;
    if constexpr (is_gather(kSpec)) std::memcpy(tile + r * kPitch, theirs, kBytes);
    if constexpr (!is_gather(kSpec)) std::memcpy(theirs, tile + r * kPitch, kBytes);
  }
}

template <KernelSpec kSpec>
constexpr auto move_with_spares() {
  if constexpr (is_row(kSpec)) return &move_rows_with_spares<kSpec>;
  if constexpr (!is_row(kSpec)) return &move_elements_with_spares<kSpec>;
}

template <KernelSpec kSpec>
void move_by_bytes(void* tile_memory, const void* offsets, void* store) {
  constexpr bool kIsBlock = kSpec.unit == Unit::Block;
  constexpr std::size_t kBytes = kIsBlock ? 32 : size_of(kSpec.data.dtype);
  auto* __restrict to = static_cast<unsigned char*>(tile_memory);
  const auto* __restrict from = static_cast<const unsigned char*>(store);
  const auto* __restrict offset = static_cast<const std::uint32_t*>(offsets);
  for (int i = 0; i < kSpec.index.vr * kSpec.index.vc; ++i) {
    std::memcpy(to + static_cast<std::size_t>(i) * kBytes, from + offset[i], kBytes);
  }
}

template <KernelSpec kSpec>
void move_within_tiles(void* tile_memory, const void* index_memory, void* store_memory) {
  using T = Element<kSpec.data.dtype>;
  using I = std::conditional_t<size_of(kSpec.index.dtype) == 4, std::uint32_t, std::uint16_t>;
  const T* __restrict tile = static_cast<const T*>(tile_memory);
  T* __restrict store = static_cast<T*>(store_memory);
  const auto* __restrict index = static_cast<const I*>(index_memory);
  std::memset(store_memory, 0, sizeof(T) * kSpec.store.rows * kSpec.store.cols);
  for (int i = 0; i < kSpec.data.vr * kSpec.data.vc; ++i) store[index[i]] = tile[i];
}

template <KernelSpec kSpec>
void expand_mask(void* tile_memory, const void*, void* store_memory) {
  using T = Element<kSpec.data.dtype>;
  constexpr MaskShape kShape = shape_of(kSpec.mask);
  const T* __restrict tile = static_cast<const T*>(tile_memory);
  T* __restrict store = static_cast<T*>(store_memory);
  for (int i = 0; i < kSpec.data.vr * kSpec.data.vc; ++i) {
    for (int lane = 0; lane < kShape.factor; ++lane) {
      store[i * kShape.factor + lane] = lane == kShape.position ? tile[i] : T(0);
    }
  }
}

// The operation as its definition reads: everything cleared, then each element put in its place.
template <KernelSpec kSpec>
void fill_and_place(void* tile_memory, const void*, void* store_memory) {
  using T = Element<kSpec.data.dtype>;
  constexpr MaskShape kShape = shape_of(kSpec.mask);
  const T* __restrict tile = static_cast<const T*>(tile_memory);
  T* __restrict store = static_cast<T*>(store_memory);
  std::memset(store_memory, 0, sizeof(T) * kSpec.store.rows * kSpec.store.cols);
  for (int i = 0; i < kSpec.data.vr * kSpec.data.vc; ++i) {
    store[i * kShape.factor + kShape.position] = tile[i];
  }
}

// The table is the list of destinations.
template <KernelSpec kSpec>
void split_among_ranks(void* source, const void*, void* ranks) {
  constexpr int kSlice = kSpec.peer.shape[3] * kSpec.peer.shape[4];
  const float* __restrict from = static_cast<const float*>(source);
  for (int rank = 0; rank < kSpec.ranks; ++rank) {
    float* __restrict to = static_cast<float**>(ranks)[rank];
    for (int i = 0; i < kSlice; ++i) to[i] = from[rank * kSlice + i];
  }
}

template <KernelSpec kSpec>
constexpr auto static_move_of() {
  if constexpr (kSpec.op == Op::TGatherB) return &move_by_bytes<kSpec>;
  if constexpr (kSpec.op == Op::TScatter) return &move_within_tiles<kSpec>;
  if constexpr (kSpec.op == Op::TScatterMask) return &expand_mask<kSpec>;
  if constexpr (kSpec.op == Op::CommTScatter) return &split_among_ranks<kSpec>;
  if constexpr (is_row(kSpec)) return &move_rows<kSpec>;
  if constexpr (kSpec.op <= Op::MGather && kSpec.coalesce == Coalesce::Elem) {
    if constexpr (kIsPlaced<kSpec>) return &move_placed_elements<kSpec>;
    if constexpr (!kIsPlaced<kSpec>) return &move_elements<kSpec>;
  }
}

}  // namespace
}  // namespace pto::jit::bench

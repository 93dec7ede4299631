// TSCATTER by index and by mask, and TGATHERB: from tile to tile. TSCATTER runs on the scalar pipe
// of A2/A3 and on the vector pipe of A5, TGATHERB on the vector pipe of both.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

#include "pto/emulation/events.hpp"
#include "pto/emulation/execution.hpp"
#include "pto/emulation/policies.hpp"
#include "pto/emulation/scatter_rules.hpp"
#include "pto/emulation/slots.hpp"
#include "pto/emulation/tile.hpp"

namespace pto {
namespace emulation {

inline pipe_t scatter_pipe(Device device) { return device == Device::A5 ? PIPE_V : PIPE_S; }

// An index is an offset into the destination's storage, padding included, all of which devices
// clear first. The last of several writers wins.
inline void scatter_to_tile(Execution& run, const TileView& dst, const TileView& src,
                            const TileView& index) {
  check_apart(run, "TSCATTER", dst, src);
  check_apart(run, "TSCATTER", dst, index);
  if (!have_same_valid_shape(src, index)) {
    run.report(ReportKind::Extent, "TSCATTER: source and index tile have the same valid shape");
  }
  const OperationId now = run.operations().begin("TSCATTER", scatter_pipe(run.device()));
  const bool clears = run.device() != Device::Simulator;
  if (clears) run.clear(now, stored_at(dst, 0), dst.type.bytes());
  walk(src, [&](std::int64_t row, std::int64_t col) {
    const std::uint32_t offset = index_at(run, now, index, row, col);
    run.store(now, stored_at(dst, offset), dst.type.element,
              run.load(now, element_of(src, row, col), src.type.element));
  });
}

struct MaskLanes {
  std::int64_t factor = 1;
  std::int64_t position = 0;
};

constexpr MaskLanes lanes_of(MaskPattern pattern) {
  switch (pattern) {
    case MaskPattern::P1111: return {1, 0};
    case MaskPattern::P0101: return {2, 0};
    case MaskPattern::P1010: return {2, 1};
    case MaskPattern::P0001: return {4, 0};
    case MaskPattern::P0010: return {4, 1};
    case MaskPattern::P0100: return {4, 2};
    case MaskPattern::P1000: return {4, 3};
  }
  return {};
}

// All lanes make a plain move, which clears nothing; the others clear the whole destination.
inline void scatter_by_mask(Execution& run, const TileView& dst, const TileView& src,
                            const MaskLanes& lanes) {
  check_apart(run, "TSCATTER", dst, src);
  if (src.valid_rows != dst.valid_rows || dst.valid_cols != lanes.factor * src.valid_cols) {
    run.report(ReportKind::Extent, "TSCATTER: the destination has the source's valid rows and " +
                                       std::to_string(lanes.factor) + " times its columns");
  }
  const OperationId now = run.operations().begin("TSCATTER", scatter_pipe(run.device()));
  if (lanes.factor != 1) run.clear(now, stored_at(dst, 0), dst.type.bytes());
  walk(src, [&](std::int64_t row, std::int64_t col) {
    run.store(now, element_of(dst, row, lanes.factor * col + lanes.position), dst.type.element,
              run.load(now, element_of(src, row, col), src.type.element));
  });
}

struct BlockGather {
  TileView dst;
  TileView src;
  TileView offset;
};

// One repeat of A2/A3: eight offsets, one after the other, and the eight blocks they name.
inline void gather_repeat(Execution& run, OperationId now, const BlockGather& gather,
                          Place first_offset, Place to) {
  for (std::uint64_t block = 0; block < kRepeatBlocks; ++block) {
    const Place at = {Space::Ub, first_offset.at + block * sizeof(std::uint32_t)};
    const std::int64_t bytes = run.load(now, at, Element::U32);
    run.copy(now, in_ub(gather.src.at + bytes), {Space::Ub, to.at + block * kBlockBytes},
             kBlockBytes);
  }
}

// A2/A3 gathers 256 bytes at a time. What is left of the rows takes one more repeat a row: those
// follow one another in the offset tile whatever its pitch, beginning anew every 255 rows, and
// each writes all of its 256 bytes.
inline void gather_by_repeats(Execution& run, OperationId now, const BlockGather& gather) {
  constexpr std::int64_t kRowsAtATime = 255;
  const TileView& dst = gather.dst;
  const std::int64_t width = kRepeatBlocks * block_elements(dst.type.element);
  const std::int64_t whole = dst.valid_cols / width;
  for (std::int64_t row = 0; row < dst.valid_rows; ++row) {
    for (std::int64_t k = 0; k < whole; ++k) {
      gather_repeat(run, now, gather, element_of(gather.offset, row, k * kRepeatBlocks),
                    element_of(dst, row, k * width));
    }
  }
  if (dst.valid_cols % width == 0) return;
  for (std::int64_t row = 0; row < dst.valid_rows; ++row) {
    const std::int64_t in_call = row % kRowsAtATime;
    gather_repeat(run, now, gather,
                  element_of(gather.offset, row - in_call, (whole + in_call) * kRepeatBlocks),
                  element_of(dst, row, whole * width));
  }
}

// One offset, in bytes, for each 32-byte block of the destination's rows.
inline void gather_blocks(Execution& run, const TileView& dst, const TileView& src,
                          const TileView& offset) {
  check_apart(run, "TGATHERB", dst, src);
  check_apart(run, "TGATHERB", dst, offset);
  const std::int64_t width = block_elements(dst.type.element);
  if (dst.valid_cols % width != 0 || offset.valid_rows != dst.valid_rows ||
      offset.valid_cols != dst.valid_cols / width) {
    run.report(ReportKind::Extent,
               "TGATHERB: one offset for each 32-byte block of the valid region");
  }
  const OperationId now = run.operations().begin("TGATHERB", PIPE_V);
  if (run.device() == Device::A2A3) return gather_by_repeats(run, now, {dst, src, offset});
  const bool clamps = run.device() == Device::Simulator;
  const std::int64_t last =
      clamps ? src.type.bytes() - kBlockBytes : std::numeric_limits<std::uint32_t>::max();
  for (std::int64_t row = 0; row < dst.valid_rows; ++row) {
    for (std::int64_t block = 0; block < dst.valid_cols / width; ++block) {
      const std::int64_t bytes =
          std::min<std::int64_t>(index_at(run, now, offset, row, block), last);
      run.copy(now, in_ub(src.at + bytes), element_of(dst, row, block * width), kBlockBytes);
    }
  }
}

}  // namespace emulation

inline namespace PTO_EMULATION_TARGET {

template <typename Dst, typename Src>
constexpr void check_tile_types() {
  static_assert(std::is_same_v<typename Dst::DType, typename Src::DType>,
                "source and destination have one element type");
  static_assert(!emulation::is_float8(emulation::kElementOf<typename Dst::DType>),
                "tile to tile there are no 8-bit floats");
  static_assert(Dst::isRowMajor, "the destination is row-major");
}

template <typename TileDataD, typename TileDataS, typename TileDataI, typename... WaitEvents,
          std::enable_if_t<std::is_integral_v<typename TileDataI::DType>, int> = 0>
RecordEvent TSCATTER(TileDataD& dst, TileDataS& src, TileDataI& indexes, WaitEvents&... events) {
  check_tile_types<TileDataD, TileDataS>();
  static_assert(TileDataS::isRowMajor && TileDataI::isRowMajor,
                "source and index tile are row-major");
  static_assert(
      kTarget == emulation::Device::Simulator ||
          sizeof(typename TileDataI::DType) == (sizeof(typename TileDataD::DType) == 4 ? 4 : 2),
      "4-byte elements take 4-byte indices, smaller ones 2-byte indices");
  wait_for(events...);
  emulation::scatter_to_tile(emulation::execution(), dst.view(), src.view(), indexes.view());
  return {};
}

#if defined(REGISTER_BASE)
template <MaskPattern maskPattern = MaskPattern::P1111, typename DstTileData, typename SrcTileData,
          typename... WaitEvents>
RecordEvent TSCATTER(DstTileData& dst, SrcTileData& src, WaitEvents&... events) {
  check_tile_types<DstTileData, SrcTileData>();
  static_assert(SrcTileData::isRowMajor, "the source is row-major");
  wait_for(events...);
  emulation::scatter_by_mask(emulation::execution(), dst.view(), src.view(),
                             emulation::lanes_of(maskPattern));
  return {};
}
#endif

template <typename TileDataDst, typename TileDataSrc, typename TileDataOffset,
          typename... WaitEvents>
RecordEvent TGATHERB(TileDataDst& dst, TileDataSrc& src, TileDataOffset& offset,
                     WaitEvents&... events) {
  check_tile_types<TileDataDst, TileDataSrc>();
  static_assert(std::is_same_v<typename TileDataOffset::DType, std::uint32_t>,
                "offsets are uint32_t");
  static_assert(TileDataOffset::isRowMajor, "the offset tile is row-major");
  wait_for(events...);
  emulation::gather_blocks(emulation::execution(), dst.view(), src.view(), offset.view());
  return {};
}

}  // namespace PTO_EMULATION_TARGET
}  // namespace pto

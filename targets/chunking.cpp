#include "targets/chunking.h"

#include <algorithm>

#include "ir/operands.h"
#include "ir/quantity.h"

namespace pto::jit {
namespace {

std::int64_t burst_bytes(std::int64_t rows, std::int64_t cols, DType dtype) {
  const std::int64_t elements = saturating_product(rows, cols);
  const std::int64_t bytes = saturating_product(elements, size_of(dtype));
  return bytes > kHuge - kBlockBytes ? kHuge : round_up(bytes, kBlockBytes);
}

std::int64_t most(std::int32_t valid, std::int32_t padded) {
  return valid == kRuntime ? padded : valid;
}

// One way of cutting: extents come in multiples of `grain`, `bytes(n)` is what n of them take.
struct Cut {
  ChunkAxis axis;
  std::int64_t grain;
  std::int64_t limit;  // at most so many in one call
  std::int64_t total;  // so many are there to be done
};

template <class Bytes>
std::optional<Chunking> cut(const Cut& way, std::int64_t budget, Bytes&& bytes) {
  std::int64_t low = 0;
  std::int64_t high = std::max<std::int64_t>(way.limit / way.grain, 0);
  while (low < high) {  // the largest count of grains that fits
    const std::int64_t middle = low + (high - low + 1) / 2;
    if (bytes(middle * way.grain) <= budget) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  if (low == 0) return std::nullopt;
  const std::int64_t step = low * way.grain;
  const std::int64_t chunks = (way.total + step - 1) / step;
  return Chunking{way.axis, step, std::max<std::int64_t>(chunks, 1), bytes(step)};
}

std::int64_t row_grain(const KernelSpec& spec) {
  std::int64_t grain = spec.data.layout == TileLayout::Nz ? kNzBlockRows : 1;
  if (spec.data.layout == TileLayout::ColMajor) grain = block_elements(spec.data.dtype);
  const bool tall_index =
      spec.coalesce == Coalesce::Elem && spec.index.layout == TileLayout::ColMajor;
  return tall_index ? std::max<std::int64_t>(grain, block_elements(spec.index.dtype)) : grain;
}

std::optional<Chunking> cut_rows(const KernelSpec& spec, const Budget& budget) {
  if (spec.data.rows <= 1) return std::nullopt;
  const bool row_form = spec.coalesce == Coalesce::Row;
  const std::int64_t most_rows = budget.load_rows > 0 ? budget.load_rows : spec.data.rows;
  const Cut way{ChunkAxis::Rows, row_grain(spec),
                std::min<std::int64_t>(most_rows, round_up(spec.data.rows, row_grain(spec))),
                most(spec.data.vr, spec.data.rows)};
  return cut(way, budget.tile_bytes, [&](std::int64_t rows) {
    const std::int64_t data = burst_bytes(rows, spec.data.cols, spec.data.dtype);
    const std::int64_t index_cols = row_form ? 1 : spec.index.cols;
    return saturating_sum(data, burst_bytes(rows, index_cols, spec.index.dtype));
  });
}

std::optional<Chunking> cut_columns(const KernelSpec& spec, const Budget& budget) {
  if (spec.coalesce == Coalesce::Row) return std::nullopt;
  const std::int64_t grain =
      std::max(block_elements(spec.data.dtype), block_elements(spec.index.dtype));
  const Cut way{ChunkAxis::Columns, grain, spec.data.cols, most(spec.data.vc, spec.data.cols)};
  return cut(way, budget.tile_bytes, [&](std::int64_t cols) {
    return saturating_sum(burst_bytes(1, cols, spec.data.dtype),
                          burst_bytes(1, cols, spec.index.dtype));
  });
}

std::optional<Chunking> cut_block_columns(const KernelSpec& spec, const Budget& budget) {
  const std::int64_t width = block_elements(spec.data.dtype);
  const Cut way{ChunkAxis::BlockColumns, 1, spec.data.cols / width,
                (most(spec.data.vc, spec.data.cols) + width - 1) / width};
  return cut(way, budget.tile_bytes, [&](std::int64_t blocks) {
    const std::int64_t cols = blocks * width;
    return saturating_sum(burst_bytes(spec.data.rows, cols, spec.data.dtype),
                          burst_bytes(spec.index.rows, cols, spec.index.dtype));
  });
}

bool fits_one_load(const KernelSpec& spec, const Budget& budget) {
  return budget.load_rows == 0 || most(spec.data.vr, spec.data.rows) <= budget.load_rows;
}

}  // namespace

std::int64_t footprint(const KernelSpec& spec) {
  std::int64_t bytes = 0;
  for (const Operand& operand : operands_of(spec.op)) {
    if (!is_tile(operand.role)) continue;
    const Tile& tile = tile_of(spec, operand.role);
    bytes = saturating_sum(bytes, burst_bytes(tile.rows, tile.cols, tile.dtype));
  }
  return spec.staging == Staging::PingPong ? saturating_product(bytes, 2) : bytes;
}

std::optional<Chunking> chunking_of(const KernelSpec& spec, const Profile& profile) {
  const Budget& budget = profile.budget;
  const std::int64_t bytes = footprint(spec);
  const bool is_memory_op = family_of(spec.op) == Family::Memory;
  const bool fits = budget.tile_bytes == 0 || bytes <= budget.tile_bytes;
  if (fits && (!is_memory_op || fits_one_load(spec, budget)))
    return Chunking{ChunkAxis::Whole, 0, 1, bytes};
  if (!is_memory_op) return std::nullopt;
  if (spec.data.layout == TileLayout::Nz && spec.coalesce == Coalesce::Elem)
    return cut_block_columns(spec, budget);
  return spec.data.rows == 1 ? cut_columns(spec, budget) : cut_rows(spec, budget);
}

std::string describe(const Chunking& chunking) {
  constexpr std::array<std::string_view, 4> kWhat = {"tiles", "rows", "columns", "block columns"};
  const std::string_view calls = chunking.chunks == 1 ? " call of up to " : " calls of up to ";
  return std::to_string(chunking.chunks) + std::string(calls) + std::to_string(chunking.step) +
         " " + std::string(kWhat[static_cast<std::size_t>(chunking.axis)]);
}

}  // namespace pto::jit

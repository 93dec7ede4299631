#include "jit/doors/python/wide_indices.h"

#include <cstring>
#include <vector>

#include "jit/calls/index_place.h"
#include "jit/doors/python/failure.h"

namespace pto::jit::python {
namespace {

std::uint64_t index_in(const IndexRun& run, std::int64_t at) {
  std::uint64_t out = 0;
  std::memcpy(&out, static_cast<const std::byte*>(run.first) + at * run.size,
              static_cast<std::size_t>(run.size));
  return out;
}

std::string number_text(std::uint64_t raw, std::int64_t size, NumberKind kind) {
  if (kind != NumberKind::Signed) return std::to_string(raw);
  return std::to_string(size == 4 ? static_cast<std::int32_t>(raw)
                                  : static_cast<std::int64_t>(raw));
}

// `bits` of the indices wanted.
IndexRange range_of(NumberKind kind, std::int64_t bits) {
  const std::uint64_t unsigned_limit = std::uint64_t{1} << bits;
  const bool is_signed = kind == NumberKind::Signed;
  const std::uint64_t negatives = is_signed ? unsigned_limit / 2 : 0;
  return {.limit = unsigned_limit + negatives, .bias = negatives};
}

}  // namespace

IndexRange range_of_words(NumberKind kind) { return range_of(kind, 32); }

void fail_at_first(const IndexRun& run, NumberKind kind, IndexRange range, std::string_view name,
                   std::string_view what) {
  std::int64_t first = -1;
  std::int64_t outside = 0;
  for (std::int64_t i = 0; i < run.count; ++i) {
    if (is_inside(index_in(run, i), range)) continue;
    if (outside++ == 0) first = i;
  }
  if (first < 0) fail("index.range", std::string(name) + " changed while it was looked through");
  const std::string number = number_text(index_in(run, first), run.size, kind);
  fail("index.range", std::string(name) + " at position " + std::to_string(first) + " is " +
                          number + std::string(what) + others_text(outside - 1));
}

Array narrowed(const Array& wide, const Tile& tile, std::string_view name) {
  if (wide.dims > 2)
    fail("call.shape", std::string(name) + " has " + std::to_string(wide.dims) + " dimensions");
  if (!wide.is_packed())
    fail("call.strides", std::string(name) + " is not contiguous; " + packed_advice(false));
  expect_aligned(wide, name);
  const std::int64_t size = size_of(tile.dtype);
  const IndexRun all{wide.data, wide.count(), 8};
  const IndexRange range = range_of(wide.element.kind, 8 * size);
  if (!all_inside(all, range))
    fail_at_first(all, wide.element.kind, range, name,
                  ", which " + std::to_string(8 * size) + " bits do not hold");
  const bool is_flat = wide.dims < 2;
  const bool by_columns = tile.layout == TileLayout::ColMajor;
  const std::int64_t rows = is_flat ? 1 : wide.extents[0];
  const std::int64_t cols = is_flat ? all.count : wide.extents[1];
  const std::int64_t row_step = is_flat ? 0 : by_columns ? size : tile.cols * size;
  const std::int64_t col_step = !is_flat && by_columns ? tile.rows * size : size;
  const std::int64_t bytes = all.count ? (rows - 1) * row_step + (cols - 1) * col_step + size : 0;
  const auto made = std::make_shared<std::vector<std::byte>>(static_cast<std::size_t>(bytes));
  for (std::int64_t r = 0; r < rows && all.count > 0; ++r) {
    for (std::int64_t c = 0; c < cols; ++c) {
      const std::uint64_t index = index_in(all, r * cols + c);
      std::memcpy(made->data() + r * row_step + c * col_step, &index,
                  static_cast<std::size_t>(size));
    }
  }
  Array out = wide;
  out.data = made->data();
  out.element = element_of(tile.dtype);
  out.owner = made;
  if (is_flat) out.steps[0] = size;
  if (!is_flat) out.steps = {row_step, col_step};
  return out;
}

}  // namespace pto::jit::python

// What the grid is put together from. Base specs have no '?'; which of their dimensions are left to
// run time, and how some of them are broken, is decided afterwards.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "ir/operands.h"
#include "ir/spec.h"
#include "tests/support/deck.h"

namespace pto::jit::tests {

using VisitBase = std::function<void(const KernelSpec& base)>;

void for_each_memory_base(const VisitBase& visit);  // mscatter, mgather
void for_each_tile_base(const VisitBase& visit);    // tscatter, both forms, and tgatherb
void for_each_group_base(const VisitBase& visit);   // comm.tscatter

// A valid region, in elements and 32-byte blocks of its dtype, and how much larger its tile is.
struct ValidShape {
  std::int32_t rows;
  std::int32_t col_blocks;
  std::int32_t cols;
  std::int32_t spare_rows;
  std::int32_t spare_blocks;

  std::int32_t vc(DType dtype) const { return col_blocks * block_elements(dtype) + cols; }
};

// Extents 1, below, at and above a block and a group of lanes, a prime, full and padded tiles.
std::span<const ValidShape> valid_shapes();

// What a tile looks like around its valid region.
struct TileForm {
  DType dtype;
  TileLayout layout = TileLayout::RowMajor;
  std::int32_t spare_rows = 0;
  std::int32_t spare_blocks = 0;
  bool whole_bursts = true;  // pad the contiguous side to 32 bytes
};
Tile tile_around(std::int32_t vr, std::int32_t vc, const TileForm& form);

// Changes a spec, most often so that it breaks a rule; false when it does not apply.
using Breaker = bool (*)(KernelSpec& spec, Random& random);
std::span<const Breaker> breakers();

// A set of dimensions, as bits by Dim.
struct RuntimeSet {
  std::string_view name;
  std::uint32_t dims;
};
std::span<const RuntimeSet> runtime_sets(Op op);

// The spec with those of its dimensions left to run time.
KernelSpec opened(const KernelSpec& base, const RuntimeSet& set);

// The strides of a table as numbers, also when it is packed.
std::array<std::int64_t, 5> strides_of(const Table& table);

}  // namespace pto::jit::tests

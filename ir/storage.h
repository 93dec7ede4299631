// How many bytes each operand of a bound spec occupies.
#pragma once

#include <cstdint>

#include "ir/frame.h"
#include "ir/plan.h"
#include "ir/spec.h"

namespace pto::jit {

// Tiles: the whole padded storage. Tables: up to the last element that shape and strides name, and
// never less than in-range slots of the plan can reach. `frame` holds the bound extents.
std::int64_t storage_bytes(const KernelSpec& bound, Role role, const KernelPlan& plan,
                           const Frame& frame);

// Where an element of a tile's storage lies in it.
struct TilePoint {
  std::int64_t row = 0;
  std::int64_t col = 0;
};
TilePoint point_in(const Tile& tile, std::int64_t element);

// How many of them have to be there: of a tile those up to the last that a kernel of the plan
// touches, of a table all.
std::int64_t touched_bytes(const KernelSpec& bound, Role role, const KernelPlan& plan,
                           const Frame& frame);

// What an audited kernel needs of Frame::scratch: a hash table of slots, twice as large as there
// are indices. 8-byte aligned; 0 when the plan needs none.
std::int64_t scratch_bytes(const KernelPlan& plan, const Frame& frame);

}  // namespace pto::jit

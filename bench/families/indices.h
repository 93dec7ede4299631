// Indices made to order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bench/families/cell.h"

namespace pto::jit::bench {

struct IndexWish {
  Indices kind;
  std::size_t count;
  std::uint32_t capacity;
  std::uint32_t seed;
};

std::vector<std::uint32_t> make_indices(const IndexWish& wish);

}  // namespace pto::jit::bench

// Indices made to order, tile after tile: the laws of `ptojit bench --indices`, and those that
// leave the range.
#pragma once

#include <cstdint>
#include <random>

#include "bench/families/cell.h"
#include "jit/tools/bench/index_stream.h"

namespace pto::jit::bench {

class CellIndices {
 public:
  CellIndices(Indices kind, std::uint64_t per_tile, std::uint32_t capacity);

  std::uint32_t next();

 private:
  Indices kind_;
  std::uint64_t per_tile_;
  std::uint32_t capacity_;
  cli::IndexStream within_;
  std::minstd_rand random_;
  std::uint64_t count_ = 0;
};

}  // namespace pto::jit::bench

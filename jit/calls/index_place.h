// An index and where it stands: its coordinates in the index tile, and its position, which counts
// the tile's valid region row by row, as audits do.
#pragma once

#include <cstdint>
#include <string>

#include "ir/frame.h"
#include "ir/spec.h"

namespace pto::jit {

struct IndexPlace {
  std::int64_t position = 0;
  std::int64_t row = 0;
  std::int64_t col = 0;
  std::uint32_t raw = 0;
};

IndexPlace index_at(const KernelSpec& bound, const Frame& frame, std::int64_t position);

// "row 0, column 6 (position 6)"
std::string place_text(const IndexPlace& place);

// "idx at row 0, column 6 (position 6) is 4294967295 (-1, read as unsigned)"
std::string describe(const KernelSpec& bound, const IndexPlace& place);

// "; 2 more indices are out of range", to follow a message about the first; nothing for none.
std::string others_text(std::int64_t count);

}  // namespace pto::jit

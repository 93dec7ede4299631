// A spec from any bytes, set member by member as a program would set it: every value that C++ can
// write, whether it exists or not.
#pragma once

#include <cstdint>
#include <span>

#include "ir/spec.h"

namespace pto::jit::tests {

// Calls `visit` with each member that is a number.
template <class Visit>
void for_each_number(KernelSpec& spec, Visit&& visit) {
  visit(spec.ranks);
  visit(spec.root);
  for (Tile* tile : {&spec.data, &spec.index, &spec.store}) {
    for (std::int32_t* side : {&tile->rows, &tile->cols, &tile->vr, &tile->vc}) visit(*side);
  }
  for (Table* table : {&spec.table, &spec.peer}) {
    for (std::int32_t& extent : table->shape) visit(extent);
    for (std::int64_t& stride : table->strides) visit(stride);
  }
}

// One byte for each choice (`for_each_choice`), then the numbers, little-endian; where the bytes
// end zeros follow.
KernelSpec raw_spec(std::span<const std::uint8_t> bytes);

}  // namespace pto::jit::tests

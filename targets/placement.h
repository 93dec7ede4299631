// Where the tiles of a kernel lie in local memory: one after the other in the order of the
// operands, each beginning at a multiple of 32 bytes.
#pragma once

#include <cstdint>

#include "ir/operands.h"
#include "ir/spec.h"

namespace pto::jit {

// By offsets the text states, or wherever the device's compiler puts them.
enum class Placement : std::uint8_t { Manual, Auto };

// The byte a tile begins at when the kernel is done in one part.
std::int64_t tile_offset(const KernelSpec& spec, Role role);

}  // namespace pto::jit

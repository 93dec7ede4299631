// How pieces whose rows lie apart are put: packed by a kernel first, or by the carrier from where
// they lie. Which is faster depends on the rows and on the way between the ranks, so that it is
// measured unless one is asked for.
#pragma once

#include <cstdint>

namespace pto::jit {

enum class Sending : std::uint8_t { Measured, Packed, InPlace };

}  // namespace pto::jit

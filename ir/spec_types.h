// Reading the type of one operand: "f32[8x32|3x17]:cm", "bf16[?x?@40x1]:nz".
#pragma once

#include <cstdint>
#include <limits>

#include "ir/diagnostic.h"
#include "ir/spec.h"
#include "ir/spec_token.h"

namespace pto::jit {

inline constexpr std::int64_t kMaxExtent = std::numeric_limits<std::int32_t>::max();

// False after noting the one error in `problem`.
bool parse_tile(const Token& value, Tile& tile, Diagnostic& problem);
bool parse_table(const Token& value, Table& table, Diagnostic& problem);

}  // namespace pto::jit

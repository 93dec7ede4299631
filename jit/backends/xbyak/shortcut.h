// Code that compares a frame with one binding and goes to its kernel, or elsewhere.
#pragma once

#include <cstddef>
#include <vector>

#include "runtime/bindings/shortcut.h"

namespace pto::jit::xbyak {

// Nothing where a value is too large to be compared with as it stands in an instruction.
std::vector<std::byte> assemble(const Shortcut& shortcut);

}  // namespace pto::jit::xbyak

// Generated code as a person reads it. Everything is told as an offset from the kernel's start, so
// that the text does not depend on where the code lives.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace pto::jit {

// Where instructions end and constants begin: behind the first return that no branch leads past.
// Elsewhere than on x86-64 constants are kept apart from code.
std::size_t end_of_instructions(std::span<const std::byte> code);

// One instruction a line behind its offset. On x86-64 in Intel syntax, constants as `dd` and `db`;
// elsewhere as LLVM writes it.
std::string disassemble(std::span<const std::byte> code);

}  // namespace pto::jit

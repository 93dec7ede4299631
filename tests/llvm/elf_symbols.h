// What an object file holds: the symbols it needs from elsewhere, its instructions.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace pto::jit::tests {

// Of a little-endian ELF64 relocatable file; aborts on anything else.
std::vector<std::string> undefined_symbols(std::span<const std::byte> object);

// The contents of its section ".text".
std::span<const std::byte> instructions_of(std::span<const std::byte> object);

// The e_machine field.
int machine_of(std::span<const std::byte> object);

}  // namespace pto::jit::tests

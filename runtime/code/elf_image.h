// The smallest object file a debugger accepts: one function symbol over code that is already in
// memory.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace pto::jit {

// ELF64 for this processor, with sections .text (no content: the code itself), .symtab and .strtab.
std::vector<std::byte> make_elf_image(std::string_view name, const void* address, std::size_t size);

}  // namespace pto::jit

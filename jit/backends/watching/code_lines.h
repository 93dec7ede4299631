// Machine code line by line, for those who put something beside each line.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace pto::jit {

struct CodeLine {
  std::size_t offset = 0;
  std::size_t bytes = 0;
  std::string text = {};  // "mov rax, [rdi]", "dd 0x00000001"
};

std::vector<CodeLine> code_lines(std::span<const std::byte> code);

inline constexpr int kOffsetDigits = 4;

// "0x0040  ", as every line of machine code begins.
std::string offset_text(std::size_t offset);

}  // namespace pto::jit

#include "jit/backends/watching/code_lines.h"

#include <array>
#include <cstdio>

namespace pto::jit {

std::string offset_text(std::size_t offset) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "0x%0*zx  ", kOffsetDigits, offset);
  return text.data();
}

}  // namespace pto::jit

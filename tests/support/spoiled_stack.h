// A stack full of a pattern: what a kernel reads there before it has written shows in its result.
#pragma once

#include <array>
#include <cstddef>

namespace pto::jit::tests {

[[gnu::noinline]] inline void spoil_stack() {
  std::array<std::byte, 16384> bytes;
  bytes.fill(std::byte{0xa5});
  asm volatile("" : : "r"(bytes.data()) : "memory");
}

}  // namespace pto::jit::tests

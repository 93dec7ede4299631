// Memory with an inaccessible page right behind its last byte, or right before its first.
#pragma once

#include <cstddef>
#include <cstdint>

namespace pto::jit::tests {

enum class Guard : std::uint8_t { Behind, Before };

// Inaccessible pages around room that is used again and again: a fresh mapping for each of many
// small kernels would cost more than running them.
class GuardedMemory {
 public:
  GuardedMemory() = default;
  ~GuardedMemory();
  GuardedMemory(GuardedMemory&& other) noexcept;
  GuardedMemory& operator=(GuardedMemory&& other) noexcept;
  GuardedMemory(const GuardedMemory&) = delete;
  GuardedMemory& operator=(const GuardedMemory&) = delete;

  // Where `bytes` bytes end, or begin, at an inaccessible page. What an earlier call returned is
  // gone.
  std::byte* place(std::size_t bytes, Guard guard);

 private:
  void grow(std::size_t bytes);

  std::byte* mapping_ = nullptr;
  std::size_t usable_ = 0;
};

}  // namespace pto::jit::tests

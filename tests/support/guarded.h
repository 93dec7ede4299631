// Memory with an inaccessible page right behind its last byte, or right before its first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace pto::jit::tests {

enum class Guard : std::uint8_t { Behind, Before };

class GuardedBuffer {
 public:
  GuardedBuffer(std::size_t bytes, Guard guard);
  ~GuardedBuffer();
  GuardedBuffer(GuardedBuffer&& other) noexcept;
  GuardedBuffer& operator=(GuardedBuffer&& other) noexcept;
  GuardedBuffer(const GuardedBuffer&) = delete;
  GuardedBuffer& operator=(const GuardedBuffer&) = delete;

  std::byte* data() const { return data_; }
  std::size_t size() const { return size_; }
  std::span<std::byte> bytes() const { return {data_, size_}; }

 private:
  std::byte* mapping_ = nullptr;
  std::size_t mapped_ = 0;
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace pto::jit::tests

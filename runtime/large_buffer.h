// LargeBuffer: zero-filled memory for tables and tiles, aligned for vectors and on 2 MB pages where
// the system gives them. Random rows of a table beyond the caches cost several times as much when
// its pages are small, because each row then misses the translation buffer too.
#pragma once

#include <cstddef>
#include <span>

#include "ir/result.h"

namespace pto::jit {

class LargeBuffer {
 public:
  static constexpr std::size_t kAlignment = 64;
  static constexpr std::size_t kLargePage = std::size_t{2} << 20;

  LargeBuffer() = default;  // no bytes

  // Aligned to kLargePage from kLargePage on, to at least kAlignment below. Memory is taken when it
  // is first touched; asking for large pages is a wish that a system may not grant.
  static Result<LargeBuffer> make(std::size_t bytes);

  ~LargeBuffer();
  LargeBuffer(LargeBuffer&& other) noexcept;
  LargeBuffer& operator=(LargeBuffer&& other) noexcept;
  LargeBuffer(const LargeBuffer&) = delete;
  LargeBuffer& operator=(const LargeBuffer&) = delete;

  std::byte* data() const { return data_; }  // null when there are no bytes
  std::size_t size() const { return size_; }
  std::span<std::byte> bytes() const { return {data_, size_}; }

 private:
  LargeBuffer(std::byte* data, std::size_t size) : data_(data), size_(size) {}

  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace pto::jit

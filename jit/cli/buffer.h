// Memory of one operand: bytes read from a file, or zeros that take no memory until they are
// touched, so that a huge and mostly empty table can be run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "ir/result.h"

namespace pto::jit::cli {

// Memory that could not be had: an error like any other.
Diagnostic out_of_memory(const std::string& what);

class Buffer {
 public:
  static Result<Buffer> zeros(std::int64_t bytes, const std::string& what);
  explicit Buffer(std::vector<std::byte> bytes);

  std::byte* data() const { return data_; }  // never null
  std::span<const std::byte> bytes() const { return {data_, size_}; }

 private:
  struct Free {
    void operator()(std::byte* memory) const { std::free(memory); }
  };
  Buffer(std::byte* memory, std::size_t size) : zeros_(memory), data_(memory), size_(size) {}

  // One of the two holds the memory. Moving either keeps its address.
  std::vector<std::byte> read_;
  std::unique_ptr<std::byte, Free> zeros_;
  std::byte* data_;
  std::size_t size_;
};

}  // namespace pto::jit::cli

#include "jit/cli/buffer.h"

#include <algorithm>

namespace pto::jit::cli {

Diagnostic out_of_memory(const std::string& what) {
  return error("memory.allocate", "there is not enough memory for " + what);
}

Buffer::Buffer(std::vector<std::byte> bytes) : read_(std::move(bytes)) {
  read_.reserve(1);
  data_ = read_.data();
  size_ = read_.size();
}

Result<Buffer> Buffer::zeros(std::int64_t bytes, const std::string& what) {
  const auto size = static_cast<std::size_t>(bytes);
  auto* memory = static_cast<std::byte*>(std::calloc(std::max<std::size_t>(size, 1), 1));
  if (memory == nullptr) return out_of_memory(what + ", " + std::to_string(bytes) + " bytes");
  return Buffer(memory, size);
}

}  // namespace pto::jit::cli

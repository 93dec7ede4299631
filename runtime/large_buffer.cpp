#include "runtime/large_buffer.h"

#include <sys/mman.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <utility>

#include "runtime/system_calls.h"

namespace pto::jit {
namespace {

Diagnostic no_memory(std::size_t bytes, const char* why) {
  return error("memory.allocate",
               "there is not enough memory for " + std::to_string(bytes) + " bytes: " + why);
}

// What is mapped for a buffer of `bytes`: whole pages, large ones for a large buffer.
std::size_t mapped_bytes(std::size_t bytes) {
  if (bytes < LargeBuffer::kLargePage) return whole_pages(bytes);
  return (bytes + LargeBuffer::kLargePage - 1) / LargeBuffer::kLargePage * LargeBuffer::kLargePage;
}

// Maps one large page more than wanted and gives back what lies around the aligned part.
std::byte* map_aligned(std::size_t wanted) {
  const bool is_large = wanted >= LargeBuffer::kLargePage;
  const std::size_t spare = is_large ? LargeBuffer::kLargePage : 0;
  void* memory =
      ::mmap(nullptr, wanted + spare, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  auto* begin = static_cast<std::byte*>(memory);
  if (!is_large) return begin;
  const std::size_t beyond = reinterpret_cast<std::uintptr_t>(begin) % LargeBuffer::kLargePage;
  const std::size_t head = (LargeBuffer::kLargePage - beyond) % LargeBuffer::kLargePage;
  if (head > 0) ::munmap(begin, head);
  if (spare > head) ::munmap(begin + head + wanted, spare - head);
  static_cast<void>(::madvise(begin + head, wanted, MADV_HUGEPAGE));
  return begin + head;
}

}  // namespace

Result<LargeBuffer> LargeBuffer::make(std::size_t bytes) {
  if (bytes == 0) return LargeBuffer();
  if (bytes > std::numeric_limits<std::size_t>::max() / 2) return no_memory(bytes, "beyond reach");
  std::byte* data = map_aligned(mapped_bytes(bytes));
  if (data == nullptr) return no_memory(bytes, std::strerror(errno));
  return LargeBuffer(data, bytes);
}

LargeBuffer::~LargeBuffer() {
  if (data_ != nullptr) ::munmap(data_, mapped_bytes(size_));
}

LargeBuffer::LargeBuffer(LargeBuffer&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

LargeBuffer& LargeBuffer::operator=(LargeBuffer&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

}  // namespace pto::jit

#include "runtime/code/code_segment.h"

#include <sys/mman.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>

namespace pto::jit {
namespace {

// What free memory holds: a call to a kernel that is gone stops here.
#if defined(__x86_64__)
constexpr int kTrap = 0xcc;
#else
constexpr int kTrap = 0;
#endif

Diagnostic refused(std::string_view call, std::size_t bytes) {
  const std::string reason = std::error_code(errno, std::generic_category()).message();
  const std::string name(call);
  return error("memory." + name,
               name + " of " + std::to_string(bytes) + " bytes was refused: " + reason);
}

// A file in memory. The mappings keep it; the descriptor is not needed once they are made.
class MemoryFile {
 public:
  MemoryFile(const SystemCalls& calls, std::size_t bytes)
      : calls_(calls), file_(calls.memfd_create("ptojit", MFD_CLOEXEC)) {
    is_sized_ = file_ >= 0 && calls_.ftruncate(file_, static_cast<off_t>(bytes)) == 0;
  }
  ~MemoryFile() {
    if (file_ >= 0) calls_.close(file_);
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  MemoryFile(MemoryFile&&) = delete;
  MemoryFile& operator=(MemoryFile&&) = delete;

  bool is_ready() const { return is_sized_; }

  std::byte* map(std::size_t bytes, int protection) const {
    void* at = calls_.mmap(nullptr, bytes, protection, MAP_SHARED, file_, 0);
    return at == MAP_FAILED ? nullptr : static_cast<std::byte*>(at);
  }

 private:
  const SystemCalls& calls_;
  int file_;
  bool is_sized_ = false;
};

}  // namespace

CodeSegment::CodeSegment(const SystemCalls& calls, std::size_t bytes)
    : calls_(calls), size_(bytes), granules_(bytes / kGranule) {}

CodeSegment::~CodeSegment() {
  if (executable_) calls_.munmap(executable_, size_);
  if (writable_ && is_double()) calls_.munmap(writable_, size_);
}

Result<std::unique_ptr<CodeSegment>> CodeSegment::map_twice(const SystemCalls& calls,
                                                            std::size_t bytes) {
  const MemoryFile file(calls, bytes);
  if (!file.is_ready()) return refused("memfd", bytes);
  std::unique_ptr<CodeSegment> segment(new CodeSegment(calls, bytes));
  segment->writable_ = file.map(bytes, PROT_READ | PROT_WRITE);
  if (!segment->writable_) return refused("mmap", bytes);
  segment->executable_ = file.map(bytes, PROT_READ | PROT_EXEC);
  if (!segment->executable_) return refused("mmap", bytes);
  return segment;
}

Result<std::unique_ptr<CodeSegment>> CodeSegment::map_once(const SystemCalls& calls,
                                                           std::size_t bytes) {
  std::unique_ptr<CodeSegment> segment(new CodeSegment(calls, bytes));
  void* at = calls.mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (at == MAP_FAILED) return refused("mmap", bytes);
  segment->writable_ = segment->executable_ = static_cast<std::byte*>(at);
  return segment;
}

std::optional<std::size_t> CodeSegment::take(std::size_t bytes) {
  const std::optional<std::size_t> first = granules_.take(granules_of(bytes));
  if (!first) return std::nullopt;
  ++pieces_;
  return *first * kGranule;
}

void CodeSegment::give_back_rest(std::size_t offset, std::size_t bytes, std::size_t kept) {
  const std::size_t spare = granules_of(bytes) - granules_of(kept);
  granules_.give_back(offset / kGranule + granules_of(kept), spare);
}

void CodeSegment::give_back(std::size_t offset, std::size_t bytes, Reuse reuse) {
  --pieces_;
  if (!is_double()) return;
  if (reuse == Reuse::Never) {
    has_lost_memory_ = true;
    return;
  }
  std::memset(writable(offset), kTrap, granules_of(bytes) * kGranule);
  granules_.give_back(offset / kGranule, granules_of(bytes));
}

Result<Done> CodeSegment::seal(std::size_t used) {
  if (is_double()) return Done{};
  const std::size_t kept = whole_pages(used);
  if (kept < size_ && calls_.munmap(executable_ + kept, size_ - kept) == 0) size_ = kept;
  if (calls_.mprotect(executable_, size_, PROT_READ | PROT_EXEC) != 0) {
    return refused("mprotect", size_);
  }
  return Done{};
}

void CodeSegment::renew_instructions(std::size_t offset, std::size_t bytes) const {
  if (is_double()) calls_.renew_instructions(writable_ + offset, writable_ + offset + bytes);
  calls_.renew_instructions(executable_ + offset, executable_ + offset + bytes);
  calls_.drop_fetched_instructions();
}

void CodeSegment::forget_writable_view() {
  if (writable_ && is_double()) calls_.munmap(writable_, size_);
  writable_ = nullptr;
}

}  // namespace pto::jit

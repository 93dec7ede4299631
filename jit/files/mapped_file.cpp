#include "jit/files/mapped_file.h"

#include <sys/mman.h>

#include <cerrno>
#include <csignal>
#include <mutex>

#include "runtime/system_calls.h"

namespace pto::jit::cli {
namespace {

std::mutex mutex;
MappedFile* first = nullptr;   // of all there are
struct sigaction before = {};  // what SIGBUS did without them

// A place that is nobody's is met again without this handler.
void on_bus_error(int, siginfo_t* info, void*) {
  const int code = errno;
  const auto* at = static_cast<const std::byte*>(info->si_addr);
  MappedFile* file = first;
  while (file != nullptr && !file->patch(at)) file = file->next();
  if (file == nullptr) ::sigaction(SIGBUS, &before, nullptr);
  errno = code;
}

void handle_bus_errors() {
  struct sigaction wanted = {};
  wanted.sa_sigaction = on_bus_error;
  wanted.sa_flags = SA_SIGINFO;
  ::sigaction(SIGBUS, &wanted, &before);
}

int protection(MappedFile::Use use) {
  return use == MappedFile::Use::Read ? PROT_READ : PROT_READ | PROT_WRITE;
}

}  // namespace

std::shared_ptr<const MappedFile> MappedFile::make(int descriptor, std::size_t bytes, Use use) {
  const int sharing = use == Use::Share ? MAP_SHARED : MAP_PRIVATE | MAP_NORESERVE;
  void* memory = ::mmap(nullptr, bytes, protection(use), sharing, descriptor, 0);
  if (memory == MAP_FAILED) return nullptr;
  return std::make_shared<MappedFile>(std::span(static_cast<std::byte*>(memory), bytes));
}

MappedFile::MappedFile(std::span<std::byte> bytes) : bytes_(bytes) {
  const std::lock_guard lock(mutex);
  if (first == nullptr) handle_bus_errors();
  next_ = first;
  first = this;
}

MappedFile::~MappedFile() {
  ::munmap(bytes_.data(), bytes_.size());
  const std::lock_guard lock(mutex);
  MappedFile** link = &first;
  while (*link != this) link = &(*link)->next_;
  *link = next_;
  if (first == nullptr) ::sigaction(SIGBUS, &before, nullptr);
}

bool MappedFile::patch(const std::byte* at) {
  std::byte* begin = bytes_.data();
  const std::size_t mapped = whole_pages(bytes_.size());
  if (at < begin || at >= begin + mapped) return false;
  const std::size_t page = static_cast<std::size_t>(at - begin) / page_size() * page_size();
  is_whole_ = false;
  return ::mmap(begin + page, mapped - page, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0) != MAP_FAILED;
}

}  // namespace pto::jit::cli

#include "runtime/code/code_registration.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <mutex>
#include <string>
#include <system_error>
#include <vector>

#include "runtime/code/elf_image.h"
#include "runtime/fork_watch.h"
#include "runtime/made_once.h"
#include "runtime/write_signals.h"

// --- the interface GDB and LLDB know by these names and this layout -----------------------------

extern "C" {

struct JitCodeEntry {
  JitCodeEntry* next = nullptr;
  JitCodeEntry* previous = nullptr;
  const std::byte* image = nullptr;
  std::uint64_t image_size = 0;
};

struct JitDescriptor {
  std::uint32_t version = 1;
  std::uint32_t action = 0;
  JitCodeEntry* relevant = nullptr;
  JitCodeEntry* first = nullptr;
};

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)

// Hidden, so that another JIT in the process keeps a list of its own; weak, in case one is linked
// into the same file.
[[gnu::weak, gnu::used, gnu::visibility("hidden")]] JitDescriptor __jit_debug_descriptor;

// A debugger breaks here, then reads the descriptor.
[[gnu::weak, gnu::used, gnu::noinline, gnu::visibility("hidden")]] void __jit_debug_register_code();
void __jit_debug_register_code() { asm volatile("" ::: "memory"); }

// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

}  // extern "C"

namespace pto::jit {

struct DebugObject {
  std::vector<std::byte> image;
  JitCodeEntry entry;
};

namespace {

constexpr std::uint32_t kNothing = 0;  // actions of the descriptor
constexpr std::uint32_t kRegistered = 1;
constexpr std::uint32_t kUnregistered = 2;
constexpr std::size_t kLongestName = 4096;
constexpr mode_t kNewFile = 0644;

// Guards the list and the map file; free in a child that was forked in the middle of a
// registration.
class ToolLock final : public ForkParticipant {
 public:
  static ToolLock& get() {
    static constinit MadeOnce<ToolLock> lock;
    return lock.get([] { return std::make_unique<ToolLock>(); });
  }

  ToolLock() { watch_forks(*this); }
  ~ToolLock() { unwatch_forks(*this); }

  std::lock_guard<std::mutex> hold() { return std::lock_guard(mutex_); }

 private:
  void before_fork() override { mutex_.lock(); }
  void after_fork_in_parent() override { mutex_.unlock(); }
  void after_fork_in_child() override { mutex_.unlock(); }

  std::mutex mutex_;
};

void tell_debugger(std::uint32_t action, JitCodeEntry& entry) {
  __jit_debug_descriptor.action = action;
  __jit_debug_descriptor.relevant = &entry;
  __jit_debug_register_code();
  __jit_debug_descriptor.action = kNothing;
  __jit_debug_descriptor.relevant = nullptr;
}

void link(JitCodeEntry& entry) {
  entry.next = __jit_debug_descriptor.first;
  if (entry.next != nullptr) entry.next->previous = &entry;
  __jit_debug_descriptor.first = &entry;
  tell_debugger(kRegistered, entry);
}

void unlink(JitCodeEntry& entry) {
  (entry.previous != nullptr ? entry.previous->next : __jit_debug_descriptor.first) = entry.next;
  if (entry.next != nullptr) entry.next->previous = entry.previous;
  tell_debugger(kUnregistered, entry);
}

DebugObject* make_object(const std::string& name, const void* address, std::size_t size) {
  auto object = std::make_unique<DebugObject>();
  object->image = make_elf_image(name, address, size);
  object->entry.image = object->image.data();
  object->entry.image_size = object->image.size();
  const auto lock = ToolLock::get().hold();
  link(object->entry);
  return object.release();
}

std::string perf_line(const std::string& name, const void* address, std::size_t size) {
  std::array<char, 48> head{};
  std::snprintf(head.data(), head.size(), "%zx %zx ", reinterpret_cast<std::uintptr_t>(address),
                size);
  return head.data() + name + "\n";
}

// Opened anew for each line: the path follows the process, also after a fork. One write a line, so
// that lines stay whole.
int append_to_perf_map(const std::string& text) {
  const std::string path = "/tmp/perf-" + std::to_string(::getpid()) + ".map";
  const auto lock = ToolLock::get().hold();
  const int descriptor =
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, kNewFile);
  if (descriptor < 0) return errno;
  const int code = without_write_signals([&] {
    const ssize_t put = ::write(descriptor, text.data(), text.size());
    return put < 0 ? errno : static_cast<std::size_t>(put) < text.size() ? ENOSPC : 0;
  });
  ::close(descriptor);
  return code;
}

}  // namespace

CodeRegistration::CodeRegistration() noexcept = default;
CodeRegistration::~CodeRegistration() = default;
CodeRegistration::CodeRegistration(CodeRegistration&&) noexcept = default;
CodeRegistration& CodeRegistration::operator=(CodeRegistration&&) noexcept = default;

void CodeRegistration::Unregister::operator()(DebugObject* object) const noexcept {
  {
    const auto lock = ToolLock::get().hold();
    unlink(object->entry);
  }
  delete object;
}

Result<CodeRegistration> register_code(std::string_view name, const void* address, std::size_t size,
                                       ToolOptions options) {
  if (options == ToolOptions{}) return CodeRegistration();
  const std::string shown = printable(name, kLongestName);
  if (options.perf_map) {
    const int code = append_to_perf_map(perf_line(shown, address, size));
    if (code != 0)
      return error("perf.map",
                   "cannot tell perf of a kernel: " + std::generic_category().message(code));
  }
  CodeRegistration out;
  if (options.gdb) out.object_.reset(make_object(shown, address, size));
  return out;
}

}  // namespace pto::jit

// Tells profilers and debuggers which kernel lives where, when asked to: a line of perf's map file,
// and an object in the list that GDB and LLDB watch.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include "ir/result.h"
#include "runtime/code/code_limits.h"

namespace pto::jit {

struct DebugObject;

// Keeps code known to debuggers. Goes before the code's memory is used again. A line of a perf map
// stays: the file is a log, and its last word on an address counts.
class CodeRegistration {
 public:
  CodeRegistration() noexcept;
  ~CodeRegistration();
  CodeRegistration(CodeRegistration&&) noexcept;
  CodeRegistration& operator=(CodeRegistration&&) noexcept;
  CodeRegistration(const CodeRegistration&) = delete;
  CodeRegistration& operator=(const CodeRegistration&) = delete;

 private:
  friend Result<CodeRegistration> register_code(std::string_view name, const void* address,
                                                std::size_t size, ToolOptions options);
  struct Unregister {
    void operator()(DebugObject* object) const noexcept;
  };

  std::unique_ptr<DebugObject, Unregister> object_;
};

// Safe to call from any thread that holds no lock of the runtime; so is letting go. Fails when the
// perf map cannot be written ("perf.map"); the kernel is no worse for that.
Result<CodeRegistration> register_code(std::string_view name, const void* address, std::size_t size,
                                       ToolOptions options);

}  // namespace pto::jit

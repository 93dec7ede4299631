// HostProgram: source text compiled by the host's compiler against the emulation, and loaded into
// this process.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "ir/result.h"
#include "jit/emulation/harness_text.h"

namespace pto::jit {

// The compiler to use: $CXX, or the first of c++, g++ and clang++ there is.
Result<std::string> host_compiler();

struct HostUnit {
  std::string text;   // with the harness
  std::string flags;  // separated by spaces: what chooses the device
};

class HostProgram {
 public:
  // Warnings are errors. Nothing is left behind in the file system, not even by a signal that ends
  // the process; what a killed one left, the next removes.
  static Result<HostProgram> build(const HostUnit& unit);

  // What the machine reports of one run of `kernel`; empty when it found nothing.
  Result<std::string> run(const std::string& kernel, std::span<const source::HostBuffer> buffers,
                          std::span<const std::int64_t> extents) const;

 private:
  explicit HostProgram(std::shared_ptr<void> library) : library_(std::move(library)) {}

  std::shared_ptr<void> library_;
};

}  // namespace pto::jit

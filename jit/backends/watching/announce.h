// What the environment wants done with each new kernel: written to a file, made known to profilers
// and debuggers.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "ir/plan.h"
#include "ir/result.h"
#include "ir/spec.h"
#include "runtime/code/code_registration.h"

namespace pto::jit {

struct NewCode {
  const KernelSpec& spec;
  const KernelPlan& plan;
  std::string strategy;  // one line
  std::string level;     // in the name of a dump
  std::span<const std::byte> code;
  std::string ir = {};  // LLVM's, of kernels that came from it
};

// Whether anything is wanted; most often it is not, and a kernel is made in microseconds.
bool announces_kernels();

// A dump that cannot be written is an error of the environment, like any other of its values.
Result<CodeRegistration> announce(const NewCode& made);

}  // namespace pto::jit

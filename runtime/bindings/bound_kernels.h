// A kernel with runtime dimensions behind which bindings that are seen often have kernels of their
// own: a call with the values of one goes there, any other to the general kernel.
//
// The call that is one too many makes the kernel. Whatever goes wrong with that, it is done by the
// general one. Kernels of bindings last as long as the kernel they are behind.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "ir/frame.h"
#include "ir/operands.h"
#include "runtime/bindings/shortcut.h"
#include "runtime/kernel.h"

namespace pto::jit {

// Asked by any thread that calls the kernel, by several at a time.
class BindingMaker {
 public:
  BindingMaker() = default;
  BindingMaker(const BindingMaker&) = delete;
  BindingMaker& operator=(const BindingMaker&) = delete;
  BindingMaker(BindingMaker&&) = delete;
  BindingMaker& operator=(BindingMaker&&) = delete;
  virtual ~BindingMaker() = default;

  // The kernel for the values of a frame; nothing where the general one is to do for good. What it
  // throws is forgotten, and it is asked again.
  virtual std::optional<Kernel> make(const Frame& frame) = 0;

  // Whose entry is the shortcut; nothing where there is no code for it. Asked once.
  virtual std::optional<Kernel> make_shortcut(const Shortcut&) { return std::nullopt; }
};

struct BindingOptions {
  KernelName name;            // of the general kernel
  std::span<const Dim> dims;  // all that it reads of its frame, at least one
  std::uint32_t after = 1;    // a binding gets its kernel with about this call of it
};

Kernel with_bound_kernels(const Kernel& general, const BindingOptions& options,
                          std::unique_ptr<BindingMaker> maker);

}  // namespace pto::jit

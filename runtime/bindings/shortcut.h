// A shortcut: code for the entry of a kernel with runtime dimensions, most calls of which are of
// one binding. Frames with its values go straight to its kernel, all others to whoever looks
// further.
#pragma once

#include <cstdint>
#include <span>

#include "ir/operands.h"
#include "runtime/kernel.h"

namespace pto::jit {

struct FrameValue {
  Dim dim;
  std::int64_t value;
};

struct Shortcut {
  std::span<const FrameValue> values;  // all of them
  KernelCall own;
  KernelEntry others = nullptr;  // called as the shortcut is
};

}  // namespace pto::jit

// Kernels small enough to be written by hand, and specs to cache them by.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "ir/spec.h"
#include "runtime/cache/cache_entry.h"
#include "runtime/kernel_makers.h"

namespace pto::jit::tests {

// Machine code of `int f() { return number; }`, followed by `padding` bytes that are not reached.
std::vector<std::byte> code_returning(std::int32_t number, std::size_t padding = 0);
std::int32_t call(const CodeBlock& block);

// Whether such code returns `number`; taken on trust where the host cannot run it.
bool returns(const CodeBlock& block, std::int32_t number);

// Machine code of a kernel that stores `number` where the frame's tile is.
std::vector<std::byte> code_storing(std::int32_t number);
std::int32_t number_of(const Kernel& kernel);

// A canonical spec and its key, different for each number.
KernelSpec spec_numbered(std::int32_t number);
CacheKey key_numbered(std::int32_t number);

// A kernel without code that does nothing, and says when it goes.
Kernel make_counted_kernel(std::atomic<int>& alive, std::size_t footprint = 64);

// Whether the host can run this code at all.
#if defined(__x86_64__) || defined(__aarch64__)
inline constexpr bool kRunsTinyCode = true;
#else
inline constexpr bool kRunsTinyCode = false;
#endif

// Runs `body` in a forked child; whether it returned true there, within a minute.
bool holds_in_child(const std::function<bool()>& body);

std::size_t resident_bytes();

}  // namespace pto::jit::tests

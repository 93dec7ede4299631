// BindingTable: from the values that a call gives to runtime dimensions to the kernel for them.
// Read without a lock and only ever added to, so that what a reader found stays.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>

#include "ir/operands.h"
#include "runtime/kernel.h"

namespace pto::jit {

inline constexpr std::size_t kMostBindings = 16;  // of one kernel

// What a binding says of the dimensions that a kernel reads, where they stand in a frame. Read from
// there one by one: copies that are then read as vectors would wait for the stores.
struct BindingValues {
  const std::int64_t* extents;
  const std::uint8_t* places;

  std::int64_t operator[](std::size_t i) const { return extents[places[i]]; }
};

// Of the first kCount values; the upper bits are the good ones.
template <std::size_t kCount>
std::uint64_t hash_of(const BindingValues& values) {
  std::uint64_t sum = 0;
#pragma GCC unroll 32
  for (std::size_t i = 0; i < kCount; ++i)
    sum = std::rotl(sum, 11) + static_cast<std::uint64_t>(values[i]);
  return sum * 0x9e3779b97f4a7c15;
}

// A binding and its kernel.
struct BoundKernel {
  KernelCall call;
  std::array<std::int64_t, kDims> values;
  std::uint64_t hash;
  Kernel kernel;

  template <std::size_t kCount>
  bool is_for(const BindingValues& given) const {
#pragma GCC unroll 32
    for (std::size_t i = 0; i < kCount; ++i) {
      if (given[i] != values[i]) return false;
    }
    return true;
  }
};

// The number kCount of values is the same in all calls to a table.
class BindingTable {
 public:
  explicit BindingTable(const Kernel& general) : nothing_{general.call(), {}, 0, general} {
    nothing_.values.fill(std::numeric_limits<std::int64_t>::min());
  }
  ~BindingTable();
  BindingTable(const BindingTable&) = delete;
  BindingTable& operator=(const BindingTable&) = delete;
  BindingTable(BindingTable&&) = delete;
  BindingTable& operator=(BindingTable&&) = delete;

  // What was added first; before that, something for values that no legal call has.
  const BoundKernel& first() const { return *first_.load(std::memory_order_acquire); }

  template <std::size_t kCount>
  const BoundKernel* find(const BindingValues& values) const {
    if (is_empty()) return nullptr;
    for (std::size_t at = home_of(hash_of<kCount>(values));; at = next(at)) {
      const BoundKernel* bound = cells_[at].load(std::memory_order_acquire);
      if (bound == nullptr || bound->is_for<kCount>(values)) return bound;
    }
  }

  // Whether there is room for one more.
  bool has_room() const { return count_.load(std::memory_order_relaxed) < kMostBindings; }

  // Whether it is the first binding. Does nothing where there is no room, or another thread added
  // it.
  template <std::size_t kCount>
  bool add(const BindingValues& values, const Kernel& kernel) {
    auto bound = std::make_unique<BoundKernel>(
        BoundKernel{kernel.call(), {}, hash_of<kCount>(values), kernel});
    for (std::size_t i = 0; i < kCount; ++i) bound->values[i] = values[i];
    return add(std::move(bound));
  }

  const Kernel& general() const { return nothing_.kernel; }
  const KernelCall& call_of_general() const { return nothing_.call; }

 private:
  // Mostly empty, so that a search for what is not there soon meets an empty cell.
  static constexpr std::size_t kCells = 4 * kMostBindings;

  bool is_empty() const { return count_.load(std::memory_order_relaxed) == 0; }
  static std::size_t home_of(std::uint64_t hash) { return hash >> (64 - std::countr_zero(kCells)); }
  static std::size_t next(std::size_t at) { return (at + 1) % kCells; }
  bool add(std::unique_ptr<BoundKernel> bound);

  // Most kernels meet one binding, and a hash takes a nanosecond. Released by add(), acquired by
  // first(): whoever sees it sees what it holds.
  std::atomic<const BoundKernel*> first_{&nothing_};
  std::atomic<std::size_t> count_{0};  // alone: a claim to a cell, not what is in it
  BoundKernel nothing_;
  // Released by add(), acquired by find(), as the first.
  std::array<std::atomic<const BoundKernel*>, kCells> cells_{};
};

}  // namespace pto::jit

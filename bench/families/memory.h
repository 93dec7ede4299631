// The memory of a cell: operands on large pages, filled the same way each time, and indices as the
// cell wants them.
#pragma once

#include <cstdint>
#include <vector>

#include "bench/families/cell.h"
#include "ir/frame.h"
#include "ir/plan.h"
#include "ir/result.h"
#include "runtime/large_buffer.h"

namespace pto::jit::bench {

class CellMemory {
 public:
  static Result<CellMemory> make(const Cell& cell);

  // Gives the written operands the bytes they had before anything ran.
  void reset();

  // Stands for every byte of the operands the kernel writes.
  std::uint64_t fingerprint() const;

  // The pointers stay where they are; the index pointer moves on to the next indices, so that a
  // table beyond the caches is met at new places each time.
  const Frame& frame() const { return frame_; }
  void next_indices() {
    index_at_ = index_at_ + 1 == index_tiles_ ? 0 : index_at_ + 1;
    frame_.index = index_.data() + index_at_ * index_bytes_;
  }
  bool has_more_indices() const { return index_tiles_ > 1; }

  // What a rival takes for the table: a list of destinations in a group.
  void* table() { return ranks_.empty() ? frame_.table : static_cast<void*>(ranks_.data()); }

 private:
  Result<Done> allocate(const KernelPlan& plan);
  void fill_indices(std::uint32_t capacity);

  Cell cell_;
  Frame frame_;
  LargeBuffer tile_;
  LargeBuffer index_;
  LargeBuffer table_;
  std::vector<LargeBuffer> destinations_;
  std::vector<void*> ranks_;
  std::size_t index_bytes_ = 0;
  std::size_t index_tiles_ = 1;
  std::size_t index_at_ = 0;
};

}  // namespace pto::jit::bench

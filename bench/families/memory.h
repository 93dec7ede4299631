// The memory of a cell: operands on large pages, filled the same way each time, and indices as the
// cell wants them.
#pragma once

#include <cstdint>
#include <vector>

#include "bench/families/cell.h"
#include "ir/frame.h"
#include "ir/result.h"
#include "runtime/operands.h"
#include "targets/binding.h"

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
  void next_indices() { take_indices(index_at_ + 1 == index_tiles_ ? 0 : index_at_ + 1); }

  // The same with every index brought into range, for those who have no policy.
  const Frame& frame_within() const { return frame_within_; }

  bool has_more_indices() const { return index_tiles_ > 1; }

  // What a contestant takes for the table: a list of destinations in a group.
  void* table() const;

 private:
  Result<Done> allocate(const BoundSpec& bound);
  void fill_indices(std::uint32_t capacity);
  void take_indices(std::size_t tile) {
    index_at_ = tile;
    frame_.index = static_cast<const std::byte*>(store_.frame().index) + tile * index_bytes_;
    frame_within_.index =
        within_.empty() ? frame_.index : within_.data() + tile * (index_bytes_ / sizeof within_[0]);
  }
  bool is_written(const OperandStore::Held& held) const;

  Cell cell_;
  OperandStore store_;
  Frame frame_;
  Frame frame_within_;
  std::vector<std::uint32_t> within_;  // indices, where some are out of range
  std::size_t index_bytes_ = 0;
  std::size_t index_tiles_ = 1;
  std::size_t index_at_ = 0;
};

}  // namespace pto::jit::bench

// The memory of a timed kernel: operands that hold numbers, every page of them touched, and as many
// tiles of indices as it takes to meet the whole table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "jit/tools/bench/index_stream.h"
#include "runtime/operands.h"
#include "targets/binding.h"

namespace pto::jit::cli {

// Tiles of indices, one behind the other.
struct IndexSets {
  Storage storage = {};
  std::size_t bytes = 0;  // from one to the next
  std::uint64_t count = 0;
  std::uint64_t positions = 0;  // of one
  double met = 1;               // the share of the table they reach
};

class TimedMemory {
 public:
  static Result<TimedMemory> make(const BoundSpec& bound, IndexStream indices);

  // The frame of the next call: with the next tile of indices, behind the last with the first.
  const Frame& next_frame();

  // Copies as many bytes between the tile and the table, from where the last copy ended in it.
  void copy(std::int64_t bytes);

  // Drops the operands from the caches. False where the processor cannot be told to.
  bool flush() const;

  const IndexSets& index_sets() const { return sets_; }
  double table_bytes() const;
  double bytes_touched() const;
  std::size_t page_size() const;  // under the table

 private:
  TimedMemory(const BoundSpec& bound, OperandStore operands);

  OperandStore operands_;
  Frame frame_;
  Direction direction_;
  std::span<std::byte> tile_;
  std::vector<std::span<std::byte>> tables_;  // more than one: of ranks
  IndexSets sets_;
  std::uint64_t next_set_ = 0;
  std::size_t copy_table_ = 0;  // where the next copy begins
  std::size_t copy_at_ = 0;
};

}  // namespace pto::jit::cli

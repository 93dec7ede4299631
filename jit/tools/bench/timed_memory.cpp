#include "jit/tools/bench/timed_memory.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "ir/interpreter.h"
#include "ir/positions.h"
#include "jit/tools/bench/memory_level.h"
#include "runtime/fillers.h"

namespace pto::jit::cli {
namespace {

constexpr std::size_t kLine = 64;
constexpr std::uint64_t kFewestSets = 8;
constexpr std::uint64_t kMostIndexBytes = std::uint64_t{256} << 20;

// Numbers throughout, from one block of them: a large table is filled as fast as memory takes it.
void fill_with_numbers(std::span<std::byte> bytes, DType dtype) {
  std::mt19937 random(1);
  std::vector<std::byte> block(std::min<std::size_t>(bytes.size(), 1 << 16));
  fill(block, dtype, [&](std::size_t) { return small_number(dtype, random); });
  for (std::size_t at = 0; at < bytes.size(); at += block.size())
    std::memcpy(bytes.data() + at, block.data(), std::min(block.size(), bytes.size() - at));
}

// A table in as many pieces as it has slots, or lines where several slots share one.
class Pieces {
 public:
  Pieces(std::uint64_t slots, double table_bytes)
      : slots_(static_cast<double>(std::max<std::uint64_t>(slots, 1))),
        met_(static_cast<std::size_t>(
            std::clamp(table_bytes / static_cast<double>(kLine), 1.0, slots_))) {}

  std::uint64_t count() const { return met_.size(); }
  void meet(std::uint64_t slot) {
    const double piece = static_cast<double>(slot) / slots_ * static_cast<double>(count());
    if (piece >= static_cast<double>(count())) return;  // out of range
    std::vector<bool>::reference is_met = met_[static_cast<std::size_t>(piece)];
    if (is_met) return;
    is_met = true;
    ++met_count_;
  }
  double share() const { return static_cast<double>(met_count_) / static_cast<double>(count()); }

 private:
  double slots_;
  std::vector<bool> met_;
  std::uint64_t met_count_ = 0;
};

// Random draws as many as four times the pieces miss one in fifty.
std::uint64_t sets_wanted(std::uint64_t pieces, std::uint64_t positions, std::size_t set_bytes) {
  const std::uint64_t wanted = 4 * pieces / std::max<std::uint64_t>(positions, 1) + 1;
  const std::uint64_t most =
      std::max<std::uint64_t>(kMostIndexBytes / std::max<std::size_t>(set_bytes, 1), 1);
  return std::min(std::max(wanted, kFewestSets), most);
}

Result<IndexSets> make_index_sets(const BoundSpec& bound, const Frame& frame, double table_bytes,
                                  IndexStream& indices, std::size_t tile_bytes) {
  const KernelPlan& plan = bound.plan();
  IndexSets out{.bytes = (tile_bytes + kLine - 1) / kLine * kLine};
  for_each_point(plan, frame, Order::Forward, [&](const Point&) { ++out.positions; });
  Pieces pieces(indexed_slots(plan, frame), table_bytes);
  out.count = sets_wanted(pieces.count(), out.positions, out.bytes);
  Result<Storage> storage =
      zeros(static_cast<std::int64_t>(out.count * out.bytes), "the tiles of indices");
  if (!storage) return std::move(storage).error();
  out.storage = std::move(*storage);
  for (std::uint64_t set = 0; set < out.count; ++set) {
    std::byte* const tile = out.storage.bytes.data() + set * out.bytes;
    for_each_point(plan, frame, Order::Forward, [&](const Point& at) {
      const std::uint64_t slot = indices.next();
      pieces.meet(slot);
      std::memcpy(tile + at.index, &slot, plan.index_size);
    });
  }
  out.met = pieces.share();
  return out;
}

}  // namespace

TimedMemory::TimedMemory(const BoundSpec& bound, OperandStore operands)
    : operands_(std::move(operands)),
      frame_(operands_.frame()),
      direction_(bound.plan().direction) {
  for (const OperandStore::Held& held : operands_.operands()) {
    fill_with_numbers(held.bytes(), dtype_of(bound.spec(), held.operand.role));
    const bool is_table = held.operand.rank >= 0 || held.bytes().data() == frame_.table;
    if (is_table) tables_.push_back(held.bytes());
    if (held.bytes().data() == frame_.tile) tile_ = held.bytes();
  }
}

Result<TimedMemory> TimedMemory::make(const BoundSpec& bound, IndexStream indices) {
  Result<OperandStore> operands = OperandStore::make(bound.spec(), bound.plan());
  if (!operands) return std::move(operands).error();
  TimedMemory out(bound, std::move(*operands));
  if (!bound.plan().has_index()) return out;
  Result<IndexSets> sets = make_index_sets(bound, out.frame_, out.table_bytes(), indices,
                                           out.operands_.bytes_of({Role::Index}).size());
  if (!sets) return std::move(sets).error();
  out.sets_ = std::move(*sets);
  return out;
}

const Frame& TimedMemory::next_frame() {
  if (sets_.count == 0) return frame_;
  frame_.index = sets_.storage.bytes.data() + next_set_ * sets_.bytes;
  if (++next_set_ == sets_.count) next_set_ = 0;
  return frame_;
}

void TimedMemory::copy(std::int64_t bytes) {
  if (table_bytes() == 0 || tile_.empty()) return;
  std::size_t tile_at = 0;
  for (auto left = static_cast<std::size_t>(bytes); left > 0;) {
    const std::span<std::byte> table = tables_[copy_table_].subspan(copy_at_);
    const std::span<std::byte> tile = tile_.subspan(tile_at);
    const std::size_t piece = std::min({left, table.size(), tile.size()});
    direction_ == Direction::ToTable ? std::memcpy(table.data(), tile.data(), piece)
                                     : std::memcpy(tile.data(), table.data(), piece);
    left -= piece;
    tile_at = piece == tile.size() ? 0 : tile_at + piece;
    copy_at_ += piece;
    if (piece < table.size()) continue;
    copy_at_ = 0;
    copy_table_ = (copy_table_ + 1) % tables_.size();
  }
}

bool TimedMemory::flush() const {
  bool is_done = true;
  for (const OperandStore::Held& held : operands_.operands())
    is_done = flush_lines(held.bytes()) && is_done;
  return flush_lines(sets_.storage.bytes) && is_done;
}

double TimedMemory::table_bytes() const {
  std::size_t bytes = 0;
  for (const std::span<std::byte> table : tables_) bytes += table.size();
  return static_cast<double>(bytes);
}

double TimedMemory::bytes_touched() const {
  return table_bytes() * sets_.met + static_cast<double>(tile_.size() + sets_.storage.bytes.size());
}

std::size_t TimedMemory::page_size() const { return page_size_under(tables_.front()); }

}  // namespace pto::jit::cli

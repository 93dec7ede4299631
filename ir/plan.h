// KernelPlan: the meaning of a legal spec with its target no longer mentioned. An affine walk over
// positions, an index for each, the address it resolves to, and the unit that moves there. Two
// specs that behave alike have equal plans. docs/plan.md says each field in one sentence.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ir/amount.h"
#include "ir/spec.h"

namespace pto::jit {

enum class Direction : std::uint8_t { ToTable, ToTile };

// Which of several writers of one slot must survive.
enum class Writer : std::uint8_t { Any, Last, InOrder };

std::string_view name_of(Writer writer);

// One loop of the walk, outermost first. All steps are bytes.
struct Level {
  Amount extent = 1;
  std::int64_t index_step = 0;
  Amount tile_step;
  Amount table_step;  // for walks without an index

  bool operator==(const Level&) const = default;
};

// One digit of a slot, least significant first: the slot modulo `radix`, times `step` bytes. The
// last digit takes what is left and has radix 0.
struct Digit {
  Amount radix;
  Amount step;

  bool operator==(const Digit&) const = default;
};

struct Repeat {
  Amount count = 1;
  Amount table_step;
  Amount tile_step;

  bool operator==(const Repeat&) const = default;
};

// What one index moves: `run` contiguous bytes, repeated.
struct MoveUnit {
  Amount run;
  Repeat inner;
  Repeat outer;

  bool operator==(const MoveUnit&) const = default;
};

// How an audit visits the indices: row-major, by positions r*cols + c.
struct AuditWalk {
  bool is_on = false;
  bool counts_collisions = false;
  Amount rows;
  Amount cols;
  std::int64_t row_step = 0;  // bytes of the index tile
  std::int64_t col_step = 0;

  bool operator==(const AuditWalk&) const = default;
};

// Of a scatter that is done in parts: the slots that one of them may write.
struct SlotRange {
  bool is_on = false;
  Amount first;
  Amount count;

  bool operator==(const SlotRange&) const = default;
};

struct KernelPlan {
  Direction direction = Direction::ToTable;
  std::uint8_t element_size = 1;
  DType number =
      DType::U8;  // what combine computes in; the unsigned type of its size when nothing does
  std::uint8_t index_size = 0;  // bytes of an index; 0: the walk itself addresses the table
  std::uint8_t level_count = 1;
  std::uint8_t digit_count = 0;
  Oob oob = Oob::Undefined;  // Skip leaves the written side alone, Zero clears the unit
  Atomic combine = Atomic::None;
  Writer writer = Writer::Any;

  std::int64_t fill_bytes = 0;  // of the written side, cleared first
  Amount gate = 1;              // nothing moves when this is zero
  std::array<Level, 3> levels{};
  std::int64_t block =
      0;  // above 0: the first level counts columns in blocks, the last one within a block
  Amount capacity;
  std::array<Digit, 5> digits{};
  MoveUnit unit;
  std::int64_t table_base = 0;  // bytes
  std::int32_t ranks = 0;       // above 0: the walk is done for each rank's own table
  Amount rank_step;             // bytes of the tile side from one rank's part to the next
  AuditWalk audit;
  SlotRange own;

  bool has_index() const { return index_size > 0; }
  bool operator==(const KernelPlan&) const = default;
};

// Calls `visit` with every amount of a plan.
template <class Visit>
void for_each_amount(const KernelPlan& plan, Visit&& visit) {
  visit(plan.gate);
  for (const Level& level : plan.levels) {
    visit(level.extent);
    visit(level.tile_step);
    visit(level.table_step);
  }
  visit(plan.capacity);
  for (const Digit& digit : plan.digits) {
    visit(digit.radix);
    visit(digit.step);
  }
  visit(plan.unit.run);
  for (const Repeat* repeat : {&plan.unit.inner, &plan.unit.outer}) {
    visit(repeat->count);
    visit(repeat->table_step);
    visit(repeat->tile_step);
  }
  visit(plan.rank_step);
  visit(plan.audit.rows);
  visit(plan.audit.cols);
  visit(plan.own.first);
  visit(plan.own.count);
}

// The steps line by line, as `ptojit plan` shows them. A plan does not know its operation; where
// it is said, dimensions are named after its operands, elsewhere after their roles.
std::string print(const KernelPlan& plan, std::optional<Op> op = {});

// On one line, nothing left out: equal exactly when the plans are.
std::string print_line(const KernelPlan& plan, std::optional<Op> op = {});

// The runtime dimensions a kernel of this plan reads from its frame.
std::vector<Dim> dims_read(const KernelPlan& plan);

}  // namespace pto::jit

// The x86-64 emitter: writes down what the walks of ir/walk.h ask for. Indices come in groups,
// their lanes in a vector or still in memory, and one by one where a group is not full. A mask is a
// comparison still to be made.
#pragma once

#include <algorithm>

#include "ir/plan.h"
#include "jit/strategy.h"
#include "jit/xbyak/assembler.h"
#include "jit/xbyak/elements.h"

namespace pto::jit::xbyak {

class Emitter {
 public:
  using Value = Held;

  // The numbers of a group, or the walk's own place in the table.
  struct Index {
    enum class In : std::uint8_t { Walk, Register, Memory, Vector };
    In in = In::Walk;
    Loan reg;         // Register: the one number
    int vector = -1;  // Vector: 32-bit lanes; Memory: as the index tile has them
    Amount step = 1;  // what each lane is still to be multiplied with
  };
  struct Mask {
    enum class Kind : std::uint8_t { Always, Below, Flag, Lanes };
    Kind kind = Kind::Always;
    Index value;  // Below: compared with `limit`; Flag: 0 and 1
    Amount limit;
    Loan dead;  // Lanes: a bit for each lane that is not live
    bool is_inverted = false;
  };
  struct Position {};  // where the walk's registers stand
  // Where a unit lies. Registers of its own only when the unit has to be walked itself.
  struct Place {
    Xbyak::RegExp table;
    Xbyak::RegExp tile;
    Loan table_reg;
    Loan tile_reg;
  };
  struct Parts {
    Index quotient;
    Index remainder;
  };

  Emitter(Assembler& a, const KernelPlan& plan, const Strategy& strategy);

  // Around a walk: the frame is read into registers and slots, the rest comes after.
  void begin();
  void end();

  // Indices.
  Index load_index(const Position&);
  Index walked_table(const Position&) { return {}; }
  Index at_most_last(const Index& index, const Amount& capacity);
  Index modulo(const Index& index, const Amount& capacity);
  Index scaled(const Index& index, const Amount& step);
  void accumulate(Index& sum, const Index& term) { a_.add(sum.reg.reg(), term.reg.reg()); }
  Parts divided(const Index& index, const Amount& radix);

  // Masks.
  Mask always() { return {}; }
  Mask below(const Index& index, const Amount& limit);
  Mask inverted(const Mask& mask) const;

  // The walk.
  template <class Body>
  void when_nonzero(const Amount& gate, Body&& body) {
    if (gate.is_static()) return body();
    Xbyak::Label skip;
    a_.cmp(a_[a_.slot_of(gate)], 0);
    a_.je(skip, Assembler::T_NEAR);
    body();
    a_.L(skip);
  }
  template <class Body>
  void each_rank(Body&& body) {
    if (plan_.ranks == 0) return body();
    Xbyak::Label again;
    start_ranks();
    a_.L(again);
    enter_rank();
    body();
    leave_rank(again);
  }
  template <class Body>
  void positions(Body&& body) {
    load_pointers();
    level(0, body);
  }

  // Moving.
  template <class Body>
  void each_lane(const Position&, const Index& far, const Mask& live, Body&& body) {
    for (int lane = 0; lane < lanes_; lane += 2) {
      const LanePair pair = lane_pair(far, lane);
      for (int i = lane; i < std::min(lane + 2, lanes_); ++i) {
        Xbyak::Label dead;
        jump_if_not(live, i, dead);
        body(place_of(far, pair[i - lane], i));
        a_.L(dead);
      }
    }
  }
  template <class Body>
  void repeat(const Repeat& repeat, const Place& place, Body&& body) {
    if (repeat.count.is(1)) return body(place);
    Xbyak::Label again;
    Xbyak::Label done;
    const RepeatSlots slots = start_repeat(repeat, place, done);
    a_.L(again);
    body(place);
    step_repeat(repeat, place, slots);
    a_.jnz(again, Assembler::T_NEAR);
    a_.L(done);
  }
  template <class Body>
  void each_element(const Place& place, const Amount& run, Body&& body) {
    if (run.is(plan_.element_size)) return body(place);
    const Loan left = a_.take();
    a_.load(left.reg(), run);
    const int wide = elements_.vector_bytes(plan_.combine);
    if (wide > 0) element_loop(place, left.reg(), wide, body);
    element_loop(place, left.reg(), plan_.element_size, body);
  }
  void copy(const Place& place, const Amount& run);
  void clear_tile(const Place& place, const Amount& run);
  void clear_written(std::int64_t bytes);

  Value load_table(const Place& place) { return loaded(Held::Table, place.table); }
  Value load_tile(const Place& place) { return loaded(Held::Tile, place.tile); }
  void store_table(const Place& place, Value value) { elements_.store(value, place.table); }
  Value sum(Value a, Value b) { return elements_.sum(a, b); }
  Value pick_if_less(Value a, Value b, Value yes, Value no) {
    return elements_.pick_if_less(a, b, yes, no);
  }

  // Auditing: positions are counted, slots remembered in the frame's scratch memory.
  void reset_report();
  template <class Body>
  void audit_positions(Body&& body) {
    Xbyak::Label rows, cols, next_row, done;
    start_audit(done);
    a_.L(rows);
    start_audit_row(next_row);
    a_.L(cols);
    body(Position{});
    step_audit(cols);
    a_.L(next_row);
    step_audit_row(rows);
    a_.L(done);
  }
  void count_outside(const Position&, const Mask& outside);
  void forget_slots();
  Mask first_seen(const Index& slot, const Mask& live);
  void count_repeated(const Position&, const Mask& live, const Mask& first);

 private:
  struct RepeatSlots {
    StackSlot table, tile, count;
  };
  struct LevelSlots {
    StackSlot count, index, tile, table;
  };

  // Loops over level `depth` and those inside it. The innermost takes whole groups first.
  template <class Body>
  void level(std::size_t depth, Body&& body) {
    if (depth == plan_.level_count) return body(Position{});
    if (plan_.levels[depth].extent.is(1) && plan_.block == 0) return level(depth + 1, body);
    Xbyak::Label again, done;
    const LevelSlots slots = start_level(depth, done);
    if (is_innermost(depth) && has_groups()) group_loop(body, done);
    if (!is_innermost(depth) || has_singles()) {
      a_.L(again);
      enter_level(depth, slots);
      level(depth + 1, body);
      step_level(depth, slots);
      a_.jg(again, Assembler::T_NEAR);
    }
    a_.L(done);
  }
  template <class Body>
  void group_loop(Body&& body, Xbyak::Label& done) {
    Xbyak::Label again, singles;
    start_groups(singles);
    a_.L(again);
    lanes_ = strategy_.group;
    body(Position{});
    lanes_ = 1;
    step_group(again);
    a_.L(singles);
    if (!has_singles()) return;
    a_.test(a_.at.count, a_.at.count);
    a_.jz(done, Assembler::T_NEAR);
  }
  // Whether a whole group can come up in the innermost loop, and whether less than one can.
  bool has_groups() const;
  bool has_singles() const;
  void start_groups(Xbyak::Label& singles);
  void step_group(Xbyak::Label& again);
  bool is_innermost(std::size_t depth) const { return depth + 1 == plan_.level_count; }
  bool counts_blocks(std::size_t depth) const { return plan_.block > 0 && depth == 0; }
  LevelSlots start_level(std::size_t depth, Xbyak::Label& done);
  void enter_level(std::size_t depth, const LevelSlots& slots);
  void step_level(std::size_t depth, const LevelSlots& slots);

  // Elements while at least `step` bytes are left; a plain loop for the last and smallest step.
  template <class Body>
  void element_loop(const Place& place, const Xbyak::Reg64& left, int step, Body&& body) {
    Xbyak::Label again, done;
    elements_.use_vectors(step > plan_.element_size);
    a_.L(again);
    a_.cmp(left, step);
    a_.jb(done, Assembler::T_NEAR);
    body(place);
    a_.add(place.table_reg.reg(), step);
    a_.add(place.tile_reg.reg(), step);
    a_.sub(left, step);
    a_.jmp(again, Assembler::T_NEAR);
    a_.L(done);
    elements_.use_vectors(false);
  }

  Value loaded(Held which, const Xbyak::RegExp& from) {
    elements_.load(which, from);
    return which;
  }

  void keep_amounts();
  void keep_magic(const Amount& divisor);
  void keep_pointers();
  void load_pointers();
  void start_ranks();
  void enter_rank();
  void leave_rank(Xbyak::Label& again);
  using LanePair = std::array<Loan, 2>;
  void jump_if_not(const Mask& mask, int lane, Xbyak::Label& to);
  LanePair lane_pair(const Index& far, int lane);
  Place place_of(const Index& far, const Loan& number, int lane);
  Xbyak::RegExp table_at(const Index& far, const Loan& number);
  bool unit_is_direct() const;
  Parts divided_by_constant(const Loan& index, std::int64_t divisor);
  Parts divided_by_slot(const Loan& index, const Amount& divisor);

  // Whole groups.
  bool is_group() const { return lanes_ > 1; }
  void keep_limits();
  void as_vector(const Index& index, int to);
  Index wrapped_group(const Index& index, const Amount& capacity);
  void repair_wrap(int vector, const Amount& capacity);
  Index clamped_group(const Index& index);
  Mask below_group(const Index& index);
  void multiply(const Xbyak::Reg64& number, const Amount& step);
  RepeatSlots start_repeat(const Repeat& repeat, const Place& place, Xbyak::Label& done);
  void step_repeat(const Repeat& repeat, const Place& place, const RepeatSlots& slots);

  void start_audit(Xbyak::Label& done);
  void start_audit_row(Xbyak::Label& next_row);
  void step_audit(Xbyak::Label& cols);
  void step_audit_row(Xbyak::Label& rows);
  void count(std::size_t count_field, std::size_t first_field);

  struct Magic {
    Amount divisor;
    StackSlot divisor_slot;  // never zero
    StackSlot slot;          // floor((2^64 - 1) / divisor)
  };
  const Magic& magic_of(const Amount& divisor) const;

  Assembler& a_;
  const KernelPlan& plan_;
  const Strategy strategy_;
  Elements elements_;
  int lanes_ = 1;                                               // of the group being written
  StackSlot index_, tile_, table_;                              // base pointers
  StackSlot ranks_, ranks_left_;                                // communication
  StackSlot block_width_;                                       // columns of the current block
  StackSlot report_, scratch_, position_, rows_left_, row_at_;  // audit
  std::array<Magic, 6> magics_{};
  std::size_t magic_count_ = 0;
};

}  // namespace pto::jit::xbyak

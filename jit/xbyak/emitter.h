// The x86-64 emitter: writes down what the walks of ir/walk.h ask for. Indices come in groups,
// their lanes in a vector or still in memory, and one by one where a group is not full. A mask is a
// comparison still to be made.
#pragma once

#include <algorithm>

#include "ir/plan.h"
#include "jit/xbyak/assembler.h"
#include "jit/xbyak/elements.h"
#include "jit/xbyak/strategy.h"

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
    enum class Kind : std::uint8_t { Always, Below, Flag, Lanes, Vector };
    Kind kind = Kind::Always;
    Index value;  // Below: compared with `limit`; Flag: 0 and 1
    Amount limit;
    Loan dead;  // Lanes: a bit for each lane that is not live; Vector: in k2 or a vector
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

  // Does one of two walks: the first where indices outnumber the slots as the strategy says.
  template <class Backward, class Forward>
  void newest_first_if_crowded(Backward&& backward, Forward&& forward);

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
  void each_rank(Body&& body);
  template <class Body>
  void positions(Body&& body) {
    load_pointers();
    if (strategy_.form == UnitForm::Registers) load_table_registers();
    level(0, body);
  }
  // One level, newest first, until every slot has been seen.
  template <class Body>
  void positions_backward(Body&& body);

  // Moving.
  template <class Body>
  void each_lane(const Position&, const Index& far, const Mask& live, Body&& body);

  // Vectors of elements: the table's in one register, the tile's in another.
  bool moves_vectors(const Position& = {}) const {
    return is_group() && strategy_.form != UnitForm::Lanes;
  }
  Value gather(const Index& far, const Mask& live);
  void scatter(const Index& far, Value value, const Mask& live);
  Value load_tiles(const Position&);
  void store_tiles(const Position&, Value value, const Mask& where);
  template <class Vector, class Lanes>
  void when_distinct(const Index& far, const Mask& live, Vector&& vector, Lanes&& lanes);
  template <class Body>
  void repeat(const Repeat& repeat, const Place& place, Body&& body);
  template <class Body>
  void each_element(const Place& place, const Amount& run, Body&& body);
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
  void audit_positions(Body&& body);
  void count_outside(const Position&, const Mask& outside);
  void forget_slots();
  Mask first_seen(const Index& slot, const Mask& live);
  void count_repeated(const Position&, const Mask& live, const Mask& first);

 private:
  static constexpr int kTurns = 4;

  struct RepeatSlots {
    StackSlot table, tile, count;
  };
  struct LevelSlots {
    StackSlot count, index, tile, table;
  };

  template <class Body>
  void lane_after_lane(const Index& far, const Mask& live, Body&& body);

  // Loops over level `depth` and those inside it. The innermost takes whole groups first.
  template <class Body>
  void level(std::size_t depth, Body&& body);
  // One loop for each way the units of whole groups are moved, the first that its test lets in;
  // then what is left of a vector form, masked.
  template <class Body>
  void group_loops(Body&& body, Xbyak::Label& done);
  // Whole groups, `turns` of them in one go. A loop of several is there to be left for one of one.
  template <class Body>
  void turn_loop(int turns, Body&& body, Xbyak::Label& rest);
  template <class Body>
  void write_rest(Body&& body, Xbyak::Label& done);

  // How the runs of whole groups are copied. Of a length known only at run time: Exact, when it is
  // `pieces` of `width` bytes; Ends, by as many from either end; Loop, any longer one. Stream: a
  // known length, around the caches.
  struct GroupWay {
    enum class Kind : std::uint8_t { Plain, Exact, Ends, Loop, Stream };
    Kind kind = Kind::Plain;
    int width = 0;
    int pieces = 0;
  };
  struct GroupWays {
    std::array<GroupWay, 20> all;
    std::size_t count = 0;
  };
  GroupWays group_ways() const;
  bool copies_ends() const { return way_.kind == GroupWay::Kind::Ends; }
  void enter_way(const GroupWay& way, Xbyak::Label& next);
  void leave_way();
  void start_prefetch();
  void prefetch_rows();
  std::int64_t known_bytes(const Amount& run) const;

  // Whether groups are taken at all, whether a whole one can come up in the innermost loop, and
  // whether single indices can be left for a loop of their own.
  bool has_groups() const;
  bool has_whole_groups() const;
  bool leaves_some() const;
  bool has_singles() const;
  bool may_refuse_groups() const;
  bool masks_rest() const;
  void start_groups(Xbyak::Label& singles, Xbyak::Label& rest);
  void leave_groups();
  bool repeats_groups() const;
  bool start_turns(int turns, Xbyak::Label& fewer);
  void step_groups(int turns, Xbyak::Label& again);
  Xbyak::RegExp index_here() const;
  Xbyak::RegExp tile_here() const;
  void start_rest(Xbyak::Label& done);
  bool is_innermost(std::size_t depth) const { return depth + 1 == plan_.level_count; }
  bool counts_blocks(std::size_t depth) const { return plan_.block > 0 && depth == 0; }
  LevelSlots start_level(std::size_t depth, Xbyak::Label& done);
  void enter_level(std::size_t depth, const LevelSlots& slots);
  void step_level(std::size_t depth, const LevelSlots& slots);

  // Elements while at least `at_once` steps are left.
  struct ElementSteps {
    Xbyak::Reg64 left;  // bytes
    int step;
    int at_once;
  };
  template <class Body>
  void element_loop(const Place& place, const ElementSteps& steps, Body&& body);

  // A short run that combines, the widest vectors first.
  template <class Body>
  void written_elements(const Place& place, std::int64_t from, std::int64_t bytes, Body&& body);

  // The inner repeat around a short run: in registers that the run leaves alone, four at a time
  // while steps are known.
  template <class Body>
  void inner_loop(const Place& place, Body&& body);
  template <class Body>
  void inner_steps(const Place& place, const Xbyak::Reg64& left, int at_once, Body&& body);

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
  static Place moved(const Place& place, std::int64_t table, std::int64_t tile);
  bool run_is_direct() const;
  bool is_written_out(const Repeat& repeat) const;
  bool unit_is_direct() const;
  void step_inner(const Place& place, int times);
  Parts divided_by_constant(const Loan& index, std::int64_t divisor);
  Parts divided_by_slot(const Loan& index, const Amount& divisor);

  // Whole groups.
  bool is_group() const { return lanes_ > 1; }
  Xbyak::Xmm lanes_in(int vector) const;
  void broadcast(int to);
  void keep_limits();
  void keep_wrap();
  void as_vector(const Index& index, int to);
  Index wrapped_group(const Index& index, const Amount& capacity);
  void repair_wrap(int vector, const Amount& capacity);
  void repair_wrap_wide(int vector);
  Index clamped_group(const Index& index);
  Mask below_group(const Index& index);
  Index scaled_group(const Index& index, const Amount& step);

  // Vectors of elements.
  int narrowing() const { return 4 / plan_.element_size; }
  std::int64_t slots_short() const;
  void keep_vector_limits();
  void load_table_registers();
  Xbyak::Opmask spent_mask(const Mask& live);
  Value gathered(const Index& far, const Mask& live);
  Value looked_up();
  Value loaded_lanes(const Index& far);
  Value widened_tiles();
  void store_spread();
  void store_lanes(const Index& far, Value value);
  void jump_if_lanes_meet(const Index& far, const Mask& live, Xbyak::Label& meet);
  bool spreads_everything() const;

  // Newest first.
  bool jump_if_sparse(Xbyak::Label& sparse);  // whether there is a way to jump at all
  void start_backward(Xbyak::Label& done);
  void step_backward(Xbyak::Label& again);
  Mask first_in_bitmap(const Index& slot, const Mask& live);
  void clear_bitmap();
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
  bool is_backward_ = false;
  int turn_ = 0;            // of the groups that are written in one go
  bool is_rest_ = false;    // the group being written is masked by k1
  bool has_lanes_ = false;  // its indices have been loaded into a vector
  GroupWay way_;            // of the group being written
  Loan biased_;             // the table's middle, as far as signed 32-bit lanes go
  Loan run_;                // bytes of a run, in ways that have a width
  StackSlot prefetch_at_;
  Loan pitch_;                   // bytes from slot to slot, where that is known only at run time
  StackSlot seen_, slots_left_;  // newest first: a bit for each slot
  Xbyak::Label* seen_before_ = nullptr;
  std::array<Magic, 6> magics_{};
  std::size_t magic_count_ = 0;
};

}  // namespace pto::jit::xbyak

#include "jit/xbyak/emitter_loops.h"

// The emitter's loops: those verbs and parts of verbs that write code around a body. Part of
// emitter.h, which says what each is for.
#pragma once

#include "jit/xbyak/emitter.h"

namespace pto::jit::xbyak {

template <class Backward, class Forward>
void Emitter::newest_first_if_crowded(Backward&& backward, Forward&& forward) {
  Xbyak::Label sparse, done;
  const bool is_certain = !jump_if_sparse(sparse);
  is_backward_ = true;
  backward();
  is_backward_ = false;
  if (is_certain) return;
  a_.jmp(done, Assembler::T_NEAR);
  a_.L(sparse);
  forward();
  a_.L(done);
}

template <class Body>
void Emitter::each_rank(Body&& body) {
  if (plan_.ranks == 0) return body();
  Xbyak::Label again;
  start_ranks();
  a_.L(again);
  enter_rank();
  body();
  leave_rank(again);
}

template <class Body>
void Emitter::positions_backward(Body&& body) {
  Xbyak::Label again, done;
  start_backward(done);
  a_.L(again);
  Xbyak::Label next;
  seen_before_ = &next;
  body(Position{});
  a_.dec(a_[slots_left_]);
  a_.jz(done, Assembler::T_NEAR);
  a_.L(next);
  step_backward(again);
  a_.L(done);
}

template <class Body>
void Emitter::each_lane(const Position&, const Index& far, const Mask& live, Body&& body) {
  if (live.kind != Mask::Kind::Lanes) return lane_after_lane(far, live, body);
  Xbyak::Label mixed, done;
  a_.test(live.dead.low(), live.dead.low());
  if (live.is_inverted) {
    a_.jz(done, Assembler::T_NEAR);
  } else {
    a_.jnz(mixed, Assembler::T_NEAR);
    lane_after_lane(far, always(), body);
    a_.jmp(done, Assembler::T_NEAR);
    a_.L(mixed);
  }
  lane_after_lane(far, live, body);
  a_.L(done);
}

template <class Vector, class Lanes>
void Emitter::when_distinct(const Index& far, const Mask& live, Vector&& vector, Lanes&& lanes) {
  Xbyak::Label meet, done;
  jump_if_lanes_meet(far, live, meet);
  elements_.use_vectors(lanes_ * plan_.element_size);
  vector();
  elements_.use_vectors(0);
  a_.jmp(done, Assembler::T_NEAR);
  a_.L(meet);
  lanes();
  a_.L(done);
}

template <class Body>
void Emitter::repeat(const Repeat& repeat, const Place& place, Body&& body) {
  if (repeat.count.is(1)) return body(place);
  const bool is_inner = &repeat == &plan_.unit.inner;
  if (is_written_out(repeat) && (is_inner || unit_is_direct())) {
    for (std::int64_t i = 0; i < repeat.count.factor; ++i)
      body(moved(place, i * repeat.table_step.factor, i * repeat.tile_step.factor));
    return;
  }
  if (is_inner && run_is_direct()) return inner_loop(place, body);
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
void Emitter::each_element(const Place& place, const Amount& run, Body&& body) {
  if (run.is(plan_.element_size)) return body(place);
  if (run_is_direct()) return written_elements(place, 0, run.factor, body);
  const Loan left = a_.take();
  a_.load(left.reg(), run);
  const int wide = elements_.vector_bytes(plan_.combine);
  if (wide > 0) element_loop(place, {left.reg(), wide, 4}, body);
  if (wide > 0 && run.is_static()) return written_elements(place, 0, run.factor % (4 * wide), body);
  if (wide > 16) element_loop(place, {left.reg(), 16, 1}, body);
  element_loop(place, {left.reg(), plan_.element_size, 1}, body);
}

template <class Body>
void Emitter::audit_positions(Body&& body) {
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

template <class Body>
void Emitter::lane_after_lane(const Index& far, const Mask& live, Body&& body) {
  for (int lane = 0; lane < lanes_; lane += 2) {
    const LanePair pair = lane_pair(far, lane);
    for (int i = lane; i < std::min(lane + 2, lanes_); ++i) {
      if (live.kind == Mask::Kind::Always) {  // labels are what takes an assembler longest
        body(place_of(far, pair[i - lane], i));
        continue;
      }
      Xbyak::Label dead;
      jump_if_not(live, i, dead);
      body(place_of(far, pair[i - lane], i));
      a_.L(dead);
    }
  }
}

template <class Body>
void Emitter::level(std::size_t depth, Body&& body) {
  if (depth == plan_.level_count) return body(Position{});
  if (plan_.levels[depth].extent.is(1) && plan_.block == 0) return level(depth + 1, body);
  Xbyak::Label again, done;
  const LevelSlots slots = start_level(depth, done);
  if (is_innermost(depth) && has_groups()) group_loops(body, done);
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
void Emitter::group_loops(Body&& body, Xbyak::Label& done) {
  Xbyak::Label singles, rest;
  start_groups(singles, rest);
  const GroupWays ways = group_ways();
  for (std::size_t i = 0; i < ways.count && has_whole_groups(); ++i) {
    Xbyak::Label next;
    enter_way(ways.all[i], next);
    if (repeats_groups()) turn_loop(kTurns, body, rest);
    turn_loop(1, body, rest);
    leave_way();
    if (i + 1 < ways.count) a_.jmp(rest, Assembler::T_NEAR);
    a_.L(next);
  }
  a_.L(rest);
  if (masks_rest()) write_rest(body, done);
  a_.L(singles);
  leave_groups();
  if (masks_rest() || !has_singles()) return;
  a_.test(a_.at.count, a_.at.count);
  a_.jz(done, Assembler::T_NEAR);
}

template <class Body>
void Emitter::turn_loop(int turns, Body&& body, Xbyak::Label& rest) {
  Xbyak::Label again, fewer;
  if (!start_turns(turns, turns == 1 && repeats_groups() ? rest : fewer)) return;
  a_.L(again);
  lanes_ = strategy_.group;
  if (strategy_.prefetch > 0 && way_.kind != GroupWay::Kind::Stream) prefetch_rows();
  for (turn_ = 0; turn_ < turns; ++turn_) body(Position{});
  turn_ = 0;
  lanes_ = 1;
  step_groups(turns, again);
  a_.L(fewer);
}

template <class Body>
void Emitter::write_rest(Body&& body, Xbyak::Label& done) {
  if (leaves_some()) {
    start_rest(done);
    is_rest_ = true;
    lanes_ = strategy_.group;
    body(Position{});
    lanes_ = 1;
    is_rest_ = false;
  }
  if (has_singles()) a_.jmp(done, Assembler::T_NEAR);
}

template <class Body>
void Emitter::element_loop(const Place& place, const ElementSteps& steps, Body&& body) {
  const int bytes = steps.step * steps.at_once;
  Xbyak::Label again, done;
  elements_.use_vectors(steps.step > plan_.element_size ? steps.step : 0);
  a_.cmp(steps.left, bytes);
  a_.jb(done, Assembler::T_NEAR);
  a_.L(again);
  for (int at = 0; at < bytes; at += steps.step) body(moved(place, at, at));
  a_.add(place.table_reg.reg(), bytes);
  a_.add(place.tile_reg.reg(), bytes);
  a_.sub(steps.left, bytes);
  a_.cmp(steps.left, bytes);
  a_.jae(again, Assembler::T_NEAR);
  a_.L(done);
  elements_.use_vectors(0);
}

template <class Body>
void Emitter::written_elements(const Place& place, std::int64_t from, std::int64_t bytes,
                               Body&& body) {
  std::int64_t at = from;
  for (int wide = elements_.vector_bytes(plan_.combine); wide >= 16; wide /= 2) {
    elements_.use_vectors(wide);
    for (; bytes - at >= wide; at += wide) body(moved(place, at, at));
  }
  elements_.use_vectors(0);
  for (; at < bytes; at += plan_.element_size) body(moved(place, at, at));
}

template <class Body>
void Emitter::inner_loop(const Place& place, Body&& body) {
  const Repeat& inner = plan_.unit.inner;
  const Loan left = a_.take();
  a_.load(left.reg(), inner.count);
  const bool is_long = !inner.count.is_static() || inner.count.factor >= 4;
  const bool by_four = is_long && inner.table_step.is_static() && inner.tile_step.is_static();
  if (by_four) inner_steps(place, left.reg(), 4, body);
  if (!by_four || !inner.count.is_static() || inner.count.factor % 4 != 0)
    inner_steps(place, left.reg(), 1, body);
}

template <class Body>
void Emitter::inner_steps(const Place& place, const Xbyak::Reg64& left, int at_once, Body&& body) {
  const Repeat& inner = plan_.unit.inner;
  Xbyak::Label again, done;
  if (!inner.count.is_static()) {
    a_.cmp(left, at_once);
    a_.jl(done, Assembler::T_NEAR);
  }
  a_.L(again);
  for (int i = 0; i < at_once; ++i)
    body(moved(place, i * inner.table_step.factor, i * inner.tile_step.factor));
  step_inner(place, at_once);
  a_.sub(left, at_once);
  a_.cmp(left, at_once);
  a_.jge(again, Assembler::T_NEAR);
  a_.L(done);
}

}  // namespace pto::jit::xbyak

// Units moved row by row: their repeats, their runs, and the elements of runs that combine.
#pragma once

#include "jit/backends/xbyak/elements.h"
#include "jit/backends/xbyak/part.h"

namespace pto::jit::xbyak {

class Units : Part {
 public:
  Units(const Task& task, const Elements& elements) : Part(task), elements_(elements) {}

  // Whether units are moved where they lie, changing no register.
  bool are_direct(const Way& way) const;

  template <class Body>
  void repeat(const Repeat& repeat, const Place& place, Body&& body);
  // The elements of a run, as many neighbours at once as can be combined.
  template <class Body>
  void each_element(const Place& place, const Amount& run, Body&& body);
  void copy(const Place& place, const Amount& run);
  void clear_tile(const Place& place, const Amount& run);

 private:
  bool run_is_direct(const Way& way) const;
  bool is_peeled(const Way& way) const;
  bool waits_for_line(const Way& way) const;
  void copy_known(const Xbyak::RegExp& to, const Xbyak::RegExp& from, std::int64_t bytes) const;
  static bool steps_fit_addresses(const Repeat& repeat);
  bool is_written_out(const Repeat& repeat, const Way& way) const;
  static bool steps_table(const Repeat& repeat);
  static bool is_stepped_out(const Repeat& repeat);

  // The inner repeat around a short run: in registers that the run leaves alone, four at a time
  // while steps are known and small.
  template <class Body>
  void inner_loop(const Place& place, Body&& body);
  template <class Body>
  void inner_steps(const Place& place, const Xbyak::Reg64& left, int at_once, Body&& body);
  template <class Body>
  void inner_steps_written(const Place& place, int count, Body&& body);
  void step_inner(const Place& place, int times);

  struct RepeatSlots {
    StackSlot table, tile, count;
  };
  RepeatSlots start_repeat(const Repeat& repeat, const Place& place, Label& done);
  void step_repeat(const Repeat& repeat, const Place& place, const RepeatSlots& slots);

  // A short run that combines, the widest vectors first.
  template <class Body>
  void written_elements(const Place& place, std::int64_t bytes, Body&& body);
  // Elements while at least `at_once` steps are left.
  struct ElementSteps {
    Xbyak::Reg64 left;  // bytes
    int step;
    int at_once;
    bool is_known = false;  // there is at least one
  };
  template <class Body>
  void element_loop(const Place& place, const ElementSteps& steps, Body&& body);
  static Place neighbours(const Place& place, std::int64_t at, int wide) {
    Place out = moved(place, at, at);
    out.wide = wide;
    return out;
  }

  const Elements& elements_;
};

template <class Body>
void Units::repeat(const Repeat& repeat, const Place& place, Body&& body) {
  if (repeat.count.is(1)) return body(place);
  const bool is_inner = &repeat == &plan_.unit.inner;
  if (is_written_out(repeat, *place.way) && (is_inner || are_direct(*place.way))) {
    for (std::int64_t i = 0; i < repeat.count.factor; ++i)
      body(moved(place, i * repeat.table_step.factor, i * repeat.tile_step.factor));
    return;
  }
  if (is_inner && run_is_direct(*place.way)) {
    return is_stepped_out(repeat)
               ? inner_steps_written(place, static_cast<int>(repeat.count.factor), body)
               : inner_loop(place, body);
  }
  Label again, done;
  const RepeatSlots slots = start_repeat(repeat, place, done);
  a_.L(again);
  body(place);
  step_repeat(repeat, place, slots);
  a_.jnz(again, Assembler::T_NEAR);
  a_.L(done);
}

template <class Body>
void Units::inner_loop(const Place& place, Body&& body) {
  const Repeat& inner = plan_.unit.inner;
  const Loan left = a_.take();
  a_.load(left.reg(), inner.count);
  const bool is_long = !inner.count.is_static() || inner.count.factor >= 4;
  const bool by_four = is_long && (steps_fit_addresses(inner) || steps_table(inner));
  if (by_four) inner_steps(place, left.reg(), 4, body);
  if (!by_four || !inner.count.is_static() || inner.count.factor % 4 != 0)
    inner_steps(place, left.reg(), 1, body);
}

template <class Body>
void Units::inner_steps(const Place& place, const Xbyak::Reg64& left, int at_once, Body&& body) {
  const Repeat& inner = plan_.unit.inner;
  const bool is_faster = at_once > 1;
  Label again, done;
  if (!inner.count.is_static()) {
    a_.serving_if(is_faster, Purpose::FasterPath, [&] { a_.cmp(left, at_once); });
    a_.jl(done, Assembler::T_NEAR);
  }
  a_.L(again);
  inner_steps_written(place, at_once, body);
  step_inner(place, at_once);
  a_.sub(left, at_once);
  a_.cmp(left, at_once);
  a_.serving_if(is_faster, Purpose::FasterPath, [&] { a_.jge(again, Assembler::T_NEAR); });
  a_.L(done);
}

// What the table's step is may be known only at run time: then it is added behind each.
template <class Body>
void Units::inner_steps_written(const Place& place, int count, Body&& body) {
  const Repeat& inner = plan_.unit.inner;
  const bool steps = !inner.table_step.is_static();
  for (int i = 0; i < count; ++i) {
    body(moved(place, steps ? 0 : i * inner.table_step.factor, i * inner.tile_step.factor));
    if (steps) a_.add_amount(place.table_reg.reg(), inner.table_step);
  }
}

template <class Body>
void Units::each_element(const Place& place, const Amount& run, Body&& body) {
  if (run.is(plan_.element_size)) return body(place);
  if (place.way->kind == Way::Kind::Exact) return written_elements(place, place.way->bytes(), body);
  if (run_is_direct(*place.way)) return written_elements(place, run.factor, body);
  const Loan left = a_.take();
  a_.load(left.reg(), run);
  const int wide = elements_.vector_bytes(plan_.combine);
  if (wide > 0) element_loop(place, {left.reg(), wide, 4}, body);
  if (wide > 0 && run.is_static()) return written_elements(place, run.factor % (4 * wide), body);
  if (wide > 16) element_loop(place, {left.reg(), wide, 1}, body);
  if (wide > 16) element_loop(place, {left.reg(), 16, 1}, body);
  element_loop(place, {left.reg(), plan_.element_size, 1, run.is_static()}, body);
}

template <class Body>
void Units::element_loop(const Place& place, const ElementSteps& steps, Body&& body) {
  const int bytes = steps.step * steps.at_once;
  const int wide = steps.step > plan_.element_size ? steps.step : 0;
  Label again, done;
  a_.serving_if(steps.is_known, Purpose::KnownCount, [&] {
    a_.cmp(steps.left, bytes);
    a_.jb(done, Assembler::T_NEAR);
  });
  a_.L(again);
  for (int at = 0; at < bytes; at += steps.step) body(neighbours(place, at, wide));
  a_.add(place.table_reg.reg(), bytes);
  a_.add(place.tile_reg.reg(), bytes);
  a_.sub(steps.left, bytes);
  a_.cmp(steps.left, bytes);
  a_.jae(again, Assembler::T_NEAR);
  a_.L(done);
}

template <class Body>
void Units::written_elements(const Place& place, std::int64_t bytes, Body&& body) {
  std::int64_t at = 0;
  for (int wide = elements_.vector_bytes(plan_.combine); wide >= 16; wide /= 2)
    for (; bytes - at >= wide; at += wide) body(neighbours(place, at, wide));
  for (; at < bytes; at += plan_.element_size) body(neighbours(place, at, 0));
}

}  // namespace pto::jit::xbyak

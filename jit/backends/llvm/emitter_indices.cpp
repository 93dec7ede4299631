// Index arithmetic. 32-bit numbers until they become addresses: vectors of them are twice as long,
// and division by constants is cheap.
#include <algorithm>

#include "ir/plan_facts.h"
#include "jit/backends/llvm/emitter.h"

namespace pto::jit::llvm_backend {

using Index = Emitter::Index;

// Lanes that are not there are zero, and so the first slot, which is there when anything moves.
Index Emitter::load_index(const Position& at) {
  const Scalar scalar = bits_of_size(plan_.index_size);
  const std::int64_t step = innermost(plan_).index_step;
  if (choices_.ahead > 0 && !at.flat) ask_ahead(at);
  Index out;
  out.leaves = at.leaves;
  if (at.count) {
    out.packed = f_.load_words(at.index, at.lanes, at.count);
    return out;
  }
  if (is_vector(at) && indices_are_neighbours(plan_)) {
    out.packed = f_.extended(f_.load({scalar, at.lanes}, at.index), Scalar::I32);
    out.memory = at.index;
    return out;
  }
  for (int i = 0; i < at.lanes; ++i) {
    const Value raw = f_.load({scalar}, f_.moved(at.index, i * step));
    out.lanes.push_back(f_.extended(raw, Scalar::I32));
  }
  return out;
}

// An index that is read for this is one of the call's: the last ones have nothing ahead of them.
void Emitter::ask_ahead(const Position& at) {
  const Level& level = innermost(plan_);
  const std::int64_t distance = choices_.ahead + at.lanes - 1;
  const Value end = f_.moved(index_, (level.extent.factor - distance) * level.index_step);
  f_.when(f_.is_below(at.index, end), [&] {
    for (int i = 0; i < at.lanes; ++i) {
      const Value next = f_.moved(at.index, (choices_.ahead + i) * level.index_step);
      const Value raw = f_.extended(f_.load({bits_of_size(plan_.index_size)}, next), Scalar::I64);
      const Value row = f_.moved(table_, f_.mul(raw, amounts_[plan_.digits[0].step]));
      f_.ask_for(row, plan_.direction == Direction::ToTable, choices_.ahead > kFarAhead);
    }
  });
}

Index Emitter::walked_table(const Position& at) {
  const Value step = amounts_[innermost(plan_).table_step];
  Index out;
  for (int i = 0; i < at.lanes; ++i) {
    out.lanes.push_back(i == 0 ? at.table : f_.add(at.table, f_.mul(step, f_.number(i))));
  }
  return out;
}

// Two at a time, taken apart by a shift; from memory where they still lie there. LLVM 19 may take a
// pair for its lower half when it knows most bits of the pair to be zero, so what it knows is
// hidden from it.
Index Emitter::unpacked(const Index& index) {
  if (!index.packed) return index;
  const int count = f_.lanes_of(index.packed) / 2;
  const bool is_in_memory = index.memory && plan_.index_size == 4;
  const Value pairs = is_in_memory ? nullptr : f_.regrouped(index.packed, Scalar::I64);
  Index out;
  for (int i = 0; i < count; ++i) {
    const Value pair = is_in_memory ? f_.load({Scalar::I64}, f_.moved(index.memory, i * 8))
                                    : f_.opaque(count == 1 ? pairs : f_.lane(pairs, i));
    out.lanes.push_back(f_.cut(pair, Scalar::I32));
    out.lanes.push_back(f_.cut(f_.shift_right(pair, 32), Scalar::I32));
  }
  return out;
}

Index Emitter::each(const Index& index, const std::function<Value(Value)>& make) {
  Index out;
  if (index.packed) out.packed = make(index.packed);
  for (const Value lane : index.lanes) out.lanes.push_back(make(lane));
  return out;
}

Index Emitter::at_most_last(const Index& index, const Amount& capacity) {
  if (index.leaves) return leave_unless_inside(index);
  const Value last = amounts_.last_slot(capacity);
  return each(index, [&](Value raw) { return f_.least(raw, f_.spread(last, raw)); });
}

// A known capacity divides whole vectors, in range or not. By another one lanes are divided one by
// one, so only vectors with one above it are.
Index Emitter::modulo(const Index& index, const Amount& capacity) {
  if (index.leaves) return leave_unless_inside(index);
  if (!index.packed || capacity.is_static()) return divided(index, capacity).remainder;
  const Value last = f_.spread(amounts_.last_slot(capacity), index.packed);
  const Value is_above = f_.any(f_.is_below(last, index.packed));
  Index out;
  out.packed = f_.value_when(is_above, index.packed, [&] {
    const Index made = divided(index, capacity).remainder;
    return made.packed ? made.packed : f_.packed(made.lanes);
  });
  return out;
}

// What is packed stays so until its lanes are used. Digits are multiplied as words where they fit.
Index Emitter::scaled(const Index& index, const Amount& step) {
  Index out = index;
  if (out.packed && (plan_.digit_count == 1 || has_word_digits())) {
    const bool is_digit = plan_.digit_count > 1;
    if (is_digit) out.packed = f_.mul(out.packed, static_cast<std::uint64_t>(step.factor));
    out.scale = is_digit ? f_.number(1) : amounts_[step];
    if (is_digit) out.memory = nullptr;
    return out;
  }
  return each(unpacked(out),
              [&](Value lane) { return f_.mul(f_.extended(lane, Scalar::I64), amounts_[step]); });
}

void Emitter::accumulate(Index& sum, const Index& term) {
  if (sum.packed) sum.packed = f_.add(sum.packed, term.packed);
  for (std::size_t i = 0; i < sum.lanes.size(); ++i) {
    sum.lanes[i] = f_.add(sum.lanes[i], term.lanes[i]);
  }
}

Index Emitter::taken_apart(const Index& far) {
  if (!far.packed) return far;
  return each(unpacked(far),
              [&](Value lane) { return f_.mul(f_.extended(lane, Scalar::I64), far.scale); });
}

Emitter::Parts Emitter::divided(const Index& index, const Amount& radix) {
  if (radix.is_static()) return divided_by_constant(index, radix.factor);
  return divided_by_divisor(unpacked(index), amounts_.divisor(radix));
}

Emitter::Parts Emitter::divided_by_constant(const Index& index, std::int64_t divisor) {
  if (divisor > 0xffffffff) return {each(index, [&](Value v) { return f_.constant(0, v); }), index};
  const auto by = static_cast<std::uint64_t>(std::max<std::int64_t>(divisor, 1));
  const auto quotient = [&](Value v) { return f_.quotient(v, f_.constant(by, v)); };
  const auto remainder = [&](Value v) { return f_.remainder(v, f_.constant(by, v)); };
  return {each(index, quotient), each(index, remainder)};
}

// The product may give a quotient one too small, which the remainder shows.
Emitter::Parts Emitter::divided_by_divisor(const Index& index, const Divisor& divisor) {
  Parts out;
  for (const Value lane : index.lanes) {
    const Value slot = f_.extended(lane, Scalar::I64);
    const Value quotient = f_.high_product(slot, divisor.multiplier);
    const Value remainder = f_.sub(slot, f_.mul(quotient, divisor.value));
    const Value is_right = f_.is_below(remainder, divisor.value);
    const Value next = f_.add(quotient, 1);
    const Value less = f_.sub(remainder, divisor.value);
    const Value right_quotient = f_.choose(is_right, quotient, next);
    const Value right_remainder = f_.choose(is_right, remainder, less);
    out.quotient.lanes.push_back(f_.cut(right_quotient, Scalar::I32));
    out.remainder.lanes.push_back(f_.cut(right_remainder, Scalar::I32));
  }
  return out;
}

}  // namespace pto::jit::llvm_backend

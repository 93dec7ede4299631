// Index arithmetic. 32-bit numbers until they become addresses: vectors of them are twice as long,
// and division by constants is cheap.
#include <algorithm>
#include <bit>

#include "ir/plan_facts.h"
#include "jit/llvm/emitter.h"

namespace pto::jit::llvm_backend {

using Index = Emitter::Index;

Index Emitter::load_index(const Position& at) {
  const Scalar scalar = bits_of_size(plan_.index_size);
  const std::int64_t step = innermost(plan_).index_step;
  Index out;
  if (is_vector(at) && indices_are_neighbours(plan_)) {
    out.packed = f_.extended(f_.load({scalar, at.lanes}, at.index), Scalar::I32);
    out.is_raw = true;
    return out;
  }
  for (int i = 0; i < at.lanes; ++i) {
    const Value raw = f_.load({scalar}, f_.moved(at.index, i * step));
    out.lanes.push_back(f_.extended(raw, Scalar::I32));
  }
  return out;
}

Index Emitter::walked_table(const Position& at) {
  const Value step = amounts_[innermost(plan_).table_step];
  Index out;
  for (int i = 0; i < at.lanes; ++i) {
    out.lanes.push_back(i == 0 ? at.table : f_.add(at.table, f_.mul(step, f_.number(i))));
  }
  return out;
}

// Two at a time, taken apart by a shift. LLVM 19 may take a pair for its lower half when it knows
// most bits of the pair to be zero, so what it knows is hidden from it.
Index Emitter::unpacked(const Index& index) {
  if (!index.packed) return index;
  const int count = f_.lanes_of(index.packed) / 2;
  const Value pairs = f_.pairs(index.packed);
  const bool is_unknown = index.is_raw && plan_.index_size == 4;
  Index out;
  for (int i = 0; i < count; ++i) {
    const Value taken = count == 1 ? pairs : f_.lane(pairs, i);
    const Value pair = is_unknown ? taken : f_.opaque(taken);
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
  const Value last = amounts_.last_slot(capacity);
  return each(index, [&](Value raw) { return f_.least(raw, f_.spread(last, raw)); });
}

// Lanes are expected to be in range; only a vector with one that is not is divided.
Index Emitter::modulo(const Index& index, const Amount& capacity) {
  const bool is_mask =
      capacity.is_static() && std::popcount(static_cast<std::uint64_t>(capacity.factor)) == 1;
  if (!index.packed || is_mask) return divided(index, capacity).remainder;
  const Value last = f_.spread(amounts_.last_slot(capacity), index.packed);
  const Value is_above = f_.any(f_.is_below(last, index.packed));
  Index out;
  out.packed = f_.value_when(is_above, index.packed, [&] {
    const Index made = divided(index, capacity).remainder;
    return made.packed ? made.packed : f_.packed(made.lanes);
  });
  return out;
}

// Lanes out of range become zero in the end; reading the last slot for them spares a branch.
Index Emitter::followed(const Index& index) {
  const bool reads_any = plan_.oob == Oob::Zero && index.is_raw && plan_.capacity.is_static();
  return reads_any ? at_most_last(index, plan_.capacity) : index;
}

Index Emitter::scaled(const Index& index, const Amount& step) {
  const Index single = unpacked(followed(index));
  return each(single, [&](Value slot) {
    const Value wide = f_.extended(slot, Scalar::I64);
    return f_.mul(wide, amounts_[step]);
  });
}

void Emitter::accumulate(Index& sum, const Index& term) {
  for (std::size_t i = 0; i < sum.lanes.size(); ++i) {
    sum.lanes[i] = f_.add(sum.lanes[i], term.lanes[i]);
  }
}

Emitter::Parts Emitter::divided(const Index& index, const Amount& radix) {
  const Index slot = followed(index);
  if (radix.is_static()) return divided_by_constant(slot, radix.factor);
  return divided_by_divisor(unpacked(slot), amounts_.divisor(radix));
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

// Groups of elements moved as vectors: put together, looked up in registers, combined in batches,
// spread with the zeros between them.
#include <algorithm>

#include "ir/plan_facts.h"
#include "jit/backends/llvm/emitter.h"

namespace pto::jit::llvm_backend {
namespace {

// The bytes of an element that begins at byte 0, and how far those of the next are behind them.
struct ByteNumbers {
  std::uint64_t first;
  std::uint64_t step;
};
constexpr ByteNumbers byte_numbers(int size) {
  return size == 4   ? ByteNumbers{0x03020100, 0x04040404}
         : size == 2 ? ByteNumbers{0x0100, 0x0202}
                     : ByteNumbers{0, 1};
}

}  // namespace

bool Emitter::moves_vectors(const Position& at) const {
  if (choices_.form == Form::Spread) return true;
  if (!is_vector(at) || !fills_vectors(plan_)) return false;
  if (choices_.form == Form::Batches) return true;
  return plan_.direction == Direction::ToTile && plan_.oob != Oob::Skip;
}

Value Emitter::gather(const Index& far, const Mask& live) {
  if (choices_.form == Form::Batches) return elements_.number(gather_bits(far, always()));
  return gather_bits(far, live);
}

// Lanes that are not live read zeros from scratch slots.
Value Emitter::gather_bits(const Index& far, const Mask& live) {
  if (choices_.form == Form::Registers) return gather_held(far, live);
  if (choices_.gathers && far.packed) return gather_words(far, live);
  std::vector<Value> values;
  for (const Value lane : (live.known ? taken_apart(far) : redirected(far, live)).lanes) {
    values.push_back(f_.load({bits_of_size(plan_.element_size)}, f_.moved(table_, lane)));
  }
  return f_.packed(values);
}

Value Emitter::gather_held(const Index& far, const Mask& live) {
  if (choices_.finds_bytes) {
    const auto behind = static_cast<std::uint64_t>(plan_.capacity.factor);
    return bytes_in_registers(live.known ? far.packed
                                         : f_.least(far.packed, f_.constant(behind, far.packed)));
  }
  const Value found = in_registers(far.packed);
  return live.known ? found : f_.choose(live.packed, found, f_.constant(0, found));
}

// By instructions that leave out, as zeros, what is not live.
Value Emitter::gather_words(const Index& far, const Mask& live) {
  const bool is_slot = plan_.digit_count == 1 && plan_.digits[0].step.is(plan_.element_size);
  const Gathering from = {.base = table_,
                          .numbers = far.packed,
                          .element = bits_of_size(plan_.element_size),
                          .scale = is_slot ? plan_.element_size : 1,
                          .vector_lanes = choices_.gathers};
  const Value words = live.known
                          ? f_.gathered(from)
                          : f_.gathered_below(from, live.compared.packed,
                                              static_cast<std::uint64_t>(plan_.capacity.factor));
  return plan_.element_size == 4 ? words : f_.cut(words, from.element);
}

Value Emitter::load_tiles(const Position& at) {
  if (choices_.form == Form::Batches) return elements_.load(at.tile, at.lanes);
  return f_.load({bits_of_size(plan_.element_size), at.lanes}, at.tile);
}

void Emitter::scatter(const Index& far, Value values, const Mask&) {
  if (choices_.form == Form::Batches) {
    const Value bits = f_.same_bits(elements_.bits(values), Scalar::I16);
    const Index near = taken_apart(far);
    for (int i = 0; i < f_.lanes_of(bits); ++i) {
      const Value to = f_.moved(table_, near.lanes[static_cast<std::size_t>(i)]);
      f_.store(f_.lane(bits, i), to);
    }
    return;
  }
  const int distance = spread_of(plan_);
  const std::int64_t first = plan_.table_base / plan_.element_size % distance;
  const Value table = f_.moved(table_, far.lanes.front());
  const Value to = f_.moved(table, -first * plan_.element_size);
  if (choices_.interleaves && f_.lanes_of(values) > 1)
    return f_.store(f_.interleaved(values, distance, static_cast<int>(first)), to);
  const int wide = distance * plan_.element_size;  // bytes
  if (wide > 8)
    return f_.store(f_.with_zeros_between(values, distance, static_cast<int>(first)), to);
  const Value widened = f_.extended(values, bits_of_size(wide));
  f_.store(f_.shift_left(widened, static_cast<unsigned>(first * plan_.element_size * 8)), to);
}

// Each lane is held against half of the others, which hold themselves against the other half.
Value Emitter::is_whole_batch(const Index& far, const Mask& live) {
  const int lanes = f_.lanes_of(far.packed);
  Value meet = f_.is_equal(far.packed, f_.rotated(far.packed, 1));
  for (int by = 2; by <= lanes / 2; ++by) {
    meet = f_.either(meet, f_.is_equal(far.packed, f_.rotated(far.packed, by)));
  }
  const Value is_apart = f_.is_not(f_.any(meet));
  return live.known ? is_apart : f_.both(all_of(live), is_apart);
}

// No byte behind the table is read; zeros stand for those that are not there.
void Emitter::load_registers() {
  const std::int64_t size = choices_.finds_bytes ? 16 : 64;
  const std::int64_t all = *table_bytes(plan_);
  const Scalar scalar = bits_of_size(plan_.element_size);
  const Scalar word = choices_.finds_bytes      ? Scalar::I8
                      : plan_.element_size == 4 ? Scalar::I32
                                                : Scalar::I16;
  for (std::int64_t begin = 0; begin < all; begin += size) {
    const auto count = static_cast<int>(std::min(all - begin, size) / plan_.element_size);
    const Value loaded = f_.load({scalar, count}, f_.moved(table_, begin));
    const auto lanes = static_cast<int>(size / plan_.element_size);
    const Value whole =
        choices_.finds_bytes ? f_.with_zeros(loaded, lanes) : f_.with_lanes(loaded, lanes);
    registers_.push_back(f_.regrouped(whole, word));
  }
}

// A byte behind the table is zero: what is out of range finds those of the slot behind the last.
Value Emitter::bytes_in_registers(Value slots) {
  const ByteNumbers bytes = byte_numbers(plan_.element_size);
  const Scalar scalar = bits_of_size(plan_.element_size);
  const Value numbers = plan_.element_size == 4 ? slots : f_.cut(slots, scalar);
  const Value scaled = f_.add(f_.mul(numbers, bytes.step), bytes.first);
  return f_.regrouped(f_.looked_up(registers_, f_.regrouped(scaled, Scalar::I8)), scalar);
}

// Of bytes, the pair that holds one is found.
Value Emitter::in_registers(Value slots) {
  const int lanes = f_.lanes_of(slots);
  const Value all = f_.with_lanes(slots, f_.lanes_of(registers_[0]));
  const auto found = [&](Value numbers) {
    return f_.looked_up(registers_[0], registers_.size() > 1 ? registers_[1] : nullptr, numbers);
  };
  if (plan_.element_size == 4) return f_.with_lanes(found(all), lanes);
  const Value numbers = f_.cut(all, Scalar::I16);
  if (plan_.element_size == 2) return f_.with_lanes(found(numbers), lanes);
  const Value pairs = found(f_.shift_right(numbers, 1));
  const Value shift = f_.shift_left(f_.both(numbers, 1), 3);
  return f_.with_lanes(f_.cut(f_.shift_right(pairs, shift), Scalar::I8), lanes);
}

bool Emitter::spreads_over_all() const {
  const int distance = spread_of(plan_);
  if (distance == 0 || !plan_.gate.is_static() || plan_.gate.is(0) || plan_.block > 0) return false;
  return plan_.table_base < distance * plan_.element_size && plan_.level_count <= 2 &&
         plan_.levels[0].table_step.is_static();
}

// What lies behind a row's last element, and behind the last row; the rest is written anyway.
void Emitter::clear_around_spread() {
  const Level& rows = plan_.levels[0];
  const Value start = f_.moved(table_, -plan_.table_base);
  const Amount filled = innermost(plan_).extent * innermost(plan_).table_step;
  const bool fills_rows = filled.is_static() && filled.factor >= rows.table_step.factor;
  clear_behind(start, rows, plan_.fill_bytes);
  if (plan_.level_count == 1 || fills_rows) return;
  amounts_.when_positive(rows.extent, [&](Value count) {
    f_.loop(std::array{start, count}, [&](const std::array<Value, 2>& now) {
      clear_behind(now[0], innermost(plan_), rows.table_step.factor);
      return f_.counted_down<2>({f_.moved(now[0], rows.table_step.factor), now[1]});
    });
  });
}

void Emitter::clear_behind(Value from, const Level& level, std::int64_t bytes) {
  const std::int64_t step = level.table_step.factor;
  if (level.extent.is_static()) {
    const std::int64_t filled = level.extent.factor * step;
    if (filled < bytes) runs_.clear(f_.moved(from, filled), length_of(bytes - filled));
    return;
  }
  const Value filled = f_.mul(amounts_[level.extent], f_.number(step));
  const Value left = f_.sub(f_.number(bytes), filled);
  runs_.clear(f_.moved(from, filled), {left, -1, plan_.element_size});
}

}  // namespace pto::jit::llvm_backend

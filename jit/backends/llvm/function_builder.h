// The vocabulary the emitter writes LLVM IR in: values, memory and structured control flow of one
// function. Operations apply to single numbers and, lane by lane, to vectors. Passing a number
// where a value is expected makes a constant of the other operand's type.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "jit/backends/llvm/llvm_backend.h"

namespace llvm {
class BasicBlock;
class Module;
class Type;
class Value;
}  // namespace llvm

namespace pto::jit::llvm_backend {

using Value = llvm::Value*;
using Block = llvm::BasicBlock*;

enum class Scalar : std::uint8_t { I8, I16, I32, I64, F16, F32, Pointer };
struct Type {
  Scalar scalar = Scalar::I64;
  int lanes = 1;
};

inline constexpr std::int64_t kMostStack = 4096;  // bytes

// Memory on the stack. Whoever writes down an access says how far it can go.
struct Room {
  Value start = nullptr;
  std::int64_t bytes = 0;

  // `at`; aborts unless the room holds `count` bytes from there on.
  std::int64_t within(std::int64_t at, std::int64_t count) const;
};

inline constexpr int kSveGranule = 16;  // bytes; vectors of SVE are a whole number of them

// One turn of a loop: what the next one starts with, and whether there is one.
template <std::size_t kCount>
struct Turn {
  std::array<Value, kCount> next;
  Value again;
};

// What SVE gathers: elements by numbers of 32 bits, counted in `scale` bytes from `base`.
struct Gathering {
  Value base;
  Value numbers;
  Scalar element;  // in memory; lanes of 32 bits come of it
  int scale;       // its size or 1
  int vector_lanes;
};

class FunctionBuilder {
 public:
  // An empty function `void symbol(ptr)` in a module of its own.
  FunctionBuilder(const std::string& symbol, const MachineTarget& target,
                  const std::string& data_layout);
  ~FunctionBuilder();
  FunctionBuilder(const FunctionBuilder&) = delete;
  FunctionBuilder& operator=(const FunctionBuilder&) = delete;

  void finish();
  llvm::Module& module();

  Value named(Value value, const std::string& name);  // in the text
  Value parameter();
  Value number(std::int64_t value);  // 64 bits
  Value flag(bool value);
  Value constant(std::uint64_t bits, Value like);

  // Integers, unsigned where it matters.
  Value add(Value a, Value b);
  Value sub(Value a, Value b);
  Value mul(Value a, Value b);
  Value quotient(Value a, Value b);
  Value remainder(Value a, Value b);
  Value high_product(Value a, Value b);  // the upper half of the full product
  Value shift_left(Value a, unsigned by);
  Value shift_right(Value a, unsigned by);
  Value both(Value a, Value b);
  Value either(Value a, Value b);
  Value least(Value a, Value b);
  Value leading_zeros(Value a);
  Value trailing_zeros(Value a);  // of a number that is not zero
  Value power_of_two(Value exponent);
  Value add(Value a, std::uint64_t b) { return add(a, constant(b, a)); }
  Value sub(Value a, std::uint64_t b) { return sub(a, constant(b, a)); }
  Value mul(Value a, std::uint64_t b) { return mul(a, constant(b, a)); }
  Value both(Value a, std::uint64_t b) { return both(a, constant(b, a)); }
  Value either(Value a, std::uint64_t b) { return either(a, constant(b, a)); }

  // Floats: no liberties are taken.
  Value add_float(Value a, Value b);
  Value mul_float(Value a, Value b);

  // Flags.
  Value is_below(Value a, Value b);
  Value is_equal(Value a, Value b);
  Value is_zero(Value a) { return is_equal(a, constant(0, a)); }
  Value is_nonzero(Value a) { return is_not(is_zero(a)); }
  Value is_less_signed(Value a, Value b);
  Value is_less_float(Value a, Value b);  // never true of a NaN
  Value is_nan(Value a);
  Value is_aligned(Value pointer, std::uint64_t bytes);
  Value is_not(Value flag);
  Value any(Value flags);
  Value greatest(Value vector);  // of its lanes
  Value bits_of(Value flags);    // 64, the first of them lowest
  Value choose(Value flag, Value yes, Value no);
  Value choose_unguessed(Value flag, Value yes, Value no);  // by no branch
  Value is_below(Value a, std::uint64_t b) { return is_below(a, constant(b, a)); }

  // Conversions keep the number of lanes.
  Value extended(Value a, Scalar to);  // with zeros
  Value cut(Value a, Scalar to);
  Value same_bits(Value a, Scalar to);
  Value as_single(Value half);
  Value as_half(Value single);

  // Vectors.
  Value lane(Value vector, int at);
  Value lane(Value vector, Value at);
  Value packed(std::span<const Value> lanes);
  Value spread(Value single, Value like);    // to as many lanes as `like` has
  Value regrouped(Value vector, Scalar to);  // the same bytes as lanes of another width
  Value opaque(Value number);                // the same, with LLVM knowing nothing of its bits
  Value with_zeros_between(Value vector, int distance, int first);
  // The same, as a machine that takes the lanes of several vectors in turn likes to have it.
  Value interleaved(Value vector, int distance, int first);
  Value rotated(Value vector, int by);
  Value with_lanes(Value vector, int lanes);  // the first ones, or with any behind them
  Value with_zeros(Value vector, int lanes);  // behind it
  Value shift_right(Value a, Value by);       // lane by lane
  // Elements of two vectors of 64 bytes, one behind the other, by number. The second may be null.
  Value looked_up(Value first, Value second, Value numbers);
  // Bytes of up to four vectors of 16, one behind the other, by number; others are zero.
  Value looked_up(std::span<const Value> vectors, Value numbers);
  Value gathered(const Gathering& from) { return gathered_below(from, nullptr, 0); }
  // Zero where `compared` is not below a limit.
  Value gathered_below(const Gathering& from, Value compared, std::uint64_t limit);
  int lanes_of(Value value);

  // Memory, of any alignment unless said.
  Value address(Value pointer);  // as a number
  Value moved(Value pointer, Value bytes);
  Value moved(Value pointer, std::int64_t bytes);
  Value load(Type type, Value from);
  void store(Value value, Value to);
  void store_around_caches(Value value, Value to);  // aligned; of x86-64, to be followed by a fence
  void fence_stores();
  void ask_for(Value pointer, bool to_write, bool is_early);  // its line of the caches; any address
  // By SVE: the first `count` lanes, or all where there are no more. Others are read as zero.
  Value load_words(Value from, int lanes, Value count);
  void store_some(Value vector, Value to, Value count);
  Value zero(Type type);
  // On the stack, as long as the function runs; at most kMostStack bytes of all rooms together.
  Room room(std::int64_t bytes);
  void copy_bytes(Value to, Value from, Value bytes);
  void clear_bytes(Value to, Value bytes);

  // Done when `flag` holds.
  template <class Body>
  void when(Value flag, Body&& body) {
    const Block yes = new_block();
    const Block after = new_block();
    branch(flag, yes, after);
    enter(yes);
    body();
    jump(after);
    enter(after);
  }

  template <class Yes, class No>
  void either_way(Value flag, Yes&& yes, No&& no) {
    const Block first = new_block();
    const Block second = new_block();
    const Block after = new_block();
    branch(flag, first, second);
    enter(first);
    yes();
    jump(after);
    enter(second);
    no();
    jump(after);
    enter(after);
  }

  // What `body` returns when `flag` holds, else `otherwise`.
  template <class Body>
  Value value_when(Value flag, Value otherwise, Body&& body) {
    const Block before = here();
    const Block yes = new_block();
    const Block after = new_block();
    branch(flag, yes, after);
    enter(yes);
    const Value made = body();
    const Block end = here();
    jump(after);
    enter(after);
    const Value merged = new_phi(otherwise);
    feed(merged, otherwise, before);
    feed(merged, made, end);
    return merged;
  }

  // Done at least once. `body` takes the carried values and returns a Turn; what it made last can
  // be used afterwards. A carried value may be null, and stays so. Returns what they are in the
  // end: of a turn that was left, what it began with.
  template <std::size_t kCount, class Body>
  std::array<Value, kCount> loop(const std::array<Value, kCount>& initial, Body&& body) {
    const Block before = here();
    const Block head = new_block();
    jump(head);
    enter(head);
    std::array<Value, kCount> carried{};
    for (std::size_t i = 0; i < kCount; ++i) {
      if (!initial[i]) continue;
      carried[i] = new_phi(initial[i]);
      feed(carried[i], initial[i], before);
    }
    const Leaving outer = std::exchange(leaving_, {});
    const Turn<kCount> turn = body(carried);
    const Leaving left = std::exchange(leaving_, outer);
    const Block end = here();
    for (std::size_t i = 0; i < kCount; ++i) {
      if (initial[i]) feed(carried[i], turn.next[i], end);
    }
    const Block after = left.to ? left.to : new_block();
    branch(turn.again, head, after);
    enter(after);
    if (!left.to) return turn.next;
    std::array<Value, kCount> last{};
    for (std::size_t i = 0; i < kCount; ++i) {
      if (!initial[i]) continue;
      last[i] = new_phi(initial[i]);
      feed(last[i], carried[i], left.from);
      feed(last[i], turn.next[i], end);
    }
    return last;
  }
  // Leaves a turn, and its loop, once and from no block inside of it.
  void leave_when(Value flag) {
    leaving_ = {here(), new_block()};
    const Block stay = new_block();
    branch(flag, leaving_.to, stay);
    enter(stay);
  }

  // A turn whose last carried value counts down to zero.
  template <std::size_t kCount>
  Turn<kCount> counted_down(std::array<Value, kCount> next) {
    next.back() = sub(next.back(), 1);
    return {next, is_nonzero(next.back())};
  }

 private:
  llvm::Type* type(Type type);
  llvm::Type* lanes_like(Value like, Scalar scalar);

  Block new_block();
  Block here();
  void enter(Block block);
  void jump(Block to);
  void branch(Value flag, Block yes, Block no);
  Value new_phi(Value like);
  void feed(Value phi, Value value, Block from);

  struct Leaving {
    Block from = nullptr;
    Block to = nullptr;
  };
  Leaving leaving_;

  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace pto::jit::llvm_backend

#include "jit/llvm/runs.h"

#include <algorithm>
#include <array>

#include "jit/llvm/elements.h"

namespace pto::jit::llvm_backend {
namespace {

constexpr std::int64_t kUnrolled = 8;    // vectors written out one by one
constexpr std::int64_t kAtOnce = 4;      // vectors in flight: all loads, then all stores
constexpr std::int64_t kLibrary = 4096;  // from here on the C library's routines are faster

Type piece_type(int width) {
  return width < 16 ? Type{bits_of_size(width), 1} : Type{Scalar::I64, width / 8};
}

// The widest piece that fits into `bytes`, no wider than `most`.
int widest(std::int64_t bytes, int most) {
  int width = most;
  while (width > bytes) width /= 2;
  return width;
}

// The smallest piece that covers `bytes`.
int covering(std::int64_t bytes) {
  int width = 1;
  while (width < bytes) width *= 2;
  return width;
}

}  // namespace

Value Runs::load(const Ends& ends, int width) {
  const Type type = piece_type(width);
  return ends.from ? f_.load(type, ends.from) : f_.zero(type);
}

Runs::Ends Runs::moved(const Ends& ends, Value bytes) {
  const Value to = f_.moved(ends.to, bytes);
  return {to, ends.from ? f_.moved(ends.from, bytes) : nullptr};
}

void Runs::fill(const Ends& ends, const RunLength& length) {
  length.known >= 0 ? fill_known(ends, length.known) : fill_runtime(ends, length, vector_);
}

void Runs::fill_known(const Ends& ends, std::int64_t bytes) {
  if (bytes == 0) return;
  if (bytes <= kUnrolled * vector_) return fill_pieces(ends, bytes);
  if (bytes < kLibrary) return fill_in_turns(ends, bytes);
  const Value length = f_.number(bytes);
  ends.from ? f_.copy_bytes(ends.to, ends.from, length) : f_.clear_bytes(ends.to, length);
}

// Whole pieces from the front, then one that ends with the run and may overlap.
void Runs::fill_pieces(const Ends& ends, std::int64_t bytes) {
  const int width = widest(bytes, vector_);
  std::int64_t at = 0;
  while (bytes - at >= width) {
    std::array<Value, kAtOnce> values{};
    const std::int64_t count = std::min((bytes - at) / width, kAtOnce);
    for (std::int64_t i = 0; i < count; ++i) {
      values[static_cast<std::size_t>(i)] = load(moved(ends, f_.number(at + i * width)), width);
    }
    for (std::int64_t i = 0; i < count; ++i) {
      f_.store(values[static_cast<std::size_t>(i)], f_.moved(ends.to, at + i * width));
    }
    at += count * width;
  }
  if (at == bytes) return;
  const int last = covering(bytes - at);
  piece(moved(ends, f_.number(bytes - last)), last);
}

void Runs::fill_in_turns(const Ends& ends, std::int64_t bytes) {
  const std::int64_t step = kAtOnce * vector_;
  const std::int64_t whole = bytes / step * step;
  f_.loop(std::array{f_.number(0)}, [&](const std::array<Value, 1>& at) {
    fill_pieces(moved(ends, at[0]), step);
    const Value next = f_.add(at[0], static_cast<std::uint64_t>(step));
    return Turn<1>{{next}, f_.is_below(next, static_cast<std::uint64_t>(whole))};
  });
  if (whole < bytes) fill_pieces(moved(ends, f_.number(whole)), bytes - whole);
}

// At least `width` bytes: whole vectors, or two pieces that may overlap. Else the same with half.
void Runs::fill_runtime(const Ends& ends, const RunLength& length, int width) {
  if (width < length.granule) return;
  const Value is_short = f_.is_below(length.bytes, static_cast<std::uint64_t>(width));
  const auto fit = [&] {
    width == vector_ ? fill_long(ends, length.bytes) : fill_pair(ends, length.bytes, width);
  };
  f_.either_way(is_short, [&] { fill_runtime(ends, length, width / 2); }, fit);
}

// Vectors from the front, then one that ends with the run.
void Runs::fill_long(const Ends& ends, Value bytes) {
  const Value last = f_.sub(bytes, static_cast<std::uint64_t>(vector_));
  f_.when(f_.is_nonzero(last), [&] {
    f_.loop(std::array{f_.number(0)}, [&](const std::array<Value, 1>& at) {
      piece(moved(ends, at[0]), vector_);
      const Value next = f_.add(at[0], static_cast<std::uint64_t>(vector_));
      return Turn<1>{{next}, f_.is_below(next, last)};
    });
  });
  piece(moved(ends, last), vector_);
}

// Less than twice `width` bytes.
void Runs::fill_pair(const Ends& ends, Value bytes, int width) {
  const Ends last = moved(ends, f_.sub(bytes, static_cast<std::uint64_t>(width)));
  const Value head = load(ends, width);
  const Value tail = load(last, width);
  f_.store(head, ends.to);
  f_.store(tail, last.to);
}

}  // namespace pto::jit::llvm_backend

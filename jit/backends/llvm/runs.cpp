#include "jit/backends/llvm/runs.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "jit/backends/llvm/choices.h"
#include "jit/backends/llvm/elements.h"

namespace pto::jit::llvm_backend {
namespace {

constexpr std::int64_t kUnrolled = 16;    // vectors written out one by one
constexpr std::int64_t kLibrary = 32768;  // from here on the C library's routines are faster

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
  if (length.known >= 0) return fill_known(ends, length.known);
  length.floor > 0 ? fill_from(ends, length.bytes, length.floor)
                   : fill_runtime(ends, length, widest_floor());
}

// At least `width` bytes: whole vectors, or two pieces that may overlap.
void Runs::fill_from(const Ends& ends, Value bytes, int width) {
  width > vector_ ? fill_long(ends, bytes) : fill_pair(ends, bytes, width);
}

void Runs::fill_known(const Ends& ends, std::int64_t bytes) {
  if (bytes == 0) return;
  if (bytes <= kUnrolled * written_out_ * vector_) return fill_pieces(ends, bytes);
  if (bytes < kLibrary) return fill_in_turns(ends, bytes);
  const Value length = f_.number(bytes);
  ends.from ? f_.copy_bytes(ends.to, ends.from, length) : f_.clear_bytes(ends.to, length);
}

// Between one line and two, pieces of half a line: rows of such lengths lie across lines, and fewer
// pieces do.
int Runs::widest_piece(const Ends& ends, std::int64_t bytes) const {
  const bool is_between = bytes > kLine && bytes < 2 * kLine;
  const bool is_halved = ends.from && !streams_ && bytes <= halves_;
  return widest(bytes, is_between || is_halved ? std::min(vector_, kLine / 2) : vector_);
}

// Whole pieces from the front, then one that ends with the run and may overlap. Pairs of them where
// an instruction moves two.
void Runs::fill_pieces(const Ends& ends, std::int64_t bytes) {
  const int width = widest_piece(ends, bytes);
  const std::int64_t at_once = written_out_;
  std::int64_t at = 0;
  while (bytes - at >= width) {
    std::vector<Value> values;
    const std::int64_t count = std::min((bytes - at) / width, at_once);
    for (std::int64_t i = 0; i < count; ++i)
      values.push_back(load(moved(ends, f_.number(at + i * width)), width));
    for (std::int64_t i = 0; i < count; ++i)
      put(values[static_cast<std::size_t>(i)], f_.moved(ends.to, at + i * width));
    at += count * width;
  }
  if (at == bytes) return;
  const int last = covering(bytes - at);
  const Ends end = moved(ends, f_.number(bytes - last));
  put(load(end, last), end.to);
}

void Runs::fill_in_turns(const Ends& ends, std::int64_t bytes) {
  const std::int64_t step = kUnrolled * written_out_ * vector_;
  const std::int64_t whole = bytes / step * step;
  f_.loop(std::array{f_.number(0)}, [&](const std::array<Value, 1>& at) {
    fill_pieces(moved(ends, at[0]), step);
    const Value next = f_.add(at[0], static_cast<std::uint64_t>(step));
    return Turn<1>{{next}, f_.is_below(next, static_cast<std::uint64_t>(whole))};
  });
  if (whole < bytes) fill_pieces(moved(ends, f_.number(whole)), bytes - whole);
}

// As it fits `width`, else half of it.
void Runs::fill_runtime(const Ends& ends, const RunLength& length, int width) {
  if (width < length.granule) return;
  const Value is_short = f_.is_below(length.bytes, static_cast<std::uint64_t>(width));
  f_.either_way(
      is_short, [&] { fill_runtime(ends, length, width / 2); },
      [&] { fill_from(ends, length.bytes, width); });
}

// Two vectors at a time from the front, then two that end with the run.
void Runs::fill_long(const Ends& ends, Value bytes) {
  const auto step = static_cast<std::uint64_t>(widest_floor());
  const Value last = f_.sub(bytes, step);
  f_.when(f_.is_nonzero(last), [&] {
    f_.loop(std::array{f_.number(0)}, [&](const std::array<Value, 1>& at) {
      fill_pieces(moved(ends, at[0]), widest_floor());
      const Value next = f_.add(at[0], step);
      return Turn<1>{{next}, f_.is_below(next, last)};
    });
  });
  fill_pieces(moved(ends, last), widest_floor());
}

// Less than twice `width` bytes; whole lines by halves, as above.
void Runs::fill_pair(const Ends& ends, Value bytes, int width) {
  const int piece_width = width == kLine ? kLine / 2 : width;
  const Ends last = moved(ends, f_.sub(bytes, static_cast<std::uint64_t>(width)));
  std::vector<std::pair<Value, Value>> pieces;
  for (const Ends& from : {ends, last}) {
    for (int at = 0; at < width; at += piece_width) {
      const Ends here = moved(from, f_.number(at));
      pieces.emplace_back(load(here, piece_width), here.to);
    }
  }
  for (const auto& [value, to] : pieces) put(value, to);
}

}  // namespace pto::jit::llvm_backend

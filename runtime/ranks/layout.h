// Layout: where the elements of a piece of a tensor lie, in bytes; and the same as runs of bytes
// that are as long as can be.
#pragma once

#include <array>
#include <cstdint>

#include "ir/spec.h"

namespace pto::jit {

using Extents = std::array<std::int64_t, 5>;

struct Layout {
  std::int64_t element = 1;
  Extents extents{};
  Extents steps{};

  bool operator==(const Layout&) const = default;
};

// A piece of `extents` elements anywhere in a tensor without '?'.
Layout layout_in(const Table& tensor, const Extents& extents);
Layout packed_layout(std::int64_t element, const Extents& extents);

// Of its elements, without what lies between them.
std::int64_t bytes_of(const Layout& layout);

// Of the element at a position.
std::int64_t offset_in(const Table& tensor, const Extents& position);

// A run, repeated at even steps, the innermost repetition first.
struct Runs {
  struct Repeat {
    std::int64_t count = 1;
    std::int64_t step = 0;
  };

  std::int64_t bytes = 0;
  int depth = 0;
  std::array<Repeat, 5> repeats{};

  bool is_one() const { return depth == 0; }
};

Runs runs_of(const Layout& layout);

}  // namespace pto::jit

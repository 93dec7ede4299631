#include "runtime/ranks/layout.h"

#include <functional>
#include <numeric>

#include "ir/quantity.h"

namespace pto::jit {

Layout layout_in(const Table& tensor, const Extents& extents) {
  Layout out{size_of(tensor.dtype), extents, {}};
  for (std::size_t dim = 0; dim < 5; ++dim)
    out.steps[dim] = stride_of(tensor, dim).value * out.element;
  return out;
}

Layout packed_layout(std::int64_t element, const Extents& extents) {
  Layout out{element, extents, {}};
  std::int64_t step = element;
  for (std::size_t dim = 5; dim-- > 0;) {
    out.steps[dim] = step;
    step *= extents[dim];
  }
  return out;
}

std::int64_t bytes_of(const Layout& layout) {
  return std::accumulate(layout.extents.begin(), layout.extents.end(), layout.element,
                         std::multiplies<>());
}

std::int64_t offset_in(const Table& tensor, const Extents& position) {
  std::int64_t elements = 0;
  for (std::size_t dim = 0; dim < 5; ++dim)
    elements += position[dim] * stride_of(tensor, dim).value;
  return elements * size_of(tensor.dtype);
}

Runs runs_of(const Layout& layout) {
  Runs out{layout.element};
  for (std::size_t dim = 5; dim-- > 0;) {
    const std::int64_t count = layout.extents[dim];
    const std::int64_t step = layout.steps[dim];
    if (count == 1) continue;
    Runs::Repeat* outer =
        out.is_one() ? nullptr : &out.repeats[static_cast<std::size_t>(out.depth - 1)];
    if (outer == nullptr && step == out.bytes) {
      out.bytes *= count;
    } else if (outer != nullptr && step == outer->count * outer->step) {
      outer->count *= count;
    } else {
      out.repeats[static_cast<std::size_t>(out.depth++)] = {count, step};
    }
  }
  return out;
}

}  // namespace pto::jit

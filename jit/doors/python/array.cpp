#include "jit/doors/python/array.h"

#include <Python.h>

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "jit/doors/python/failure.h"

namespace pto::jit::python {
namespace {

// Lengths that 63 bits do not hold are negative, and what is reckoned with them is too.
constexpr std::int64_t kNoLength = std::numeric_limits<std::int64_t>::min();
// No processor has more for a process.
constexpr std::int64_t kAddresses = std::int64_t{1} << 56;

std::int64_t plus(std::int64_t a, std::int64_t b) {
  std::int64_t out = 0;
  return a < 0 || b < 0 || __builtin_add_overflow(a, b, &out) ? kNoLength : out;
}

std::int64_t times(std::int64_t a, std::int64_t b) {
  std::int64_t out = 0;
  return a < 0 || b < 0 || __builtin_mul_overflow(a, b, &out) ? kNoLength : out;
}

// The address behind the farthest element, or behind all of them side by side.
std::int64_t end_of(const Array& array) {
  const auto first = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(array.data));
  std::int64_t packed = std::max(array.element.size, 1);
  std::int64_t reach = packed;
  for (std::size_t i = 0; i < array.dims; ++i) {
    const std::int64_t step = array.steps[i];
    packed = times(packed, std::max<std::int64_t>(array.extents[i], 1));
    reach = plus(reach, times(step == kNoLength ? step : std::abs(step),
                              std::max<std::int64_t>(array.extents[i] - 1, 0)));
  }
  const std::int64_t end = plus(first, std::max(reach, packed));
  return reach < 0 || packed < 0 || end > kAddresses ? kNoLength : end;
}

}  // namespace

std::string type_text(const Array& array) {
  const Element& element = array.element;
  if (element.dtype) return std::string(name_of(*element.dtype));
  if (!array.foreign.empty()) return std::string(array.foreign);
  constexpr std::array<const char*, 4> kWords = {"i", "u", "f", "opaque"};
  return kWords[static_cast<std::size_t>(element.kind)] + std::to_string(8 * element.size);
}

void set_packed_steps(Array& array) {
  std::int64_t step = array.element.size;
  for (std::size_t i = array.dims; i-- > 0; step *= array.extents[i]) array.steps[i] = step;
}

void set_layout(Array& array, std::string_view name, const Layout& layout) {
  if (layout.dims < 0 || layout.dims > static_cast<std::int64_t>(Array::kMostDims))
    fail("call.shape", std::string(name) + " has " + std::to_string(layout.dims) +
                           " dimensions; 0 to " + std::to_string(Array::kMostDims) +
                           " are possible");
  if (layout.dims > 0 && !layout.extents)
    fail("call.shape", std::string(name) + " does not say what its shape is");
  array.dims = static_cast<std::size_t>(layout.dims);
  for (std::size_t i = 0; i < array.dims; ++i) {
    array.extents[i] = layout.extents[i];
    if (array.extents[i] < 0)
      fail("call.shape",
           std::string(name) + " has an extent of " + std::to_string(array.extents[i]));
    const std::int64_t step = layout.steps ? layout.steps[i] : 0;
    if (__builtin_mul_overflow(step, layout.unit, &array.steps[i])) array.steps[i] = kNoLength;
  }
  if (end_of(array) < 0)
    fail("call.size", std::string(name) + " has more bytes than there are addresses");
  if (!array.data && array.count() > 0)
    fail("call.array", std::string(name) + " has elements, but their address is null");
  if (!layout.steps) set_packed_steps(array);
}

void expect_aligned(const Array& array, std::string_view name) {
  const auto address = reinterpret_cast<std::uintptr_t>(array.data);
  if (address % static_cast<std::uintptr_t>(array.element.size) == 0) return;
  fail("call.alignment", std::string(name) + " is not aligned to its elements");
}

std::string packed_advice(bool is_written) {
  return is_written ? "it is written in place: call on a copy and assign it back, as in "
                      "`copy = x.copy(); ...; x[...] = copy`"
                    : "it is only read: give np.ascontiguousarray of it";
}

std::string shape_text(std::span<const std::int64_t> shape) {
  std::string out;
  for (const std::int64_t extent : shape) out += (out.empty() ? "" : "x") + std::to_string(extent);
  return out.empty() ? "a single element" : out;
}

std::array<std::int64_t, Array::kMostDims> strides_of(const Array& array, std::string_view name) {
  std::array<std::int64_t, Array::kMostDims> out{};
  for (std::size_t i = 0; i < array.dims; ++i) {
    if (array.steps[i] % array.element.size != 0)
      fail("call.strides", std::string(name) + " steps by " + std::to_string(array.steps[i]) +
                               " bytes, no whole number of elements");
    out[i] = array.steps[i] / array.element.size;
  }
  return out;
}

void take_array(PyObject* object, std::string_view name, Array& array) {
  if (read_ndarray(object, name, array)) return;
  if (read_dlpack(object, name, array) || read_buffer(object, name, array)) return;
  fail("call.array", std::string(name) + " is of type " + Py_TYPE(object)->tp_name +
                         "; an array, a buffer or a producer of DLPack is needed");
}

}  // namespace pto::jit::python

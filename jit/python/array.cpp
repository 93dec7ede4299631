#include "jit/python/array.h"

#include <Python.h>

#include <algorithm>

#include "jit/python/failure.h"

namespace pto::jit::python {
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

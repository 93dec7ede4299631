// Array: memory that Python describes, whoever made it: NumPy, a buffer, a producer of DLPack.
// Nothing is copied.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "ir/dtype.h"
#include "jit/doors/python/values.h"

namespace pto::jit::python {

// Without padding, so that it is copied as one number.
struct Element {
  std::int32_t size = 0;  // bytes
  NumberKind kind = NumberKind::Opaque;
  std::uint8_t zero = 0;            // explicit padding
  std::optional<DType> dtype = {};  // the one it is, where a kernel has such elements

  bool is_integer() const { return kind == NumberKind::Signed || kind == NumberKind::Unsigned; }
};

// Numbers by kind and bytes; the 8-bit floats and bf16 are told by name alone.
inline constexpr auto kNumbers = [] {
  std::array<std::array<Element, 9>, 3> out{};
  for (std::size_t kind = 0; kind < out.size(); ++kind) {
    for (std::size_t size = 0; size < out[kind].size(); ++size)
      out[kind][size] = {static_cast<std::int32_t>(size), static_cast<NumberKind>(kind)};
  }
  for (const DTypeInfo& info : kDTypes) {
    if (info.kind != NumberKind::Opaque && info.dtype != DType::BF16)
      out[static_cast<std::size_t>(info.kind)][info.size].dtype = info.dtype;
  }
  return out;
}();

// An integer or a float of that size.
constexpr Element element_of(NumberKind kind, std::int64_t size) {
  if (size > 8 || kind == NumberKind::Opaque) return {static_cast<std::int32_t>(size), kind};
  return kNumbers[static_cast<std::size_t>(kind)][static_cast<std::size_t>(size)];
}
constexpr Element element_of(DType dtype) {
  return {info_of(dtype).size, info_of(dtype).kind, 0, dtype};
}

// bf16 and the 8-bit floats may be given as unsigned integers of their size.
constexpr bool may_hold(const Element& element, DType wanted) {
  if (element.dtype == wanted) return true;
  const bool has_no_number = wanted == DType::BF16 || info_of(wanted).kind == NumberKind::Opaque;
  return has_no_number && element.kind == NumberKind::Unsigned && element.size == size_of(wanted);
}

struct Array {
  static constexpr std::size_t kMostDims = 8;

  std::byte* data = nullptr;
  Element element;
  std::string_view foreign = {};  // what the elements are called where no kernel has them
  std::size_t dims = 0;
  std::array<std::int64_t, kMostDims> extents;  // the first `dims`; the rest is never read
  std::array<std::int64_t, kMostDims> steps;    // bytes, likewise
  bool is_writable = false;
  std::shared_ptr<void> owner = {};  // none: the Python object keeps its memory

  std::span<const std::int64_t> shape() const { return {extents.data(), dims}; }
  std::int64_t count() const {
    std::int64_t out = 1;
    for (const std::int64_t extent : shape()) out *= extent;
    return out;
  }

  // From the first element to behind the last.
  std::int64_t bytes() const {
    std::int64_t out = element.size;
    for (std::size_t i = 0; i < dims; ++i) {
      if (extents[i] == 0) return 0;
      out += (extents[i] - 1) * steps[i];
    }
    return out;
  }

  // Row-major and without gaps.
  bool is_packed() const {
    std::int64_t expected = element.size;
    bool is_even = true;
    for (std::size_t i = dims; i-- > 0;) {
      is_even = is_even && (extents[i] == 1 || steps[i] == expected);
      expected *= extents[i];
    }
    return is_even || expected == 0;
  }
};

// "f32", "i64", "complex64"
std::string type_text(const Array& array);

// What a reader is told of an array's dimensions. Without steps they are packed.
struct Layout {
  std::int64_t dims = 0;
  const std::int64_t* extents = nullptr;
  const std::int64_t* steps = nullptr;
  std::int64_t unit = 1;  // bytes that a step counts
};

// Gives an array that has its data and element its dimensions. Refuses what no memory can be:
// lengths below zero, no memory for its elements, more bytes than there are addresses.
void set_layout(Array& array, std::string_view name, const Layout& layout);

// Row-major and without gaps.
void set_packed_steps(Array& array);

// In elements; refuses steps that are no whole number of them.
std::array<std::int64_t, Array::kMostDims> strides_of(const Array& array, std::string_view name);

// Refuses an address that is no multiple of an element's size.
void expect_aligned(const Array& array, std::string_view name);

// What to do about an array that does not lie without gaps. A copy would lose what is written.
std::string packed_advice(bool is_written);

// Refuses what is no array of memory a kernel can be given, by the operand's name. Code of the
// object's class may run. NumPy's own arrays must be kept alive by the caller.
void take_array(PyObject* object, std::string_view name, Array& array);

// Each fills in what its kind of object says (numpy_arrays.cpp, buffers.cpp, dlpack.cpp).
bool read_ndarray(PyObject* object, std::string_view name, Array& array);
bool read_dlpack(PyObject* object, std::string_view name, Array& array);
bool read_buffer(PyObject* object, std::string_view name, Array& array);

// "6x32"
std::string shape_text(std::span<const std::int64_t> shape);

}  // namespace pto::jit::python

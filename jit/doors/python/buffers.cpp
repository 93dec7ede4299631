// Arrays from the buffer protocol: memoryview, bytearray, array.array and whatever else has one.
#include <pybind11/pybind11.h>

#include <cstring>

#include "jit/doors/python/array.h"
#include "jit/doors/python/failure.h"
#include "jit/doors/python/values.h"

namespace pto::jit::python {
namespace {

struct Release {
  void operator()(Py_buffer* view) const {
    const pybind11::error_scope kept;  // what the exporter runs may meet no exception of others
    PyBuffer_Release(view);
    delete view;
  }
};

// The letters of the struct module.
struct Letters {
  const char* letters;
  NumberKind kind;
};
constexpr std::array kLetters = {Letters{"bhilq", NumberKind::Signed},
                                 Letters{"BHILQ", NumberKind::Unsigned},
                                 Letters{"efd", NumberKind::Float}};

Element element_of_format(const char* format, std::int64_t size) {
  if (format == nullptr) return element_of(NumberKind::Unsigned, 1);
  const char* letter = std::strchr("@=<", format[0]) && format[0] ? format + 1 : format;
  for (const Letters& row : kLetters) {
    const bool is_one = letter[0] != 0 && letter[1] == 0 && std::strchr(row.letters, letter[0]);
    if (is_one) return element_of(row.kind, size);
  }
  return {.size = static_cast<std::int32_t>(size)};
}

}  // namespace

bool read_buffer(PyObject* object, std::string_view name, Array& array) {
  if (!PyObject_CheckBuffer(object)) return false;
  auto view = std::make_unique<Py_buffer>();
  if (PyObject_GetBuffer(object, view.get(), PyBUF_RECORDS_RO) != 0) {
    fail("call.array",
         std::string(name) + " does not let its memory be seen as strided: " + take_exception());
  }
  std::shared_ptr<Py_buffer> held(view.release(), Release{});
  array.data = static_cast<std::byte*>(held->buf);
  array.element = element_of_format(held->format, held->itemsize);
  if (held->format) array.foreign = held->format;
  set_layout(array, name, {held->ndim, held->shape, held->strides});
  array.is_writable = !held->readonly;
  array.owner = std::move(held);
  return true;
}

}  // namespace pto::jit::python

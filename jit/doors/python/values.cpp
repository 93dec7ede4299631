#include "jit/doors/python/values.h"

#include <pybind11/pybind11.h>

#include "ir/diagnostic.h"

namespace pto::jit::python {

namespace py = pybind11;

void Drop::operator()(PyObject* object) const { Py_DECREF(object); }

Reference share(PyObject* borrowed) {
  Py_INCREF(borrowed);
  return Reference(borrowed);
}

std::optional<std::string_view> text_of(PyObject* object) {
  Py_ssize_t size = 0;
  const char* text = PyUnicode_Check(object) ? PyUnicode_AsUTF8AndSize(object, &size) : nullptr;
  if (text) return std::string_view(text, static_cast<std::size_t>(size));
  PyErr_Clear();
  return std::nullopt;
}

std::optional<std::int64_t> integer_of(PyObject* object) {
  const Reference number(PyNumber_Index(object));
  const long long out = number ? PyLong_AsLongLong(number.get()) : -1;
  if (!PyErr_Occurred()) return out;
  take_exception();
  return std::nullopt;
}

std::string repr_of(PyObject* object) {
  const Reference said(PyObject_Repr(object));
  if (!said) take_exception();
  const std::optional<std::string_view> text = said ? text_of(said.get()) : std::nullopt;
  return printable(text.value_or(Py_TYPE(object)->tp_name));
}

std::string take_exception() {
  const py::error_already_set raised;
  if (!raised.matches(PyExc_Exception) || raised.matches(PyExc_MemoryError)) throw raised;
  std::string type = Py_TYPE(raised.value().ptr())->tp_name;
  const Reference said(PyObject_Str(raised.value().ptr()));
  if (said) {
    const std::string_view text = text_of(said.get()).value_or("");
    return text.empty() ? type : type + ": " + std::string(text);
  }
  const py::error_already_set again;  // by its __str__
  if (!again.matches(PyExc_Exception)) throw again;
  return type;
}

}  // namespace pto::jit::python

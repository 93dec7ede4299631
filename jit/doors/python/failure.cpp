#include "jit/doors/python/failure.h"

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <exception>
#include <new>

namespace pto::jit::python {

namespace py = pybind11;

void fail(std::string_view id, std::string message) {
  throw Failure{{error(std::string(id), std::move(message))}};
}

void set_error(const Failure& failure) {
  try {
    const py::object make = py::module_::import("ptojit.errors").attr("error_of");
    const std::string text = render(failure.diagnostics, failure.text);
    const py::object made = make(failure.diagnostics, text);
    PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(made.ptr())), made.ptr());
  } catch (py::error_already_set& problem) {
    problem.restore();
  }
}

void set_error_in_flight() {
  try {
    throw;
  } catch (const Failure& failure) {
    set_error(failure);
  } catch (py::error_already_set& problem) {
    problem.restore();
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
  } catch (const std::exception& problem) {
    PyErr_SetString(PyExc_RuntimeError, problem.what());
  }
}

}  // namespace pto::jit::python

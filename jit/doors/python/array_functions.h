// gather_rows, scatter_rows, gather and scatter: functions of arrays, without a spec in sight.
#pragma once

#include "jit/doors/python/array.h"

namespace pto::jit::python {

// Adds them to a module; false leaves Python's exception.
bool add_array_functions(PyObject* module);

}  // namespace pto::jit::python

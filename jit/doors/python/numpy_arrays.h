// NumPy's arrays, by NumPy's own interface: read as they are, and made.
#pragma once

#include <cstdint>
#include <span>

#include "jit/doors/python/array.h"

namespace pto::jit::python {

// To be called once; false leaves NumPy's exception.
bool import_numpy();

// As many rows as `lead` says, `pitch` elements apart, each of the extents of `row`.
struct RowsShape {
  std::span<const std::int64_t> lead;
  std::span<const std::int64_t> row;
  std::int64_t pitch = 1;
};

// A new array of elements like those of `table`, which `object` gave; a view of a wider one where
// the pitch is wider than a row. `made` describes it. Null leaves NumPy's exception.
PyObject* make_rows(PyObject* object, const Array& table, const RowsShape& shape, Array& made);

}  // namespace pto::jit::python

#include "jit/doors/python/array_functions.h"

#include <Python.h>

#include <algorithm>
#include <limits>

#include "jit/doors/python/arguments.h"
#include "jit/doors/python/failure.h"
#include "jit/doors/python/numpy_arrays.h"

namespace pto::jit::python {
namespace {

// Elements of a row, or from one row to the next.
constexpr std::int64_t kMostWidth = std::numeric_limits<std::int32_t>::max() / 2;

// One call: the arrays as they are given, and what is to be done with them.
class ArrayCall {
 public:
  ArrayCall(const Function& function, const Arguments& given)
      : names_(function.arguments), given_(given) {
    move_.wish.op = function.op;
    move_.wish.coalesce = function.coalesce;
    set_policies(move_.wish, given);
    move_.threads = given[kThreads] ? threads_of(given[kThreads]) : 1;
    move_.refuses = move_.wish.oob == Oob::Undefined;
    take_packed(kTable, table_);
    take_packed(kIndices, indices_);
    see_table();
    see_indices();
  }

  // In place.
  void scatter() {
    take_array(given_[kValues], names_[kValues], rows_);
    expect_shape();
    see_rows();
    for (const Argument other : {kIndices, kValues}) {
      const Array& array = other == kIndices ? indices_ : rows_;
      if (overlap(table_, array))
        fail("call.overlap", name(kTable) + " is written and overlaps " + name(other));
    }
    if (!table_.is_writable)
      fail("call.readonly", name(kTable) + " is written, and its array is read-only");
    carry_out(move_);
  }

  // A new reference; null leaves NumPy's exception.
  PyObject* gather() {
    const bool needs_slots = move_.wish.oob == Oob::Clamp || move_.wish.oob == Oob::Wrap;
    if (needs_slots && move_.wish.slots == 0 && move_.indices.count > 0)
      fail("index.range", "the table has nothing that an index could be brought to");
    const RowsShape shape{indices_.shape(), table_.shape().last(row_dims()), move_.wish.pitch};
    PyObject* out = make_rows(given_[kTable], table_, shape, rows_);
    if (!out) return nullptr;
    move_.tile = rows_.data;
    move_.tile_step = move_.wish.pitch * table_.element.size;
    try {
      carry_out(move_);
    } catch (...) {
      Py_DECREF(out);
      throw;
    }
    return out;
  }

 private:
  std::string name(Argument argument) const { return std::string(names_[argument]); }
  bool by_rows() const { return move_.wish.coalesce == Coalesce::Row; }
  std::size_t row_dims() const { return by_rows() ? table_.dims - 1 : 0; }

  void take_packed(Argument argument, Array& out) const {
    take_array(given_[argument], names_[argument], out);
    if (out.is_packed()) return;
    const bool is_written = argument == kTable && move_.wish.op == Op::MScatter;
    fail("call.strides", name(argument) + " is not contiguous; " + packed_advice(is_written));
  }

  void see_table() {
    if (!table_.element.dtype)
      fail("call.dtype",
           name(kTable) + " is " + type_text(table_) + "; no target has kernels for such elements");
    if (by_rows() && table_.dims == 0) fail("call.shape", name(kTable) + " has no rows");
    expect_aligned(table_, names_[kTable]);
    std::int64_t width = 1;
    for (const std::int64_t extent : table_.shape().last(row_dims())) width *= extent;
    if (width > kMostWidth)
      fail("call.shape", name(kTable) + " has rows of " + std::to_string(width) + " elements");
    const DType dtype = *table_.element.dtype;
    move_.table = table_.data;
    move_.wish.dtype = dtype;
    move_.wish.slots = by_rows() ? table_.extents[0] : table_.count();
    move_.wish.width = static_cast<std::int32_t>(width);
    move_.wish.pitch = by_rows() ? static_cast<std::int32_t>(padded_width(dtype, width)) : 1;
  }

  void see_indices() {
    const Element& element = indices_.element;
    if (!element.is_integer() || element.size < 4)
      fail("call.dtype", name(kIndices) + " is " + type_text(indices_) +
                             "; indices are int32, uint32, int64 or uint64");
    expect_aligned(indices_, names_[kIndices]);
    move_.indices = {indices_.data, indices_.count(), element.size};
    move_.index_kind = element.kind;
    move_.index_name = names_[kIndices];
  }

  // As many rows as there are indices, each of the extents of the table's.
  void expect_shape() const {
    const std::size_t lead = indices_.dims;
    bool agrees = rows_.dims == lead + row_dims();
    for (std::size_t i = 0; agrees && i < rows_.dims; ++i)
      agrees = rows_.extents[i] == (i < lead ? indices_.extents[i] : table_.extents[1 + i - lead]);
    if (agrees) return;
    fail("call.shape", name(kValues) + " is " + shape_text(rows_.shape()) + " beside indices of " +
                           shape_text(indices_.shape()) + " and a table of " +
                           shape_text(table_.shape()));
  }

  // Bytes from one row to the next: rows without gaps, or apart as those of a padded tile are.
  std::int64_t row_step() const {
    const std::int64_t packed = move_.wish.width * rows_.element.size;
    if (rows_.is_packed()) return packed;
    Array row = rows_;
    std::rotate(row.extents.begin(), row.extents.begin() + 1, row.extents.end());
    std::rotate(row.steps.begin(), row.steps.begin() + 1, row.steps.end());
    row.dims = rows_.dims - 1;
    const std::int64_t step = rows_.steps[0];
    const bool is_padded = by_rows() && indices_.dims == 1 && row.is_packed() && step >= packed &&
                           step % kBlockBytes == 0 && step / rows_.element.size <= kMostWidth;
    if (is_padded) return step;
    fail("call.strides", name(kValues) + " is not contiguous, nor rows a multiple of " +
                             std::to_string(kBlockBytes) + " bytes apart; " + packed_advice(false));
  }

  void see_rows() {
    const Element& element = rows_.element;
    if (!may_hold(element, move_.wish.dtype))
      fail("call.dtype", name(kValues) + " is " + type_text(rows_) + "; the table is " +
                             std::string(jit::name_of(move_.wish.dtype)));
    expect_aligned(rows_, names_[kValues]);
    move_.tile = rows_.data;
    move_.tile_step = row_step();
    if (!rows_.is_packed())
      move_.wish.pitch = static_cast<std::int32_t>(move_.tile_step / element.size);
  }

  static bool overlap(const Array& a, const Array& b) {
    return a.data < b.data + b.bytes() && b.data < a.data + a.bytes();
  }

  const std::array<std::string_view, kArguments>& names_;
  const Arguments& given_;
  Move move_;
  Array table_;
  Array indices_;
  Array rows_;
};

template <std::size_t kAt>
PyObject* entry(PyObject*, PyObject* const* given, Py_ssize_t count, PyObject* names) {
  constexpr const Function& kFunction = kFunctions[kAt];
  try {
    const Arguments arguments = read_arguments(kFunction, given, count, names);
    ArrayCall call(kFunction, arguments);
    if constexpr (kFunction.op == Op::MGather) return call.gather();
    call.scatter();
    Py_RETURN_NONE;
  } catch (...) {
    set_error_in_flight();
    return nullptr;
  }
}

// Not by pybind11: a gather of a hundred elements takes less time than its dispatch.
template <std::size_t kAt>
PyMethodDef method(const char* doc) {
  const auto plain = reinterpret_cast<void (*)()>(entry<kAt>);
  return {kFunctions[kAt].name, reinterpret_cast<PyCFunction>(plain), METH_FASTCALL | METH_KEYWORDS,
          doc};
}

std::array<PyMethodDef, kFunctions.size() + 1> methods = {
    method<0>(R"(gather_rows($module, /, table, ids, *, oob='raise', threads=1)
--

The rows of `table` that `ids` name: an array of shape ids.shape + table.shape[1:].

oob says what becomes of an index beyond the last row, or below 0: 'raise' an IndexError, 'zero' a
row of zeros, 'clamp' the last row, 'wrap' the index modulo the number of rows. Rows that are no
multiple of 32 bytes come as a view of a padded array. Large calls are done by up to `threads`
threads, 0 for as many as there are, with the same result.)"),
    method<1>(
        R"(scatter_rows($module, /, table, ids, rows, *, oob='raise', atomic=None, conflict='last', threads=1)
--

Writes each of `rows` to the row of `table` that its index names, in place.

oob: 'raise' an IndexError with nothing written, 'skip', 'clamp' or 'wrap'. atomic: 'add', 'max' or
'min' combines instead of replacing. conflict: of several rows for one place the 'last' stays, or
with 'default' any. threads is what it is for gather_rows.)"),
    method<2>(R"(gather($module, /, table, idx, *, oob='raise', threads=1)
--

The elements of `table`, counted row by row, that `idx` names: an array of idx.shape.

oob and threads are what they are for gather_rows.)"),
    method<3>(
        R"(scatter($module, /, table, idx, values, *, oob='raise', atomic=None, conflict='last', threads=1)
--

Writes each of `values` to the element of `table`, counted row by row, that its index names, in
place. oob, atomic, conflict and threads are what they are for scatter_rows.)"),
    PyMethodDef{},
};

}  // namespace

bool add_array_functions(PyObject* module) {
  return PyModule_AddFunctions(module, methods.data()) == 0;
}

}  // namespace pto::jit::python

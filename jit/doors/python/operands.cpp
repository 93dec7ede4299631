#include "jit/doors/python/operands.h"

#include <Python.h>

#include <algorithm>

#include "jit/calls/index_scan.h"
#include "jit/doors/python/failure.h"
#include "jit/doors/python/wide_indices.h"

namespace pto::jit::python {
namespace {

constexpr const char* kBind = "bind";

std::string_view name_in(PyObject* key) {
  const std::optional<std::string_view> text = text_of(key);
  if (!text) fail("call.buffer", "names of operands and dimensions are strings");
  return *text;
}

// As rows and columns, which a flat array has where the tile is one row or one column.
struct Rectangle {
  std::int64_t rows, cols;
  std::int64_t row_step, col_step;  // bytes
};

std::optional<Rectangle> rectangle(const Tile& tile, const Array& array) {
  const auto& extents = array.extents;
  const auto& steps = array.steps;
  if (array.dims == 0) return Rectangle{1, 1, 0, 0};
  if (array.dims == 2) return Rectangle{extents[0], extents[1], steps[0], steps[1]};
  if (array.dims == 1 && tile.rows == 1) return Rectangle{1, extents[0], 0, steps[0]};
  if (array.dims == 1 && tile.cols == 1) return Rectangle{extents[0], 1, steps[0], 0};
  return std::nullopt;
}

bool lies_as(const Rectangle& shape, std::int64_t row_step, std::int64_t col_step) {
  if (shape.rows == 0 || shape.cols == 0) return true;
  return (shape.rows == 1 || shape.row_step == row_step) &&
         (shape.cols == 1 || shape.col_step == col_step);
}

bool is_whole_storage(const Tile& tile, const Array& array) {
  return array.is_packed() && array.count() == std::int64_t{tile.rows} * tile.cols;
}

}  // namespace

GivenOperands::GivenOperands(const KernelSpec& spec, PyObject* named, Use use)
    : spec_(spec), use_(use) {
  const auto operands = operands_of(spec.op);
  const auto count = static_cast<std::size_t>(PyDict_Size(named));
  given_.reserve(count + static_cast<std::size_t>(spec.ranks));
  views_.reserve(given_.capacity());
  bindings_.reserve(2 * given_.capacity());
  const bool may_bind = count > operands.size() || is_collective(spec.op);
  PyObject* values = may_bind ? PyDict_GetItemString(named, kBind) : nullptr;
  if (values) take_bindings(values);
  PyObject *key = nullptr, *value = nullptr;
  Py_ssize_t at = 0;
  while (PyDict_Next(named, &at, &key, &value)) {
    const std::string_view name = name_in(key);
    if (name == kBind) {
      if (!values) take_bindings(value);
      continue;
    }
    const auto found = std::ranges::find(operands, name, &Operand::name);
    if (found == operands.end() || found->side == Side::None)
      fail("call.buffer", "'" + printable(name) + "' is not an operand in memory of " +
                              std::string(operation_of(spec.op).form));
    found->side == Side::Ranks ? take_ranks(*found, value)
                               : take(std::string(name), found->role, value);
  }
}

void GivenOperands::fail_at_ranks(const Operand& operand) const {
  fail("call.buffer", std::string(operand.name) + " is a list of arrays, one for each of " +
                          std::to_string(spec_.ranks) + " ranks");
}

// The list is read once: code of its arrays may change it meanwhile.
void GivenOperands::take_ranks(const Operand& operand, PyObject* arrays) {
  const bool is_list = PyList_Check(arrays);
  if (!is_list && !PyTuple_Check(arrays)) fail_at_ranks(operand);
  const Reference all = is_list ? Reference(PyList_AsTuple(arrays)) : share(arrays);
  if (!all || PyTuple_GET_SIZE(all.get()) != spec_.ranks) fail_at_ranks(operand);
  for (Py_ssize_t rank = 0; rank < spec_.ranks; ++rank)
    take(std::string(operand.name) + "." + std::to_string(rank), operand.role,
         PyTuple_GET_ITEM(all.get(), rank));
}

// The same holds for this dictionary.
void GivenOperands::take_bindings(PyObject* values) {
  if (!PyDict_Check(values)) fail("bind.form", "bind is a dictionary, {'src.vr': 3}");
  const Reference all(PyDict_Copy(values));
  if (!all) fail("bind.form", "bind cannot be read: " + take_exception());
  PyObject *key = nullptr, *value = nullptr;
  Py_ssize_t at = 0;
  while (PyDict_Next(all.get(), &at, &key, &value)) {
    const std::string_view name = name_in(key);
    const std::optional<Dim> dim = dim_named(spec_.op, name);
    const std::string open = runtime_names(spec_);
    if (!dim)
      fail("bind.name", "'" + printable(name) + "' is not a dimension; this spec leaves " +
                            (open.empty() ? "nothing" : open) + " to run time");
    const std::optional<std::int64_t> number = integer_of(value);
    if (!number)
      fail("bind.number", "the value of " + std::string(name) + " is " + repr_of(value) +
                              ", no integer of 64 bits");
    bindings_.push_back({*dim, *number});
  }
}

void GivenOperands::take(std::string name, Role role, PyObject* object) {
  Given& given = given_.emplace_back(Given{std::move(name), share(object), {}});
  take_array(object, given.name, given.array);
  Array& array = given.array;
  const DType wanted = dtype_of(spec_, role);
  if (role == Role::Index && array.element.is_integer() && array.element.size == 8) {
    if (use_ == Use::Bind)
      fail("call.dtype", given.name + " is " + type_text(array) +
                             "; a bound call converts nothing: give " +
                             std::string(jit::name_of(wanted)));
    array = narrowed(array, tile_of(spec_, role), given.name);
  }
  if (!may_hold(array.element, wanted))
    fail("call.dtype", given.name + " is " + type_text(array) + "; the spec says " +
                           std::string(jit::name_of(wanted)));
  const bool is_written = use_ != Use::Audit && role == written_role(spec_.op);
  if (is_written && !array.is_writable)
    fail("call.readonly", given.name + " is written, and its array is read-only");
  if (std::ranges::any_of(std::span(array.steps).first(array.dims),
                          [](std::int64_t step) { return step < 0; }))
    fail("call.strides", given.name + " runs backwards; " + packed_advice(is_written));
  views_.push_back({given.name, array.data, array.bytes(), wanted});
  is_tile(role) ? see_tile(given, role) : see_table(given);
}

// A value given by name counts more than the array's shape.
void GivenOperands::bind_extent(const Given& given, Dim dim, std::int64_t extent,
                                std::int64_t padded) {
  const std::int64_t stated = get(spec_, dim);
  const bool is_given = std::ranges::find(bindings_, dim, &Binding::dim) != bindings_.end();
  if (is_given || extent == stated || (stated != kRuntime && extent == padded)) return;
  if (stated == kRuntime) {
    bindings_.push_back({dim, extent});
    return;
  }
  fail("call.shape", given.name + " is " + shape_text(given.array.shape()) + "; " +
                         dim_name(spec_.op, dim) + " is " + std::to_string(stated) +
                         " of a padded " + std::to_string(padded));
}

void GivenOperands::see_tile(Given& given, Role role) {
  const Tile& tile = tile_of(spec_, role);
  const std::int64_t size = size_of(tile.dtype);
  const auto shape = tile.layout == TileLayout::Nz ? std::nullopt : rectangle(tile, given.array);
  if (!shape) {
    if (is_whole_storage(tile, given.array)) return;
    fail("call.shape",
         given.name + " is " + shape_text(given.array.shape()) + "; its tile is " +
             std::to_string(tile.rows) + "x" + std::to_string(tile.cols) +
             ": give that many elements, packed" +
             (tile.layout == TileLayout::Nz ? "" : ", or its valid rows and columns"));
  }
  if (!is_indexed_tile(spec_.op, role)) {
    bind_extent(given, first_extent(role), shape->rows, tile.rows);
    bind_extent(given, first_extent(role) + 1, shape->cols, tile.cols);
  }
  const bool by_columns = tile.layout == TileLayout::ColMajor;
  const std::int64_t pitch = (by_columns ? tile.rows : tile.cols) * size;
  if (!lies_as(*shape, by_columns ? size : pitch, by_columns ? pitch : size))
    fail("call.strides", given.name + " steps by " + std::to_string(shape->row_step) + " and " +
                             std::to_string(shape->col_step) + " bytes; its tile lies " +
                             (by_columns ? "column by column, " : "row by row, ") +
                             std::to_string(pitch) + " bytes apart");
}

void GivenOperands::see_table(Given& given) {
  const Array& array = given.array;
  given.strides = strides_of(array, given.name);
  views_.back().shape = array.shape();
  views_.back().strides = {given.strides.data(), array.dims};
}

}  // namespace pto::jit::python

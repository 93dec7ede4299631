#include "jit/doors/python/numpy_arrays.h"

#include <Python.h>

#define NPY_NO_DEPRECATED_API NPY_1_7_API_VERSION
#include <numpy/arrayobject.h>

#include <algorithm>
#include <string>

#include "jit/doors/python/failure.h"

namespace pto::jit::python {
namespace {

// Types that NumPy does not have itself; ml_dtypes adds them.
struct AddedType {
  std::string_view name;
  DType dtype;
};
constexpr std::array kAddedTypes = {AddedType{"bfloat16", DType::BF16},
                                    AddedType{"float8_e4m3fn", DType::F8E4M3},
                                    AddedType{"float8_e5m2", DType::F8E5M2}};

std::string_view name_of(const PyArray_Descr* type) {
  const std::string_view name = type->typeobj->tp_name;
  return PyArray_ISNBO(type->byteorder) ? name.substr(name.rfind('.') + 1)
                                        : "of the other byte order";
}

// Opaque where nobody has such elements.
Element element_of_type(const PyArray_Descr* type) {
  if (!PyArray_ISNBO(type->byteorder)) return {.size = type->elsize};
  switch (type->kind) {
    case 'i': return element_of(NumberKind::Signed, type->elsize);
    case 'u': return element_of(NumberKind::Unsigned, type->elsize);
    case 'f': return element_of(NumberKind::Float, type->elsize);
    default: break;
  }
  const auto* found = std::ranges::find(kAddedTypes, name_of(type), &AddedType::name);
  return found == kAddedTypes.end() ? Element{.size = type->elsize} : element_of(found->dtype);
}

struct TypeNumber {
  DType dtype;
  int number;
};
constexpr std::array kTypeNumbers = {
    TypeNumber{DType::I8, NPY_INT8},      TypeNumber{DType::U8, NPY_UINT8},
    TypeNumber{DType::I16, NPY_INT16},    TypeNumber{DType::U16, NPY_UINT16},
    TypeNumber{DType::I32, NPY_INT32},    TypeNumber{DType::U32, NPY_UINT32},
    TypeNumber{DType::F16, NPY_FLOAT16},  TypeNumber{DType::BF16, NPY_UINT16},
    TypeNumber{DType::F32, NPY_FLOAT32},  TypeNumber{DType::F8E4M3, NPY_UINT8},
    TypeNumber{DType::F8E5M2, NPY_UINT8}, TypeNumber{DType::HIF8, NPY_UINT8},
};

// A new reference.
PyArray_Descr* type_like(PyObject* object, DType dtype) {
  if (!PyArray_Check(object))
    return PyArray_DescrFromType(kTypeNumbers[static_cast<std::size_t>(dtype)].number);
  PyArray_Descr* type = PyArray_DESCR(reinterpret_cast<PyArrayObject*>(object));
  Py_INCREF(type);
  return type;
}

// The rows of `wide`, which the view keeps alive, without what stands between them.
PyObject* narrow_view(PyObject* wide, const RowsShape& shape, Array& made) {
  auto* array = reinterpret_cast<PyArrayObject*>(wide);
  PyArray_Descr* type = PyArray_DESCR(array);
  set_packed_steps(made);
  std::int64_t step = shape.pitch * made.element.size;
  for (std::size_t i = shape.lead.size(); i-- > 0; step *= shape.lead[i]) made.steps[i] = step;
  Py_INCREF(type);
  PyObject* view = PyArray_NewFromDescr(&PyArray_Type, type, static_cast<int>(made.dims),
                                        made.extents.data(), made.steps.data(), PyArray_DATA(array),
                                        NPY_ARRAY_WRITEABLE | NPY_ARRAY_ALIGNED, nullptr);
  if (!view) {
    Py_DECREF(wide);
    return nullptr;
  }
  const int failed = PyArray_SetBaseObject(reinterpret_cast<PyArrayObject*>(view), wide);
  if (failed == 0) return view;
  Py_DECREF(view);
  return nullptr;
}

}  // namespace

bool import_numpy() { return _import_array() == 0; }

bool read_ndarray(PyObject* object, std::string_view name, Array& array) {
  if (!PyArray_Check(object)) return false;
  auto* from = reinterpret_cast<PyArrayObject*>(object);
  array.data = static_cast<std::byte*>(PyArray_DATA(from));
  array.element = element_of_type(PyArray_DESCR(from));
  if (array.element.kind == NumberKind::Opaque) array.foreign = name_of(PyArray_DESCR(from));
  set_layout(array, name, {PyArray_NDIM(from), PyArray_DIMS(from), PyArray_STRIDES(from)});
  array.is_writable = PyArray_ISWRITEABLE(from);
  return true;
}

PyObject* make_rows(PyObject* object, const Array& table, const RowsShape& shape, Array& made) {
  made.element = table.element;
  made.dims = shape.lead.size() + shape.row.size();
  if (made.dims > Array::kMostDims)
    fail("call.shape", "the result would have " + std::to_string(made.dims) + " dimensions");
  std::copy(shape.lead.begin(), shape.lead.end(), made.extents.begin());
  std::copy(shape.row.begin(), shape.row.end(), made.extents.begin() + shape.lead.size());
  std::int64_t width = 1;
  std::int64_t rows = 1;
  for (const std::int64_t extent : shape.row) width *= extent;
  for (const std::int64_t extent : shape.lead) rows *= extent;
  const bool is_packed = width == shape.pitch;
  npy_intp wide[] = {rows, shape.pitch};
  PyObject* out = PyArray_Empty(is_packed ? static_cast<int>(made.dims) : 2,
                                is_packed ? made.extents.data() : wide,
                                type_like(object, *table.element.dtype), 0);
  if (!out) return nullptr;
  made.data = static_cast<std::byte*>(PyArray_DATA(reinterpret_cast<PyArrayObject*>(out)));
  return is_packed ? out : narrow_view(out, shape, made);
}

}  // namespace pto::jit::python

// The module _mpi, which ptojit/mpi.py is made around. What goes wrong comes back as text, of which
// Python makes its exceptions.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ir/spec_text.h"
#include "jit/mpi/mpi.h"

namespace py = pybind11;
namespace ptojit = pto::jit;
using ptojit::BufferView;
using ptojit::DType;
using ptojit::KernelSpec;
using ptojit::Result;

namespace {

// Text for mpi.py to raise.
struct Refusal : std::exception {
  explicit Refusal(const ptojit::Diagnostics& why) : text(ptojit::render(why)) {}
  const char* what() const noexcept override { return text.c_str(); }
  std::string text;
};

template <class T>
T value_of(Result<T> result) {
  if (!result) throw Refusal(result.error());
  return std::move(*result);
}

// Of what mpi4py calls the handle of a communicator.
MPI_Comm comm_of(std::uintptr_t handle) { return reinterpret_cast<MPI_Comm>(handle); }

DType dtype_of(const py::array& array) {
  for (const ptojit::DTypeInfo& info : ptojit::kDTypes) {
    constexpr char kKinds[] = {'u', 'i', 'f', 'V'};
    const auto kind = info.kind == ptojit::NumberKind::Unsigned ? kKinds[0]
                      : info.kind == ptojit::NumberKind::Signed ? kKinds[1]
                      : info.kind == ptojit::NumberKind::Float  ? kKinds[2]
                                                                : kKinds[3];
    if (info.dtype != DType::BF16 && array.dtype().kind() == kind && array.itemsize() == info.size)
      return info.dtype;
  }
  throw Refusal({ptojit::error("call.dtype", "no dtype has the elements of such an array")});
}

// Extents and strides stay with the view.
struct ArrayView {
  ArrayView(const char* name, const py::array& array, bool is_tile) {
    for (py::ssize_t dim = 0; dim < array.ndim(); ++dim) {
      shape.push_back(array.shape(dim));
      strides.push_back(array.strides(dim) / array.itemsize());
    }
    const bool is_flat = (array.flags() & py::array::c_style) != 0;
    if (is_tile && !is_flat && (array.flags() & py::array::f_style) == 0)
      throw Refusal({ptojit::error("call.strides", std::string(name) + " has gaps")});
    std::int64_t bytes = array.size() == 0 ? 0 : array.itemsize();
    for (py::ssize_t dim = 0; dim < array.ndim() && bytes > 0; ++dim)
      bytes += (array.shape(dim) - 1) * array.strides(dim);
    view = {.operand = name,
            .data = const_cast<void*>(array.data()),
            .bytes = bytes,
            .dtype = dtype_of(array),
            .shape = {},
            .strides = {},
            .may_hold_bits = true,
            .is_const = !array.writeable()};
    if (!is_tile) view.shape = shape;
    if (!is_tile) view.strides = strides;
  }
  ArrayView(const ArrayView&) = delete;
  ArrayView& operator=(const ArrayView&) = delete;

  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> strides;
  BufferView view;
};

using Values = std::map<std::string, std::int64_t>;

std::vector<ptojit::Binding> bindings_of(const KernelSpec& spec, const Values& values) {
  std::vector<ptojit::Binding> out;
  for (const auto& [name, value] : values) {
    const std::optional<ptojit::Dim> dim = ptojit::dim_named(spec.op, name);
    if (!dim) throw Refusal({ptojit::error("bind.name", "there is no '" + name + "' to bind")});
    out.push_back({*dim, value});
  }
  return out;
}

ptojit::Table tensor_of(const std::string& dtype, const std::vector<std::int64_t>& shape,
                        const std::vector<std::int64_t>& strides) {
  const std::optional<DType> element = ptojit::dtype_named(dtype);
  const auto is_extent = [](std::int64_t n) { return std::in_range<std::int32_t>(n) && n >= 0; };
  if (!element || shape.empty() || shape.size() > 5 || !std::ranges::all_of(shape, is_extent) ||
      (!strides.empty() && strides.size() != shape.size()))
    throw Refusal({ptojit::error("group.shape",
                                 "a destination has a dtype, one to five extents from 0 to "
                                 "2^31 - 1, and as many strides")});
  ptojit::Table out{.shape = {1, 1, 1, 1, 1}, .dtype = *element};
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const std::size_t dim = 5 - shape.size() + i;
    out.shape[dim] = static_cast<std::int32_t>(shape[i]);
    if (!strides.empty()) out.strides[dim] = strides[i];
  }
  for (std::int64_t& stride : out.strides) {
    if (!strides.empty() && stride == 0) stride = 1;
  }
  return out;
}

std::unique_ptr<ptojit::mpi::Group> make_group(std::uintptr_t comm, const std::string& dtype,
                                               const std::vector<std::int64_t>& shape,
                                               const std::vector<std::int64_t>& strides, int root,
                                               int ranks_per_host) {
  const ptojit::Table tensor = tensor_of(dtype, shape, strides);
  const py::gil_scoped_release unlocked;
  return std::make_unique<ptojit::mpi::Group>(
      value_of(ptojit::mpi::Group::allocate(comm_of(comm), tensor, root, {ranks_per_host})));
}

void scatter(ptojit::mpi::Group& self, const std::string& text, const py::array& source,
             const Values& values) {
  const KernelSpec spec = value_of(ptojit::parse(text));
  const ArrayView view("src", source, false);
  const std::vector<ptojit::Binding> bindings = bindings_of(spec, values);
  const py::gil_scoped_release unlocked;
  value_of(ptojit::mpi::scatter(self, spec, view.view, {bindings}));
}

// The whole destination in bytes, alive as long as its group.
py::array memory_of(const py::object& self) {
  const std::span<std::byte> bytes = self.cast<ptojit::mpi::Group&>().memory();
  return py::array_t<std::uint8_t>({static_cast<py::ssize_t>(bytes.size())},
                                   reinterpret_cast<const std::uint8_t*>(bytes.data()), self);
}

std::unique_ptr<ptojit::mpi::SpreadTable> make_table(std::uintptr_t comm, const py::array& local,
                                                     std::int64_t rows_per_rank,
                                                     const std::string& dtype) {
  ArrayView view("table", local, false);
  const std::optional<DType> element = ptojit::dtype_named(dtype);
  if (element && ptojit::holds_bits_of(view.view.dtype, *element)) view.view.dtype = *element;
  const py::gil_scoped_release unlocked;
  return std::make_unique<ptojit::mpi::SpreadTable>(
      value_of(ptojit::mpi::SpreadTable::make(comm_of(comm), view.view, rows_per_rank)));
}

// Collective even where this rank's arguments are no good, unless they are no arrays at all.
void move_rows(ptojit::mpi::SpreadTable& self, const std::string& text, const py::array& tile,
               const py::array& indices, const Values& values) {
  const KernelSpec spec = value_of(ptojit::parse(text));
  const bool is_gather = spec.op == ptojit::Op::MGather;
  const ArrayView data(is_gather ? "dst" : "src", tile, true);
  const ArrayView index("idx", indices, true);
  const BufferView views[] = {data.view, index.view};
  std::vector<ptojit::Binding> bindings = bindings_of(spec, values);
  if (spec.data.vr == ptojit::kRuntime && !values.contains(is_gather ? "dst.vr" : "src.vr"))
    bindings.push_back({ptojit::Dim::DataVr, indices.size()});
  const ptojit::CallArguments arguments = {.buffers = views, .bindings = bindings};
  const py::gil_scoped_release unlocked;
  value_of(is_gather ? ptojit::mpi::gather_rows(self, spec, arguments)
                     : ptojit::mpi::scatter_rows(self, spec, arguments));
}

}  // namespace

PYBIND11_MODULE(_mpi, module) {
  module.doc() = "The compiled part of ptojit.mpi.";
  py::register_exception<Refusal>(module, "Refusal");
  using ptojit::mpi::Group;
  using ptojit::mpi::SpreadTable;
  py::class_<Group>(module, "Group")
      .def(py::init(&make_group))
      .def("scatter", &scatter)
      .def("wait",
           [](Group& self) {
             const py::gil_scoped_release unlocked;
             value_of(self.wait());
           })
      .def("memory", &memory_of)
      .def_property_readonly("rank", &Group::rank)
      .def_property_readonly("size", &Group::size)
      .def_property_readonly("root", &Group::root);
  py::class_<SpreadTable>(module, "SpreadTable")
      .def(py::init(&make_table), py::keep_alive<1, 3>())
      .def("move_rows", &move_rows)
      .def_property_readonly("rank", &SpreadTable::rank)
      .def_property_readonly("size", &SpreadTable::size)
      .def_property_readonly("rows", &SpreadTable::rows);
}

// The module _mpi, which ptojit/mpi.py is made around. Arguments are read by what reads those of
// Python's kernels, and before the ranks meet: what is wrong with those of one rank, all are told.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <array>
#include <exception>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "ir/quantity.h"
#include "ir/spec_text.h"
#include "jit/calls/mpi/mpi.h"
#include "jit/doors/python/failure.h"
#include "jit/doors/python/numpy_arrays.h"
#include "jit/doors/python/operands.h"
#include "jit/doors/python/without_lock.h"

namespace py = pybind11;
namespace ptojit = pto::jit;
using ptojit::BufferView;
using ptojit::Diagnostics;
using ptojit::Done;
using ptojit::DType;
using ptojit::KernelSpec;
using ptojit::Op;
using ptojit::Result;
using ptojit::python::Array;
using ptojit::python::fail;
using ptojit::python::Failure;
using ptojit::python::GivenOperands;
using ptojit::python::value_of;
using ptojit::python::WithoutLock;

namespace {

// What an exception says to other ranks.
Diagnostics diagnostics_of(const std::exception& thrown) {
  const std::string text = thrown.what();
  return {ptojit::error("call.argument", text.substr(0, text.find('\n')))};
}

// This rank's side of a collective: what it read, or what was thrown meanwhile, to be thrown again
// when all have been told.
class Reading {
 public:
  template <class Read>
  explicit Reading(Read&& read) {
    try {
      read();
    } catch (const Failure& failure) {
      said_ = failure.diagnostics;
      thrown_ = std::current_exception();
    } catch (const py::error_already_set& thrown) {
      said_ = diagnostics_of(thrown);
      thrown_ = thrown.matches(PyExc_Exception) ? std::make_exception_ptr(Failure{said_})
                                                : std::current_exception();
    } catch (const std::exception& thrown) {
      said_ = diagnostics_of(thrown);
      thrown_ = std::current_exception();
    }
  }

  bool is_good() const { return !thrown_; }
  const Diagnostics& error() const { return said_; }
  template <class T>
  Result<T> or_error(const T& value) const {
    return is_good() ? Result<T>(value) : Result<T>(said_);
  }

  template <class T>
  T after(Result<T> collective) const {
    if (thrown_) std::rethrow_exception(thrown_);
    return value_of(std::move(collective));
  }

 private:
  Diagnostics said_;
  std::exception_ptr thrown_;
};

// Of what mpi4py calls the handle of a communicator.
MPI_Comm comm_of(std::uintptr_t handle) { return reinterpret_cast<MPI_Comm>(handle); }

std::int64_t number_of(const py::handle& object, const std::string& name) {
  const py::object index = py::reinterpret_steal<py::object>(PyNumber_Index(object.ptr()));
  const long long out = index ? PyLong_AsLongLong(index.ptr()) : -1;
  if (!PyErr_Occurred()) return out;
  if (!PyErr_ExceptionMatches(PyExc_Exception)) throw py::error_already_set();
  PyErr_Clear();
  fail("call.argument", name + " is no integer of 64 bits");
}

std::int32_t small_number_of(const py::handle& object, const std::string& name) {
  const std::int64_t out = number_of(object, name);
  if (std::in_range<std::int32_t>(out)) return static_cast<std::int32_t>(out);
  fail("call.argument", name + " is " + std::to_string(out) + ", which 32 bits do not hold");
}

std::string text_of(const py::handle& object, const std::string& name) {
  if (py::isinstance<py::str>(object)) return object.cast<std::string>();
  fail("call.argument", name + " is no string");
}

std::vector<std::int64_t> numbers_of(const py::handle& sequence, const std::string& name) {
  std::vector<std::int64_t> out;
  if (sequence.is_none()) return out;
  for (const py::handle each : py::iter(sequence)) out.push_back(number_of(each, name));
  return out;
}

Diagnostics left_for(const std::string& why) {
  return why.empty() ? Diagnostics{} : Diagnostics{ptojit::error("mpi.left", why)};
}

// A spec and the arrays it is to move.
struct Move {
  using Named = std::pair<const char*, py::object>;

  void read(const py::object& text, const py::object& bind, std::initializer_list<Named> arrays) {
    spec = value_of(ptojit::parse(text_of(text, "the spec")));
    py::dict named;
    if (!bind.is_none()) named["bind"] = py::dict(bind);
    for (const auto& [name, array] : arrays) named[name] = array;
    given.emplace(spec, named.ptr(), ptojit::python::Use::Call);
  }

  KernelSpec spec;
  std::optional<GivenOperands> given;
};

// --- groups -------------------------------------------------------------------------------------

ptojit::Table tensor_of(const std::string& dtype, const std::vector<std::int64_t>& shape,
                        const std::vector<std::int64_t>& strides) {
  const std::optional<DType> element = ptojit::dtype_named(dtype);
  const auto is_extent = [](std::int64_t n) { return std::in_range<std::int32_t>(n) && n >= 0; };
  const auto is_stride = [](std::int64_t n) { return n > 0; };
  if (!element || shape.empty() || shape.size() > 5 || !std::ranges::all_of(shape, is_extent) ||
      !std::ranges::all_of(strides, is_stride) ||
      (!strides.empty() && strides.size() != shape.size()))
    fail("group.shape",
         "a destination has a dtype, one to five extents from 0 to 2^31 - 1, and as many strides "
         "from 1");
  ptojit::Table out{.shape = {1, 1, 1, 1, 1}, .dtype = *element};
  if (!strides.empty()) out.strides.fill(1);
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const std::size_t dim = 5 - shape.size() + i;
    out.shape[dim] = static_cast<std::int32_t>(shape[i]);
    if (!strides.empty()) out.strides[dim] = strides[i];
  }
  return out;
}

class Group {
 public:
  Group(std::uintptr_t comm, const py::object& dtype, const py::object& extents,
        const py::object& strides, const py::object& root, const py::object& ranks_per_host) {
    ptojit::Table tensor;
    std::int32_t at = 0;
    ptojit::mpi::GroupOptions options;
    const Reading arguments([&] {
      shape = numbers_of(extents, "an extent");
      tensor = tensor_of(text_of(dtype, "dtype"), shape, numbers_of(strides, "a stride"));
      at = small_number_of(root, "root");
      options.ranks_per_host = small_number_of(ranks_per_host, "ranks_per_host");
    });
    Result<ptojit::mpi::Group> made = [&] {
      const WithoutLock unlocked;
      return ptojit::mpi::Group::allocate(comm_of(comm), arguments.or_error(tensor), at, options);
    }();
    group.emplace(arguments.after(std::move(made)));
  }

  // What keeps the root from it, those that wait are told.
  void scatter(const py::object& text, const py::object& source, const py::object& bind) {
    Move move;
    const Reading arguments([&] { move.read(text, bind, {{"src", source}}); });
    if (!arguments.is_good()) group->fail(arguments.error());
    const WithoutLock unlocked;
    arguments.after(arguments.is_good()
                        ? ptojit::mpi::scatter(*group, move.spec, move.given->views()[0],
                                               {.bindings = move.given->bindings()})
                        : Result<Done>(Done{}));
  }

  void wait() {
    const WithoutLock unlocked;
    value_of(group->wait());
  }

  void leave(const std::string& why) {
    const WithoutLock unlocked;
    group->leave(left_for(why));
  }

  // The strides of the extents that were given, in elements.
  std::vector<std::int64_t> strides() const {
    std::vector<std::int64_t> out;
    for (std::size_t dim = 5 - shape.size(); dim < 5; ++dim)
      out.push_back(ptojit::stride_of(group->tensor(), dim).value);
    return out;
  }

  std::optional<ptojit::mpi::Group> group;
  std::vector<std::int64_t> shape;
};

// The whole destination in bytes, alive as long as its group.
py::array memory_of(const py::object& self) {
  const std::span<std::byte> bytes = self.cast<Group&>().group->memory();
  return py::array_t<std::uint8_t>({std::ssize(bytes)},
                                   reinterpret_cast<const std::uint8_t*>(bytes.data()), self);
}

// --- tables -------------------------------------------------------------------------------------

class SpreadTable {
 public:
  SpreadTable(std::uintptr_t comm, const py::object& local, const py::object& rows_per_rank,
              const py::object& dtype)
      : local_(local) {
    BufferView view;
    std::array<std::int64_t, Array::kMostDims> strides;
    std::int64_t rows = 0;
    const Reading arguments([&] {
      rows = number_of(rows_per_rank, "rows_per_rank");
      const DType element = take_rows(text_of(dtype, "dtype"));
      strides = ptojit::python::strides_of(array_, "table");
      view = {.operand = "table",
              .data = array_.data,
              .bytes = array_.bytes(),
              .dtype = element,
              .shape = array_.shape(),
              .strides = std::span(strides).first(array_.dims),
              .is_const = !array_.is_writable};
    });
    Result<ptojit::mpi::SpreadTable> made = [&] {
      const WithoutLock unlocked;
      return ptojit::mpi::SpreadTable::make(comm_of(comm), arguments.or_error(view), rows);
    }();
    table.emplace(arguments.after(std::move(made)));
  }

  // `text` is a spec of `op`, by which the tile is called `name`.
  void move_rows(Op op, const char* name, const py::object& text, const py::object& tile,
                 const py::object& indices, const py::object& bind) {
    Move move;
    const Reading arguments([&] { move.read(text, bind, {{name, tile}, {"idx", indices}}); });
    const WithoutLock unlocked;
    if (!arguments.is_good()) return arguments.after(table->refuse(arguments.error())), void();
    const ptojit::CallArguments call = {.buffers = move.given->views(),
                                        .bindings = move.given->bindings()};
    value_of(op == Op::MGather ? ptojit::mpi::gather_rows(*table, move.spec, call)
                               : ptojit::mpi::scatter_rows(*table, move.spec, call));
  }

  void leave(const std::string& why) {
    const WithoutLock unlocked;
    table->leave(left_for(why));
  }

  std::optional<ptojit::mpi::SpreadTable> table;

 private:
  // This rank's rows, and what their elements are: `dtype` says of which the bits are.
  DType take_rows(const std::string& dtype) {
    ptojit::python::take_array(local_.ptr(), "table", array_);
    const std::optional<DType> wanted =
        dtype.empty() ? array_.element.dtype : ptojit::dtype_named(dtype);
    if (wanted && may_hold(array_.element, *wanted)) return *wanted;
    fail("call.dtype", "table is " + type_text(array_) +
                           (dtype.empty() ? ", which no kernel has"
                                          : "; dtype says " + ptojit::printable(dtype)));
  }

  py::object local_;
  Array array_;
};

}  // namespace

PYBIND11_MODULE(_mpi, module) {
  module.doc() = "The compiled part of ptojit.mpi.";
  if (!ptojit::python::import_numpy()) throw py::error_already_set();
  py::register_local_exception_translator([](std::exception_ptr problem) {
    try {
      if (problem) std::rethrow_exception(problem);
    } catch (const Failure& failure) {
      ptojit::python::set_error(failure);
    }
  });
  py::class_<Group>(module, "Group")
      .def(py::init<std::uintptr_t, py::object, py::object, py::object, py::object, py::object>())
      .def("scatter", &Group::scatter)
      .def("wait", &Group::wait)
      .def("leave", &Group::leave)
      .def("memory", &memory_of)
      .def_readonly("shape", &Group::shape)
      .def_property_readonly("strides", &Group::strides)
      .def_property_readonly("dtype",
                             [](const Group& self) { return name_of(self.group->tensor().dtype); })
      .def_property_readonly("rank", [](const Group& self) { return self.group->rank(); })
      .def_property_readonly("size", [](const Group& self) { return self.group->size(); })
      .def_property_readonly("root", [](const Group& self) { return self.group->root(); });
  py::class_<SpreadTable>(module, "SpreadTable")
      .def(py::init<std::uintptr_t, py::object, py::object, py::object>())
      .def("gather_rows",
           [](SpreadTable& self, const py::object& spec, const py::object& tile,
              const py::object& indices, const py::object& bind) {
             self.move_rows(Op::MGather, "dst", spec, tile, indices, bind);
           })
      .def("scatter_rows",
           [](SpreadTable& self, const py::object& spec, const py::object& tile,
              const py::object& indices, const py::object& bind) {
             self.move_rows(Op::MScatter, "src", spec, tile, indices, bind);
           })
      .def("leave", &SpreadTable::leave)
      .def_property_readonly("rank", [](const SpreadTable& self) { return self.table->rank(); })
      .def_property_readonly("size", [](const SpreadTable& self) { return self.table->size(); })
      .def_property_readonly("rows", [](const SpreadTable& self) { return self.table->rows(); });
}

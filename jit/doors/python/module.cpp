// The module _ptojit, which the package ptojit beside it is made around.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <map>
#include <sstream>

#include "ir/spec_text.h"
#include "jit/doors/python/arguments.h"
#include "jit/doors/python/array_functions.h"
#include "jit/doors/python/failure.h"
#include "jit/doors/python/kernel.h"
#include "jit/doors/python/numpy_arrays.h"
#include "jit/doors/python/without_lock.h"
#include "jit/tools/tool.h"

namespace py = pybind11;
namespace ptojit = pto::jit;
using pto::jit::AuditReport;
using pto::jit::Diagnostic;
using pto::jit::python::BoundKernel;
using pto::jit::python::PythonKernel;

namespace {

// The canonical text, or nothing; what there is to say; and the same for people.
py::tuple check(const std::string& text) {
  const ptojit::Result<ptojit::KernelSpec> spec = ptojit::parse(text);
  const auto legal = spec ? ptojit::verify(*spec) : ptojit::Result<ptojit::LegalSpec>(spec.error());
  const ptojit::Diagnostics said = legal ? ptojit::notes_on(*legal) : legal.error();
  return py::make_tuple(legal ? py::cast(ptojit::print(legal->spec())) : py::object(py::none()),
                        said, ptojit::render(said, text));
}

py::tuple run_tool(const std::vector<std::string>& words) {
  std::vector<const char*> arguments = {"ptojit"};
  for (const std::string& word : words) arguments.push_back(word.c_str());
  std::ostringstream out;
  std::ostringstream err;
  int code = 0;
  {
    const ptojit::python::WithoutLock unlocked;
    code = ptojit::cli::run_tool(static_cast<int>(arguments.size()), arguments.data(), out, err);
  }
  return py::make_tuple(code, out.str(), err.str());
}

py::dict cache_statistics() {
  const ptojit::CacheStatistics now = ptojit::cache_statistics();
  using namespace py::literals;  // NOLINT(google-build-using-namespace)
  return py::dict("hits"_a = now.hits, "misses"_a = now.misses, "evictions"_a = now.evictions,
                  "failures"_a = now.failures, "entries"_a = now.entries, "bytes"_a = now.bytes,
                  "bindings"_a = now.bindings, "declined_bindings"_a = now.declined_bindings);
}

void add_diagnostic(py::module_& module) {
  py::class_<Diagnostic>(module, "Diagnostic", "What is wrong or worth knowing, and by which rule.")
      .def(py::init([](const std::string& id, const std::string& message,
                       const std::map<std::string, std::string>& more) {
             Diagnostic out = ptojit::error(id, message);
             const auto set = [&](const char* name, std::string& field) {
               if (const auto found = more.find(name); found != more.end()) field = found->second;
             };
             set("rule", out.rule);
             set("from", out.from);
             set("try", out.suggestion);
             set("but", out.gives_up);
             if (more.contains("severity")) out.severity = ptojit::Severity::Note;
             return out;
           }),
           py::arg("id"), py::arg("message"), py::arg("more") = py::dict())
      .def_readonly("id", &Diagnostic::id, "stable, as a5.scatter.width")
      .def_readonly("message", &Diagnostic::message)
      .def_readonly("rule", &Diagnostic::rule, "in words; may be empty")
      .def_readonly("from_", &Diagnostic::from, "document and section; may be empty")
      .def_readonly("try_", &Diagnostic::suggestion, "the nearest legal spec; may be empty")
      .def_readonly("but", &Diagnostic::gives_up, "what that spec gives up; may be empty")
      .def_property_readonly(
          "is_error",
          [](const Diagnostic& self) { return self.severity == ptojit::Severity::Error; })
      .def("__reduce__",
           [](const py::object& self) {
             const auto& from = self.cast<const Diagnostic&>();
             std::map<std::string, std::string> more = {{"rule", from.rule},
                                                        {"from", from.from},
                                                        {"try", from.suggestion},
                                                        {"but", from.gives_up}};
             if (from.severity == ptojit::Severity::Note) more["severity"] = "note";
             return py::make_tuple(py::type::of(self), py::make_tuple(from.id, from.message, more));
           })
      .def("__str__", [](const Diagnostic& self) { return ptojit::render(self); })
      .def("__repr__", [](const Diagnostic& self) { return "<Diagnostic " + self.id + ">"; });
}

void add_findings(py::module_& module) {
  py::class_<AuditReport>(module, "Findings",
                          "What an audit found; positions count the valid indices row by row, and "
                          "are -1 where there is nothing.")
      .def_readonly("out_of_bounds", &AuditReport::out_of_bounds)
      .def_readonly("first_out_of_bounds", &AuditReport::first_out_of_bounds)
      .def_readonly("collisions", &AuditReport::collisions)
      .def_readonly("first_collision", &AuditReport::first_collision)
      .def(py::pickle(
          [](const AuditReport& self) {
            return py::make_tuple(self.out_of_bounds, self.first_out_of_bounds, self.collisions,
                                  self.first_collision);
          },
          [](const py::tuple& state) {
            const auto number = [&](std::size_t at) { return state[at].cast<std::int64_t>(); };
            return AuditReport{number(0), number(1), number(2), number(3)};
          }))
      .def("__bool__",
           [](const AuditReport& self) { return self.out_of_bounds + self.collisions > 0; })
      .def("__repr__", [](const AuditReport& self) {
        return "<Findings out_of_bounds=" + std::to_string(self.out_of_bounds) +
               " collisions=" + std::to_string(self.collisions) + ">";
      });
}

void add_kernel(py::module_& module) {
  py::class_<PythonKernel>(module, "Kernel", "A compiled kernel; compile() makes one.")
      .def(py::init([](std::string_view spec, std::string_view backend, const py::object& threads) {
             return std::make_unique<PythonKernel>(spec, backend,
                                                   ptojit::python::threads_of(threads.ptr()));
           }),
           py::arg("spec"), py::arg("backend") = "auto", py::arg("threads") = 1)
      .def(
          "__call__",
          [](const PythonKernel& self, const py::kwargs& named) { return self.call(named.ptr()); },
          "Runs on arrays given by their operands' names, in place. Everything is checked first: "
          "dtypes, shapes, sizes, overlap, and under no policy every index. Shapes give the values "
          "of each '?'; bind={'src.vr': 3} gives others. An audited kernel returns its Findings.")
      .def(
          "unchecked",
          [](const PythonKernel& self, const py::kwargs& named) {
            return self.call_unchecked(named.ptr());
          },
          "The same without a look at the indices: one that leaves its operand reads or writes "
          "somebody else's memory.")
      .def(
          "audit",
          [](const PythonKernel& self, const py::kwargs& named) { return self.audit(named.ptr()); },
          "Looks through the indices for those out of range and colliding; moves nothing.")
      .def(
          "bind",
          [](const PythonKernel& self, const py::kwargs& named) {
            return std::make_unique<BoundKernel>(self, named.ptr());
          },
          "The kernel on these arrays, to be called without arguments as often as one likes. They "
          "are kept, and checked once, their indices never.")
      .def_property_readonly("spec", &PythonKernel::spec, "the canonical text")
      .def_property_readonly("plan", &PythonKernel::plan, "what it does, step by step")
      .def_property_readonly("strategy", &PythonKernel::strategy, "how its backend goes about it")
      .def_property_readonly("asm", &PythonKernel::disassembly, "its machine code")
      .def_property_readonly("backend", &PythonKernel::backend)
      .def_property_readonly("notes", &PythonKernel::notes, "what is legal but worth knowing")
      .def("__repr__", [](const PythonKernel& self) { return "<Kernel " + self.spec() + ">"; });
  py::class_<BoundKernel>(module, "BoundKernel",
                          "A kernel and its arrays; Kernel.bind() makes one.")
      .def("__call__", &BoundKernel::call,
           "Runs; the indices are not looked at. An audited kernel returns its Findings.")
      .def_property_readonly("findings", &BoundKernel::report,
                             "of the last call to end, where the kernel is audited");
}

}  // namespace

PYBIND11_MODULE(_ptojit, module) {
  module.doc() = "The compiled part of ptojit.";
  if (!ptojit::python::import_numpy()) throw py::error_already_set();
  py::register_exception_translator([](std::exception_ptr problem) {
    try {
      if (problem) std::rethrow_exception(problem);
    } catch (const ptojit::python::Failure& failure) {
      ptojit::python::set_error(failure);
    }
  });
  add_diagnostic(module);
  add_findings(module);
  add_kernel(module);
  module.def("check", &check);
  module.def("run_tool", &run_tool);
  module.def("cache_statistics", &cache_statistics,
             "What the cache of kernels holds and has done, and how many bindings (values of each "
             "'?') seen often got kernels of their own.");
  if (!ptojit::python::add_array_functions(module.ptr())) throw py::error_already_set();
}

// The array functions as rows, and their arguments read by position and by name.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "ir/operation.h"
#include "jit/doors/python/array.h"
#include "jit/doors/python/array_moves.h"

namespace pto::jit::python {

// In the order of positions; those from kOob on go by name only.
enum Argument : std::uint8_t {
  kTable,
  kIndices,
  kValues,
  kOob,
  kAtomic,
  kConflict,
  kThreads,
  kArguments
};

struct Function {
  const char* name;
  Op op;
  Coalesce coalesce;
  std::array<std::string_view, kArguments> arguments;  // empty: it has no such one
};

inline constexpr std::array kFunctions = {
    Function{
        "gather_rows", Op::MGather, Coalesce::Row, {"table", "ids", "", "oob", "", "", "threads"}},
    Function{"scatter_rows",
             Op::MScatter,
             Coalesce::Row,
             {"table", "ids", "rows", "oob", "atomic", "conflict", "threads"}},
    Function{"gather", Op::MGather, Coalesce::Elem, {"table", "idx", "", "oob", "", "", "threads"}},
    Function{"scatter",
             Op::MScatter,
             Coalesce::Elem,
             {"table", "idx", "values", "oob", "atomic", "conflict", "threads"}},
};

// Borrowed; null where none was given.
using Arguments = std::array<PyObject*, kArguments>;

// `names` is a tuple of those that follow the `count` by position, or null.
Arguments read_arguments(const Function& function, PyObject* const* given, std::ptrdiff_t count,
                         PyObject* names);

// What the policies among the arguments say, by their words in specs.
void set_policies(MoveWish& wish, const Arguments& given);

// A number of threads that a call can be done by.
int threads_of(PyObject* given);

}  // namespace pto::jit::python

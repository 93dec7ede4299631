// The arrays given to a kernel, held against its spec: each becomes a view of an operand, and its
// shape the values of runtime dimensions.
#pragma once

#include <string>
#include <vector>

#include "jit/calls/checked_call.h"
#include "jit/doors/python/array.h"
#include "jit/doors/python/values.h"

namespace pto::jit::python {

// What a call is made for decides what is asked of its arrays.
enum class Use : std::uint8_t {
  Call,   // 64-bit indices are converted; what is written must be writable
  Bind,   // called again and again on the same memory: nothing is converted
  Audit,  // nothing is written
};

class GivenOperands {
 public:
  // `named` is a dictionary of arrays by operand, a list of them where each rank has one, and
  // perhaps of values by dimension under the name "bind".
  GivenOperands(const KernelSpec& spec, PyObject* named, Use use);

  std::span<const BufferView> views() const { return views_; }
  std::span<const Binding> bindings() const { return bindings_; }

 private:
  struct Given {
    std::string name;
    Reference object;  // keeps the array's memory, whatever becomes of what named it
    Array array;
    std::array<std::int64_t, Array::kMostDims> strides{};  // elements
  };

  void take_bindings(PyObject* values);
  void take(std::string name, Role role, PyObject* object);
  void take_ranks(const Operand& operand, PyObject* arrays);
  [[noreturn]] void fail_at_ranks(const Operand& operand) const;
  void see_tile(Given& given, Role role);
  void see_table(Given& given);
  void bind_extent(const Given& given, Dim dim, std::int64_t extent, std::int64_t padded);

  const KernelSpec& spec_;
  Use use_;
  std::vector<Given> given_;  // views point into it
  std::vector<BufferView> views_;
  std::vector<Binding> bindings_;
};

}  // namespace pto::jit::python

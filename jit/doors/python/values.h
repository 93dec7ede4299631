// Values of Python's own: references that end by themselves, texts, integers, and what user code
// raises.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

typedef struct _object PyObject;  // NOLINT: CPython's name

namespace pto::jit::python {

struct Drop {
  void operator()(PyObject* object) const;
};
// One counted reference. The interpreter's lock is held where it ends.
using Reference = std::unique_ptr<PyObject, Drop>;

Reference share(PyObject* borrowed);

// The characters of a string, alive as long as the object; nothing where it is none.
std::optional<std::string_view> text_of(PyObject* object);

// What `__index__` gives, where there is one and 64 bits hold it.
std::optional<std::int64_t> integer_of(PyObject* object);

// As Python writes it, short enough for a message.
std::string repr_of(PyObject* object);

// Takes the exception that user code has raised and says what it was. Only an `Exception` is taken:
// KeyboardInterrupt, SystemExit and their like, and MemoryError, go on to the caller.
std::string take_exception();

}  // namespace pto::jit::python

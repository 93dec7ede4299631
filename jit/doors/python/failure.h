// Failure: diagnostics on their way to Python, where ptojit/errors.py makes an exception of them.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "ir/diagnostic.h"
#include "ir/result.h"

namespace pto::jit::python {

struct Failure {
  Diagnostics diagnostics;
  std::string text = {};  // that the diagnostics point into
};

[[noreturn]] void fail(std::string_view id, std::string message);

// What a result holds; what it says otherwise is thrown.
template <class T>
T value_of(Result<T> result, std::string_view text = {}) {
  if (!result) throw Failure{std::move(result).error(), std::string(text)};
  return std::move(*result);
}

// Sets the interpreter's error indicator.
void set_error(const Failure& failure);

// The same for whatever is being handled in a catch block.
void set_error_in_flight();

}  // namespace pto::jit::python

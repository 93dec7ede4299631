// Result<T>: a value, or the diagnostics that say why there is none. Shaped like std::expected.
#pragma once

#include <utility>
#include <variant>

#include "ir/diagnostic.h"

namespace pto::jit {

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}  // NOLINT(google-explicit-constructor)
  Result(Diagnostics diagnostics)
      : state_(std::move(diagnostics)) {}  // NOLINT(google-explicit-constructor)
  Result(Diagnostic diagnostic)
      : state_(Diagnostics{std::move(diagnostic)}) {}  // NOLINT(google-explicit-constructor)

  bool has_value() const { return state_.index() == 0; }
  explicit operator bool() const { return has_value(); }

  const T& operator*() const& { return *std::get_if<0>(&state_); }
  T& operator*() & { return *std::get_if<0>(&state_); }
  T&& operator*() && { return std::move(*std::get_if<0>(&state_)); }
  const T* operator->() const { return std::get_if<0>(&state_); }
  T* operator->() { return std::get_if<0>(&state_); }

  const Diagnostics& error() const& { return *std::get_if<1>(&state_); }
  Diagnostics&& error() && { return std::move(*std::get_if<1>(&state_)); }

 private:
  std::variant<T, Diagnostics> state_;
};

// For work that succeeds without a value.
struct Done {};

}  // namespace pto::jit

// The backends of this build, for tests that try all of them or need a certain one.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "jit/backends/backend.h"

namespace pto::jit::tests {

inline constexpr std::array kAllBackends = {Backend::Xbyak, Backend::Llvm, Backend::Interpreter};

inline std::vector<Backend> backends_here() {
  std::vector<Backend> out;
  for (const Backend backend : kAllBackends) {
    if (has_backend(backend)) out.push_back(backend);
  }
  return out;
}

}  // namespace pto::jit::tests

// Ends a test whose backend is missing, saying so.
#define PTOJIT_NEEDS(backend) \
  if (!::pto::jit::has_backend(backend)) GTEST_SKIP() << ::pto::jit::no_backend(backend).message

#include "runtime/invariant.h"

#include <cstdio>
#include <cstdlib>

namespace pto::jit {

void broken_invariant(const char* what) {
  std::fprintf(stderr, "pto-jit: %s\n", what);
  std::abort();
}

}  // namespace pto::jit

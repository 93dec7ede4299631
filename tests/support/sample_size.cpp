#include "tests/support/sample_size.h"

#include <cstdio>
#include <cstdlib>
#include <string>

namespace pto::jit::tests {

bool takes_full_samples() {
  const char* asked = std::getenv("PTOJIT_TESTS");
  return asked != nullptr && std::string_view(asked) == "all";
}

std::size_t taken(SampleSize size, std::string_view what) {
  const std::size_t out = takes_full_samples() ? size.full : size.brief;
  std::printf("%zu %s: of two sizes, %zu for ./dev test and %zu for ./dev test all\n", out,
              std::string(what).c_str(), size.brief, size.full);
  return out;
}

}  // namespace pto::jit::tests

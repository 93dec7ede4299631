#include "jit/backends/watching/written_code.h"

#include <algorithm>

namespace pto::jit {

std::vector<std::string_view> verbs_at(const Writings& writings, std::size_t offset) {
  std::vector<std::string_view> out;
  for (const Writing& writing : writings) {
    if (writing.begin <= offset && offset < writing.end) out.push_back(writing.verb);
  }
  std::ranges::reverse(out);
  return out;
}

}  // namespace pto::jit

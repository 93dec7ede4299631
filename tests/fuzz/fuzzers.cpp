#include "tests/fuzz/fuzzers.h"

#include <algorithm>
#include <array>

namespace pto::jit::tests {

std::span<const Fuzzer> all_fuzzers() {
  static const std::array kAll = {kSpecFuzzer, kMembersFuzzer, kNpyFuzzer, kObjectFuzzer, kCFuzzer};
  return kAll;
}

const Fuzzer* fuzzer_named(std::string_view name) {
  const auto found = std::ranges::find(all_fuzzers(), name, &Fuzzer::name);
  return found == all_fuzzers().end() ? nullptr : &*found;
}

}  // namespace pto::jit::tests

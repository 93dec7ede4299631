// What libFuzzer calls. PTOJIT_FUZZER names the fuzzer this program is; `--plant=NAME` gives it a
// fault to find. At the end it says what its inputs reached.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "tests/fuzz/fuzzers.h"
#include "tests/fuzz/plant.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace pto::jit::tests {
namespace {

const Fuzzer& fuzzer() {
  static const Fuzzer* const kNamed = fuzzer_named(PTOJIT_FUZZER);
  return *kNamed;
}

std::string_view text_in(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

// At the end of a run without a finding.
void tell_reached() {
  const Reached reached = fuzzer().reached();
  std::fprintf(stderr, "%s: %s", PTOJIT_FUZZER, reached.text.c_str());
  if (reached.falls_short.empty()) return;
  std::fprintf(stderr, "%s falls short: %s\n", PTOJIT_FUZZER, reached.falls_short.c_str());
  std::_Exit(1);
}

// Takes the project's own option away before libFuzzer wonders about it.
void take_option(int& count, char** words) {
  constexpr std::string_view kOption = "--plant=";
  int kept = 1;
  for (int i = 1; i < count; ++i) {
    const std::string_view word = words[i];
    if (!word.starts_with(kOption)) {
      words[kept++] = words[i];
    } else if (!plant(word.substr(kOption.size()))) {
      std::fprintf(stderr, "'%s' is no plant\n", words[i]);
      std::exit(2);
    }
  }
  count = kept;
  words[kept] = nullptr;
}

}  // namespace
}  // namespace pto::jit::tests

using namespace pto::jit::tests;

extern "C" int LLVMFuzzerInitialize(int* count, char*** words) {
  take_option(*count, *words);
  std::atexit(tell_reached);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string found = fuzzer().finding(text_in(data, size));
  if (found.empty()) return 0;
  std::fprintf(stderr, "finding: %s\n", found.c_str());
  std::abort();
}

// Every fourth time libFuzzer's own changes, which know nothing of what they change.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
  Random random(seed);
  if (random.below(4) == 0) return LLVMFuzzerMutate(data, size, most);
  const std::string out = fuzzer().mutated(text_in(data, size), random);
  if (out.size() > most) return LLVMFuzzerMutate(data, size, most);
  std::memcpy(data, out.data(), out.size());
  return out.size();
}

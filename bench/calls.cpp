#include "bench/calls.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <sstream>

namespace pto::jit::bench {
namespace {

// Families and cases have a slash between them there, and a space elsewhere.
std::string as_regex(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const bool is_plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '/';
    out += c == ' ' ? "[ /]" : is_plain ? std::string(1, c) : std::string("\\") + c;
  }
  return out.empty() ? "." : out;
}

}  // namespace

std::string time_calls(const std::string& filter, bool is_quick) {
  std::array<std::string, 4> words = {
      "ptojit_bench", is_quick ? "--benchmark_min_time=0.004" : "--benchmark_min_time=0.01",
      "--benchmark_repetitions=3", "--benchmark_enable_random_interleaving=true"};
  std::array<char*, 5> arguments{};
  std::ranges::transform(words, arguments.begin(), [](std::string& word) { return word.data(); });
  int count = static_cast<int>(words.size());
  benchmark::Initialize(&count, arguments.data());
  std::ostringstream out;
  std::ostringstream unread;  // a filter that nothing matches is no error here
  benchmark::JSONReporter reporter;
  reporter.SetOutputStream(&out);
  reporter.SetErrorStream(&unread);
  benchmark::RunSpecifiedBenchmarks(&reporter, as_regex(filter));
  return out.str().empty() ? "null" : out.str();
}

int run_google_benchmark(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}

}  // namespace pto::jit::bench

#include "bench/ratio.h"

#include <time.h>

#include <algorithm>
#include <cstddef>

namespace pto::jit::bench {
namespace {

// Time this thread has run, so that a neighbour on the same core is not counted.
double thread_nanoseconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e9 * static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec);
}

// How many calls make up one repetition. Doubling also warms caches and predictors.
std::int64_t calls_for(const Contestant& contestant, const Effort& effort) {
  constexpr std::int64_t kMost = std::int64_t{1} << 24;
  const double wanted = std::chrono::duration<double, std::nano>(effort.repetition).count();
  std::int64_t calls = 1;
  double taken = time_of(contestant, calls);
  while (taken < wanted / 2 && calls < kMost) {
    calls *= 2;
    taken = time_of(contestant, calls);
  }
  const double scaled = static_cast<double>(calls) * wanted / std::max(taken, 1.0);
  return std::clamp<std::int64_t>(static_cast<std::int64_t>(scaled), 1, kMost);
}

}  // namespace

double time_of(const Contestant& contestant, std::int64_t calls) {
  const double start = thread_nanoseconds();
  contestant.run(calls);
  return thread_nanoseconds() - start;
}

std::vector<Series> take_turns(const std::vector<Contestant>& contestants, const Effort& effort) {
  std::vector<Series> out;
  std::vector<std::int64_t> calls;
  for (const Contestant& contestant : contestants) {
    out.push_back({.name = contestant.name, .times = {}});
    calls.push_back(calls_for(contestant, effort));
  }
  const std::size_t count = contestants.size();
  for (int repetition = 0; repetition < effort.repetitions; ++repetition) {
    for (std::size_t turn = 0; turn < count; ++turn) {
      const std::size_t i = (turn + static_cast<std::size_t>(repetition)) % count;
      const double taken = time_of(contestants[i], calls[i]);
      out[i].times.push_back(taken / static_cast<double>(calls[i]));
    }
  }
  return out;
}

double quantile(std::vector<double> values, double at) {
  if (values.empty()) return 0;
  const auto rank = static_cast<std::ptrdiff_t>(at * static_cast<double>(values.size() - 1) + 0.5);
  std::nth_element(values.begin(), values.begin() + rank, values.end());
  return values[static_cast<std::size_t>(rank)];
}

double best_of(const Series& series) { return quantile(series.times, 0); }

}  // namespace pto::jit::bench

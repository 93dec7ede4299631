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

std::vector<std::vector<double>> take_turns(const std::vector<Contestant>& contestants,
                                            const Effort& effort) {
  std::vector<std::int64_t> calls;
  for (const Contestant& one : contestants) calls.push_back(calls_for(one, effort));
  const auto per_call = [&](std::size_t i) {
    return time_of(contestants[i], calls[i]) / static_cast<double>(calls[i]);
  };
  return cli::take_turns(contestants.size(), static_cast<std::size_t>(effort.repetitions),
                         cli::Order::Shifting, per_call);
}

}  // namespace pto::jit::bench

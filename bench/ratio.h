// Contestants that do the same work are timed in turns within one process, so that whatever else
// the machine does meets all of them alike.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "jit/tools/bench/turns.h"

namespace pto::jit::bench {

struct Contestant {
  std::string name;
  std::function<void(std::int64_t calls)> run;
};

struct Effort {
  int repetitions = 31;
  std::chrono::nanoseconds repetition = std::chrono::microseconds(300);
};

// Nanoseconds of this thread that so many calls take.
double time_of(const Contestant& contestant, std::int64_t calls);

// For each contestant nanoseconds a call, an entry a repetition. Entries of one place were taken
// side by side.
std::vector<std::vector<double>> take_turns(const std::vector<Contestant>& contestants,
                                            const Effort& effort);

using cli::quantile;

}  // namespace pto::jit::bench

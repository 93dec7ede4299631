// Contestants that do the same work are timed in turns within one process, so that whatever else
// the machine does meets all of them alike.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace pto::jit::bench {

struct Contestant {
  std::string name;
  std::function<void(std::int64_t calls)> run;
};

struct Effort {
  int repetitions = 31;
  std::chrono::nanoseconds repetition = std::chrono::microseconds(300);
};

// Nanoseconds a call, one entry a repetition. Entries of one place were taken side by side.
struct Series {
  std::string name;
  std::vector<double> times;
};

// Nanoseconds of this thread that so many calls take.
double time_of(const Contestant& contestant, std::int64_t calls);

std::vector<Series> take_turns(const std::vector<Contestant>& contestants, const Effort& effort);

double quantile(std::vector<double> values, double at);

// The fastest repetition: what disturbs only ever adds.
double best_of(const Series& series);

}  // namespace pto::jit::bench

// Contestants take turns, so that whatever else the machine does meets all of them alike.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace pto::jit::cli {

// By the wall clock.
template <class Body>
double nanoseconds_of(Body&& body) {
  const auto start = std::chrono::steady_clock::now();
  body();
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count();
}

// A member of the sample; 0 of nothing.
inline double quantile(std::vector<double> values, double at) {
  if (values.empty()) return 0;
  const auto rank = static_cast<std::ptrdiff_t>(at * static_cast<double>(values.size() - 1) + 0.5);
  std::ranges::nth_element(values, values.begin() + rank);
  return values[static_cast<std::size_t>(rank)];
}

// Whether the same one begins every round, or the next one each time.
enum class Order : std::uint8_t { Same, Shifting };

// For each contestant what `time_of` its number returns, a time a round.
template <class TimeOf>
std::vector<std::vector<double>> take_turns(std::size_t contestants, std::size_t rounds,
                                            Order order, TimeOf time_of) {
  std::vector<std::vector<double>> out(contestants);
  for (std::size_t round = 0; round < rounds; ++round) {
    for (std::size_t turn = 0; turn < contestants; ++turn) {
      const std::size_t i = order == Order::Same ? turn : (turn + round) % contestants;
      out[i].push_back(time_of(i));
    }
  }
  return out;
}

}  // namespace pto::jit::cli

// SendingTimes: which way of sending pieces is the faster one, as measured while they are sent.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "runtime/ranks/sending.h"

namespace pto::jit {

// Runs of about one length share what was measured: each way is tried a few times, and from then on
// the faster one is taken.
class SendingTimes {
 public:
  static constexpr int kTries = 3;

  // For a piece in runs of so many bytes: Packed or InPlace.
  Sending next(std::int64_t run) const;
  bool is_measured(std::int64_t run) const;

  void note(std::int64_t run, Sending way, double seconds_a_byte);

 private:
  struct Times {
    std::array<int, 2> tries{};
    std::array<double, 2> best{};  // seconds a byte
  };
  static std::size_t length_of(std::int64_t run);

  std::array<Times, 64> times_{};
};

}  // namespace pto::jit

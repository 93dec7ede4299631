#include "runtime/ranks/sending_times.h"

#include <algorithm>
#include <bit>

namespace pto::jit {
namespace {

std::size_t row_of(Sending way) { return way == Sending::Packed ? 0 : 1; }

}  // namespace

std::size_t SendingTimes::length_of(std::int64_t run) {
  return static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(run)) - 1);
}

bool SendingTimes::is_measured(std::int64_t run) const {
  return std::ranges::min(times_[length_of(run)].tries) >= kTries;
}

Sending SendingTimes::next(std::int64_t run) const {
  const auto& [tries, best] = times_[length_of(run)];
  const bool is_packed = is_measured(run) ? best[0] < best[1] : tries[0] <= tries[1];
  return is_packed ? Sending::Packed : Sending::InPlace;
}

void SendingTimes::note(std::int64_t run, Sending way, double seconds_a_byte) {
  auto& [tries, best] = times_[length_of(run)];
  const std::size_t row = row_of(way);
  best[row] = tries[row]++ == 0 ? seconds_a_byte : std::min(best[row], seconds_a_byte);
}

}  // namespace pto::jit

// Which combinations of backend, policy, width of a unit and indices out of range were run. Faults
// hide where thresholds of several of them meet, which inputs at random seldom reach: so each is
// aimed at first.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ir/plan.h"
#include "tests/fuzz/draws.h"

namespace pto::jit::tests {

// Bytes of a run: up to a line, up to what a scratch slot holds, and beyond.
enum class WidthClass : std::uint8_t { Short, Middle, Long };

struct Combination {
  Backend backend = Backend::Xbyak;
  Oob oob = Oob::Undefined;
  bool is_runtime = false;  // the width
  WidthClass width = WidthClass::Short;
  Outside outside = Outside::None;

  bool operator==(const Combination&) const = default;
};

WidthClass width_class(std::int64_t bytes);

// Those that the backends of this build can meet.
const std::vector<Combination>& all_combinations();

class Combinations {
 public:
  void add(const Combination& met);
  // The one to aim at: each in turn until all are met, or have been aimed at often enough.
  std::optional<Combination> next_aim();

  std::vector<std::string> missing() const;
  std::string print() const;

 private:
  std::vector<std::uint64_t> counts_ = std::vector<std::uint64_t>(all_combinations().size());
  std::size_t aimed_ = 0;
};

// An input for the spec fuzzer that meets it, most often.
std::string input_for(const Combination& aim, Random& random);

}  // namespace pto::jit::tests

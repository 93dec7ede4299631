// A deck deals the values of one axis in shuffled rounds: each comes up equally often, and meets
// the values of every other deck sooner or later. The order depends on the seed alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace pto::jit::tests {

// splitmix64: tiny, and the same everywhere, which std::shuffle is not.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  std::size_t below(std::size_t bound) { return static_cast<std::size_t>(next() % bound); }

 private:
  std::uint64_t state_;
};

class Deck {
 public:
  Deck(std::size_t size, std::uint64_t seed) : random_(seed), cards_(size), at_(size) {
    for (std::size_t i = 0; i < size; ++i) cards_[i] = i;
  }

  std::size_t deal() {
    if (at_ == cards_.size()) shuffle();
    return cards_[at_++];
  }

  template <class Value>
  const Value& deal(std::span<const Value> values) {
    return values[deal() % values.size()];
  }

 private:
  void shuffle() {
    for (std::size_t i = cards_.size(); i > 1; --i)
      std::swap(cards_[i - 1], cards_[random_.below(i)]);
    at_ = 0;
  }

  Random random_;
  std::vector<std::size_t> cards_;
  std::size_t at_;
};

}  // namespace pto::jit::tests

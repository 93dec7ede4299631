// Indices as users have them, for timing: one law gives as many as are asked for, tile after tile,
// so that no two calls need see the same ones.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "ir/result.h"

namespace pto::jit::cli {

enum class IndexLaw : std::uint8_t {
  Uniform,
  Zipf,         // the k-th most wanted slot is asked for in proportion to k to the power -parameter
  Sequential,   // slot after slot, again from the start behind the last
  Runs,         // as many slots in a row as the parameter says, from a random one on
  Permutation,  // every slot once, in random order, then again
  Equal,        // one slot only
  File,
};

struct IndexChoice {
  IndexLaw law = IndexLaw::Uniform;
  double parameter = 0;
  std::string file = {};
};

// "uniform", "zipf:1.1", "sequential", "runs:16", "permutation", "equal", "file:ids.npy".
Result<IndexChoice> parse_indices(const std::string& text);
std::string print(const IndexChoice& choice);

// A permutation of the numbers below `count`, worked out number by number.
class Shuffle {
 public:
  Shuffle(std::uint64_t count, std::uint64_t seed);
  std::uint64_t at(std::uint64_t number) const;

 private:
  std::uint64_t once(std::uint64_t number) const;

  std::uint64_t count_;
  std::uint64_t seed_;
  unsigned half_bits_;
};

// Draws k from 1 to `count` in proportion to k^-exponent, by rejection from the area below the
// curve, so that no table of probabilities is needed.
class ZipfDraw {
 public:
  ZipfDraw(std::uint64_t count, double exponent);
  std::uint64_t draw(std::mt19937_64& random) const;

 private:
  double area(double x) const;
  double inverse_area(double area) const;

  double count_;
  double exponent_;
  double least_area_;
  double most_area_;
  double sure_;  // so close below its k, a draw is never rejected
};

class IndexStream {
 public:
  // `given` is what a file holds, for that law.
  IndexStream(const IndexChoice& choice, std::uint64_t slots, std::uint32_t seed,
              std::vector<std::uint32_t> given = {});

  std::uint64_t next();

 private:
  IndexLaw law_;
  std::uint64_t run_;
  std::uint64_t slots_;
  std::vector<std::uint32_t> given_;
  std::mt19937_64 random_;
  Shuffle shuffle_;
  ZipfDraw zipf_;
  std::uint64_t count_ = 0;
  std::uint64_t slot_ = 0;
};

}  // namespace pto::jit::cli

#include "bench/families/indices.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace pto::jit::bench {
namespace {

using Random = std::minstd_rand;

std::uint32_t below(Random& random, std::uint32_t bound) {
  const std::uint64_t bits = (std::uint64_t{random()} << 31) ^ random();
  return static_cast<std::uint32_t>((bits * 0x9e3779b97f4a7c15 >> 32) * bound >> 32);
}

// Steps that have no factor in common with the capacity meet every slot before any twice.
std::uint32_t distinct(std::uint64_t at, std::uint32_t capacity) {
  constexpr std::uint64_t kStep = 2654435761;  // a prime
  return static_cast<std::uint32_t>(at * kStep % capacity);
}

// The n-th most frequent slot comes 1/n as often as the first.
std::uint32_t zipf(Random& random, std::uint32_t capacity) {
  const double rank = std::pow(static_cast<double>(capacity), below(random, 1U << 30) * 0x1p-30);
  const auto slot = static_cast<std::uint64_t>(rank) * 2654435761;
  return static_cast<std::uint32_t>(slot % capacity);
}

std::uint32_t one_index(Random& random, std::size_t at, const IndexWish& wish) {
  const std::uint32_t any = below(random, wish.capacity);
  const std::uint64_t of_all = std::uint64_t{wish.seed} * wish.count + at;
  switch (wish.kind) {
    case Indices::Random: return any;
    case Indices::Distinct: return distinct(of_all, wish.capacity);
    case Indices::Outside: return below(random, 8) == 0 ? wish.capacity + any : any;
    case Indices::Padded: return at * 4 >= wish.count * 3 ? wish.capacity : any;
    case Indices::Runs:
      return static_cast<std::uint32_t>((distinct(of_all / 16, wish.capacity) + of_all % 16) %
                                        wish.capacity);
    case Indices::Zipf: return zipf(random, wish.capacity);
    case Indices::Neighbours: return static_cast<std::uint32_t>(at ^ 1) % wish.capacity;
    case Indices::Strided: return static_cast<std::uint32_t>(at * 4 % wish.capacity);
    case Indices::Outside5:
    case Indices::Outside30:
    case Indices::Outside90:
      return below(random, 100) < percent_outside(wish.kind) ? wish.capacity + any : any;
  }
  return any;
}

}  // namespace

std::vector<std::uint32_t> make_indices(const IndexWish& wish) {
  Random random(wish.seed);
  std::vector<std::uint32_t> out;
  out.reserve(wish.count);
  for (std::size_t at = 0; at < wish.count; ++at) out.push_back(one_index(random, at, wish));
  return out;
}

}  // namespace pto::jit::bench

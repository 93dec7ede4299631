#include "bench/families/indices.h"

namespace pto::jit::bench {
namespace {

cli::IndexChoice law_of(Indices kind) {
  if (kind == Indices::Distinct) return {.law = cli::IndexLaw::Permutation};
  if (kind == Indices::Runs) return {.law = cli::IndexLaw::Runs, .parameter = 16};
  if (kind == Indices::Zipf) return {.law = cli::IndexLaw::Zipf, .parameter = 1};
  return {.law = cli::IndexLaw::Uniform};
}

}  // namespace

CellIndices::CellIndices(Indices kind, std::uint64_t per_tile, std::uint32_t capacity)
    : kind_(kind), per_tile_(per_tile), capacity_(capacity), within_(law_of(kind), capacity, 1) {}

std::uint32_t CellIndices::next() {
  const std::uint64_t at = count_++ % per_tile_;
  if (kind_ == Indices::Neighbours) return static_cast<std::uint32_t>((at ^ 1) % capacity_);
  if (kind_ == Indices::Strided) return static_cast<std::uint32_t>(at * 4 % capacity_);
  if (kind_ == Indices::Padded && at * 4 >= per_tile_ * 3) return capacity_;
  const auto slot = static_cast<std::uint32_t>(within_.next());
  const std::uint32_t of_thousand = kind_ == Indices::Outside ? 125 : 10 * percent_outside(kind_);
  return random_() % 1000 < of_thousand ? capacity_ + slot : slot;
}

}  // namespace pto::jit::bench

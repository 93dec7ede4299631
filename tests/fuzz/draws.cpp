#include "tests/fuzz/draws.h"

#include <array>
#include <vector>

#include "tests/support/dealt_parts.h"

namespace pto::jit::tests {
namespace {

template <class Value, std::size_t kCount>
Value pick(const std::array<Value, kCount>& values, Random& random) {
  return values[random.below(kCount)];
}

Backend any_backend(Random& random) {
  const Backend drawn = random.below(4) == 0 ? Backend::Llvm : Backend::Xbyak;
  return has_backend(drawn) ? drawn : best_backend();
}

FeatureLevel any_level(Random& random) {
  constexpr std::array kLevels = {FeatureLevel::Native, FeatureLevel::Avx512, FeatureLevel::Avx2,
                                  FeatureLevel::Baseline};
  const FeatureLevel level = pick(kLevels, random);
  return has_level(host_features(), level) ? level : FeatureLevel::Native;
}

// Around every limit and threshold, as far as a number may be that.
std::int64_t any_allowed(const WishNumber& number, Random& random) {
  constexpr std::array<std::int64_t, 24> kValues = {0,
                                                    1,
                                                    2,
                                                    3,
                                                    4,
                                                    8,
                                                    15,
                                                    16,
                                                    17,
                                                    63,
                                                    64,
                                                    65,
                                                    127,
                                                    128,
                                                    129,
                                                    200,
                                                    255,
                                                    256,
                                                    511,
                                                    512,
                                                    1023,
                                                    1 << 20,
                                                    std::int64_t{1} << 47,
                                                    100};
  std::vector<std::int64_t> allowed;
  for (const std::int64_t value : kValues) {
    if (number.is_allowed(value)) allowed.push_back(value);
  }
  return allowed[random.below(allowed.size())];
}

// Every second one is none.
StrategyWish any_wish(Random& random) {
  constexpr std::size_t kForms = static_cast<std::size_t>(UnitForm::Own) + 1;
  StrategyWish out;
  if (random.below(2) == 0) return out;
  if (random.below(3) != 0) out.form = static_cast<UnitForm>(random.below(kForms));
  for (const WishNumber& number : wish_numbers()) {
    if (random.below(2) == 0) out.*number.field = any_allowed(number, random);
  }
  return out;
}

}  // namespace

Draws draws_of(std::uint64_t number) {
  Random random(number);
  Draws out{.random = Random(0)};
  out.backend = any_backend(random);
  out.level = any_level(random);
  out.wish = any_wish(random);
  if (random.below(4) == 0) out.parts = kPartCounts[random.below(std::size(kPartCounts))];
  out.is_bound = out.parts == 0 && random.below(4) == 0;
  out.outside = static_cast<Outside>(random.below(3));
  out.random = random;
  return out;
}

}  // namespace pto::jit::tests

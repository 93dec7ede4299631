// Values for runtime dimensions: small, awkward and legal.
#include <algorithm>

#include "ir/quantity.h"
#include "targets/binding.h"
#include "tests/support/workload.h"

namespace pto::jit::tests {
namespace {

constexpr int kVariants = 8;

std::int64_t prime_below(std::int64_t limit) {
  for (const std::int64_t prime : {13, 7, 5, 3, 2}) {
    if (prime < limit) return prime;
  }
  return limit;
}

std::int64_t valid_choice(std::int64_t padded, int variant) {
  const std::array<std::int64_t, kVariants> choices = {
      padded, 1, prime_below(padded), 0, padded, padded - 1, padded, padded};
  return std::max<std::int64_t>(choices[static_cast<std::size_t>(variant)], 0);
}

std::int64_t table_choice(const KernelSpec& spec, Dim dim, int variant) {
  const auto at = static_cast<int>(dim) - static_cast<int>(first_extent(role_of(dim)));
  constexpr std::array<std::int64_t, kVariants> kOuter = {1, 2, 1, 1, 1, 2, 1, 3};
  constexpr std::array<std::int64_t, kVariants> kRows = {9, 1, 5, 4, 0, 7, 3, 16};
  if (at < 3) return kOuter[static_cast<std::size_t>((variant + at) % kVariants)];
  if (at == 3) return kRows[static_cast<std::size_t>(variant)];
  const std::int64_t width = spec.op == Op::CommTScatter ? 12 : spec.data.cols;
  constexpr std::array<std::int64_t, kVariants> kExtra = {0, 1, 0, 3, 0, 0, 7, 0};
  return width + kExtra[static_cast<std::size_t>(variant)];
}

enum class Spacing : std::uint8_t { Packed, Gap, FromOutside };

// What evenly spaced rows need of a stride: the next known outer one, divided by the extent.
std::int64_t stride_from_outside(const Table& table, std::size_t dim, std::int64_t packed) {
  for (std::size_t outer = dim; outer-- > 0;) {
    if (table.shape[outer] == 1) continue;
    const bool fits = table.strides[outer] > 0 && table.shape[dim] > 0;
    return fits ? std::max<std::int64_t>(table.strides[outer] / table.shape[dim], 1) : packed;
  }
  return packed;
}

// Strides from the inside out.
void choose_strides(KernelSpec& spec, Role role, Spacing spacing) {
  Table& table = table_of(spec, role);
  std::int64_t packed = 1;
  for (int dim = 4; dim >= 0; --dim) {
    const auto at = static_cast<std::size_t>(dim);
    const std::int64_t gap = dim < 4 && spacing == Spacing::Gap ? 8 : 0;
    std::int64_t& stride = table.strides[at];
    if (stride == kRuntime && spacing == Spacing::FromOutside)
      stride = stride_from_outside(table, at, packed);
    if (stride == kRuntime) stride = saturating_sum(packed, gap);
    packed = saturating_product(std::max<std::int64_t>(stride, 1),
                                std::max<std::int64_t>(table.shape[at], 1));
  }
}

std::int64_t extent_choice(const KernelSpec& spec, Dim dim, int variant) {
  const Role role = role_of(dim);
  if (!is_tile(role)) return table_choice(spec, dim, variant);
  const Tile& tile = tile_of(spec, role);
  return valid_choice(dim == first_extent(role) ? tile.rows : tile.cols, variant);
}

// Chooses dimension by dimension, letting ties decide the rest.
std::optional<KernelSpec> choose(const LegalSpec& legal, int variant) {
  KernelSpec bound = legal.spec();
  follow_ties(bound, legal.profile());
  for (std::size_t i = 0; i < kDims; ++i) {
    const Dim dim = static_cast<Dim>(i);
    if (!has_role(bound.op, role_of(dim)) || is_stride(dim) || get(bound, dim) != kRuntime)
      continue;
    const int mixed = (variant + static_cast<int>(i) * (variant / 4)) % kVariants;
    set(bound, dim, extent_choice(bound, dim, mixed));
    follow_ties(bound, legal.profile());
  }
  constexpr std::array kSpacings = {Spacing::Packed, Spacing::Gap, Spacing::FromOutside};
  for (int attempt = 0; attempt < 3; ++attempt) {
    KernelSpec spaced = bound;
    const Spacing spacing = kSpacings[static_cast<std::size_t>((variant + attempt) % 3)];
    for (const Role role : {Role::Table, Role::Peer}) {
      if (has_role(bound.op, role)) choose_strides(spaced, role, spacing);
    }
    if (verify_bound(legal, spaced)) return spaced;
  }
  return std::nullopt;
}

}  // namespace

std::vector<KernelSpec> bindings_for(const LegalSpec& legal) {
  if (runtime_dims(legal.spec()).empty()) return {legal.spec()};
  std::vector<KernelSpec> out;
  for (int variant = 0; variant < kVariants; ++variant) {
    const std::optional<KernelSpec> bound = choose(legal, variant);
    if (bound && std::find(out.begin(), out.end(), *bound) == out.end()) out.push_back(*bound);
  }
  return out;
}

}  // namespace pto::jit::tests

// Values for the runtime dimensions of a spec, made up so that no rule is broken: a search that
// fills in one dimension after the other and turns back where a rule says no.
#include <algorithm>
#include <limits>

#include "ir/quantity.h"
#include "jit/checks/made_up.h"

namespace pto::jit::cli {
namespace {

using Values = std::vector<std::int64_t>;

constexpr int kMostSteps = 20000;

int place_of(Dim dim) {
  return static_cast<int>(dim) - static_cast<int>(first_extent(role_of(dim)));
}

// What one would take without looking at any rule.
std::int64_t middling(const KernelSpec& spec, Dim dim) {
  const Role role = role_of(dim);
  const int place = place_of(dim);
  if (is_tile(role)) return place == 0 ? tile_of(spec, role).rows : tile_of(spec, role).cols;
  if (is_stride(dim)) {
    Table packed = table_of(spec, role);
    packed.strides = {};
    return std::max<std::int64_t>(stride_of(packed, static_cast<std::size_t>(place - 5)).value, 1);
  }
  if (place < 3) return 1;
  if (place == 4) return spec.data.cols;
  return role == Role::Table ? 16 * std::max(spec.ranks, 1) : 16;
}

// Every number the spec states: rules compare dimensions with these, or with a multiple of them.
Values stated(const KernelSpec& spec) {
  Values out = {16, 1, 0};
  for (const Operand& operand : operands_of(spec.op)) {
    if (!is_tile(operand.role)) continue;
    out.push_back(tile_of(spec, operand.role).rows);
    out.push_back(tile_of(spec, operand.role).cols);
  }
  for (std::size_t i = 0; i < kDims; ++i) {
    const Dim dim = static_cast<Dim>(i);
    if (has_role(spec.op, role_of(dim))) out.push_back(get(spec, dim));
  }
  std::erase_if(out, [](std::int64_t value) { return value < 0; });
  return out;
}

// By what one side of a rule may be a multiple of the other.
Values factors(const KernelSpec& spec, Dim dim) {
  if (!is_stride(dim)) {
    return {1, std::max(spec.ranks, 1), block_elements(element_dtype(spec)),
            shape_of(spec.mask).factor};
  }
  const Table& table = table_of(spec, role_of(dim));
  Values out(table.shape.begin(), table.shape.end());
  std::erase_if(out, [](std::int64_t extent) { return extent < 1; });
  return out;
}

// The middling value, then smaller ones from the greatest down, then greater ones.
Values candidates(const KernelSpec& spec, Dim dim) {
  const std::int64_t wish = middling(spec, dim);
  const std::int64_t least = is_stride(dim) ? 1 : 0;
  const std::int64_t most = is_stride(dim)          ? kMaxStride
                            : is_tile(role_of(dim)) ? wish
                                                    : std::numeric_limits<std::int32_t>::max();
  Values out;
  for (const std::int64_t number : stated(spec)) {
    for (const std::int64_t factor : factors(spec, dim)) {
      for (const std::int64_t value :
           {number / factor, number / factor * factor, saturating_product(number, factor)}) {
        if (value >= least && value <= most) out.push_back(value);
      }
    }
  }
  out.push_back(std::min(wish, most));
  const auto distance = [&](std::int64_t value) {
    return value <= wish ? wish - value : kHuge / 2 + (value - wish);
  };
  std::ranges::sort(out, {}, distance);
  out.erase(std::ranges::unique(out).begin(), out.end());
  return out;
}

class Search {
 public:
  explicit Search(const LegalSpec& legal) : legal_(legal) {}

  // Fills in what is open; false where no values were found.
  bool fill(KernelSpec& spec) {
    follow_ties(spec, legal_.profile());
    if (++steps_ > kMostSteps || !verify_bound(legal_, spec)) return false;
    const std::optional<Dim> open = first_open(spec);
    if (!open) return true;
    for (const std::int64_t value : candidates(spec, *open)) {
      KernelSpec tried = spec;
      set(tried, *open, value);
      if (!fill(tried)) continue;
      spec = tried;
      return true;
    }
    return false;
  }

 private:
  // A stage takes what is left, whatever that is.
  static std::optional<Dim> first_open(const KernelSpec& spec) {
    for (const Dim dim : runtime_dims(spec)) {
      if (has_memory(spec.op, role_of(dim))) return dim;
    }
    return std::nullopt;
  }

  const LegalSpec& legal_;
  int steps_ = 0;
};

Diagnostic nothing_found(const KernelSpec& spec) {
  return error("check.values", "no values were found for " + runtime_names(spec) +
                                   " that keep every rule; give some by --bind");
}

}  // namespace

Result<BoundSpec> made_up_binding(const LegalSpec& legal, const std::vector<Binding>& given) {
  Result<BoundSpec> bound = jit::bind(legal, given);
  if (bound || bound.error().front().id != "bind.missing") return bound;
  KernelSpec start = legal.spec();
  for (const Binding& binding : given) set(start, binding.dim, binding.value);
  follow_ties(start, legal.profile());
  if (Result<Done> kept = verify_bound(legal, start); !kept) return kept.error();
  KernelSpec filled = start;
  if (!Search(legal).fill(filled)) return nothing_found(start);
  std::vector<Binding> values = given;
  for (const Dim dim : runtime_dims(start)) {
    if (get(filled, dim) != kRuntime) values.push_back({dim, get(filled, dim)});
  }
  return jit::bind(legal, values);
}

}  // namespace pto::jit::cli

#include "ir/plan_facts.h"

#include <limits>

#include "ir/quantity.h"

namespace pto::jit {

namespace {

constexpr std::int64_t kWords = std::int64_t{1} << 31;

bool is_word(const Amount& amount) { return amount.is_static() && amount.factor < kWords; }

template <class Predicate>
bool all_amounts_of_digits(const KernelPlan& plan, Predicate&& holds) {
  for (std::size_t i = 0; i < plan.digit_count; ++i) {
    if (!holds(plan.digits[i].radix) || !holds(plan.digits[i].step)) return false;
  }
  return holds(plan.capacity);
}

// Each digit at its largest.
std::optional<std::int64_t> bytes_of_digits(const KernelPlan& plan) {
  std::int64_t slots = plan.capacity.factor;
  std::int64_t last = 0;
  for (std::size_t i = 0; i < plan.digit_count; ++i) {
    const auto& [radix, step] = plan.digits[i];
    const bool is_last = i + 1U == plan.digit_count;
    if (!is_word(step) || (!is_last && !is_word(radix))) return std::nullopt;
    const std::int64_t values = is_last ? slots : radix.factor;
    last += (values - 1) * step.factor;
    slots /= values;
  }
  return last + plan.unit.run.factor;
}

}  // namespace

const Level& innermost(const KernelPlan& plan) { return plan.levels[plan.level_count - 1U]; }

bool is_one_run(const KernelPlan& plan) {
  return plan.unit.inner.count.is(1) && plan.unit.outer.count.is(1);
}

bool moves_elements(const KernelPlan& plan) {
  return plan.unit.run.is(plan.element_size) && is_one_run(plan);
}

bool fills_vectors(const KernelPlan& plan) {
  return moves_elements(plan) && innermost(plan).tile_step.is(plan.element_size);
}

bool indices_are_neighbours(const KernelPlan& plan) {
  return innermost(plan).index_step == plan.index_size;
}

bool digits_are_known(const KernelPlan& plan) {
  return all_amounts_of_digits(plan, [](const Amount& amount) { return amount.is_static(); });
}

bool digits_fit_words(const KernelPlan& plan) {
  if (!moves_elements(plan)) return false;
  if (digits_are_known(plan))
    return is_word(plan.capacity) && table_bytes(plan).value_or(kWords) < kWords;
  return all_amounts_of_digits(plan, [](const Amount& amount) {
    return !amount.is_static() || amount.factor < kDigitAmounts;
  });
}

std::string_view reason_for_singles(const KernelPlan& plan) {
  if (!plan.has_index()) return "there are no indices";
  if (plan.digit_count != 1 && !digits_fit_words(plan)) return "a slot is split into digits";
  if (!indices_are_neighbours(plan)) return "indices in order lie apart";
  if (!innermost(plan).tile_step.is_static()) return "the tile's step is known only at run time";
  return {};
}

bool indices_come_in_groups(const KernelPlan& plan) { return reason_for_singles(plan).empty(); }

int spread_of(const KernelPlan& plan) {
  const bool replaces = plan.direction == Direction::ToTable && plan.combine == Atomic::None;
  const bool is_walked = !plan.has_index() && plan.ranks == 0;
  if (!replaces || !is_walked || plan.fill_bytes == 0 || !fills_vectors(plan)) return 0;
  for (const int distance : {2, 4}) {
    if (innermost(plan).table_step.is(distance * plan.element_size)) return distance;
  }
  return 0;
}

std::int64_t longest_run(const KernelPlan& plan) {
  if (plan.unit.run.is_static()) return plan.unit.run.factor;
  const Amount& step = innermost(plan).tile_step;
  const bool is_row = plan.has_index() && plan.unit.inner.count.is(1) && step.is_static();
  return is_row ? step.factor : std::numeric_limits<std::int64_t>::max();
}

std::optional<std::int64_t> written_to_ranks(const KernelPlan& plan) {
  std::int64_t out = plan.ranks;
  const auto times = [&](const Amount& amount) {
    out = amount.is_static() && out >= 0 ? saturating_product(out, amount.factor) : -1;
  };
  for (const Amount& amount : {plan.unit.run, plan.unit.inner.count, plan.unit.outer.count})
    times(amount);
  for (std::size_t i = 0; i < plan.level_count; ++i) times(plan.levels[i].extent);
  return out < 0 ? std::nullopt : std::optional(out);
}

std::optional<std::int64_t> table_bytes(const KernelPlan& plan) {
  constexpr std::int64_t kMost = std::numeric_limits<std::uint32_t>::max();
  if (!plan.capacity.is_static() || plan.capacity.factor > kMost) return std::nullopt;
  if (plan.digit_count == 1 && plan.digits[0].step.is_static())
    return (plan.capacity.factor - 1) * plan.digits[0].step.factor + plan.unit.run.factor;
  return plan.digit_count > 1 && plan.capacity.factor > 0 ? bytes_of_digits(plan) : std::nullopt;
}

}  // namespace pto::jit

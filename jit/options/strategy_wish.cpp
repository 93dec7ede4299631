#include "jit/options/strategy_wish.h"

#include <algorithm>
#include <array>

#include "ir/flaws.h"
#include "jit/options/number_text.h"

namespace pto::jit {
namespace {

constexpr std::array<std::string_view, 8> kForms = {"lanes",  "gather",  "scatter", "registers",
                                                    "spread", "batches", "picks",   "own"};

constexpr bool is_group(std::int64_t value) { return value == 1 || value == 4 || value == 8; }
template <std::int64_t kMost>
constexpr bool is_up_to(std::int64_t value) {
  return value >= 0 && value <= kMost;
}

constexpr bool is_line_count(std::int64_t value) { return value >= 1 && value <= 64; }

constexpr std::string_view kSize = "a number from 0 to 2^47";
constexpr auto is_size = is_up_to<std::int64_t{1} << 47>;

constexpr std::array kNumbers = {
    WishNumber{"group", &StrategyWish::group, "1, 4 or 8", is_group},
    WishNumber{"prefetch", &StrategyWish::prefetch, "a number from 0 to 128", is_up_to<128>},
    WishNumber{"lines", &StrategyWish::lines, "a number from 1 to 64", is_line_count},
    WishNumber{"aside", &StrategyWish::aside, "a number from 0 to 512", is_up_to<512>},
    WishNumber{"over", &StrategyWish::over, "a number from 0 to 512", is_up_to<512>},
    WishNumber{"vector", &StrategyWish::vector, "0 or 1", is_up_to<1>},
    WishNumber{"scan", &StrategyWish::scan, "0 or 1", is_up_to<1>},
    WishNumber{"strip", &StrategyWish::strip, "a number from 0 to 256", is_up_to<256>},
    WishNumber{"halves", &StrategyWish::halves, "a number from 0 to 1024", is_up_to<1024>},
    WishNumber{"whole", &StrategyWish::whole, "0 or 1", is_up_to<1>},
    WishNumber{"backward", &StrategyWish::backward, kSize, is_size},
    WishNumber{"stream", &StrategyWish::stream_from, kSize, is_size},
    WishNumber{"string", &StrategyWish::string_from, kSize, is_size},
};

Diagnostic no_choice(std::string_view part, const std::string& choices) {
  return error("option.strategy",
               "'" + printable(part) + "' is not a choice of strategy; " + choices);
}

Diagnostic unknown_part(std::string_view part) {
  return no_choice(
      part,
      "choices are form=lanes, gather, scatter, registers, spread, batches, picks or own, and "
      "group, prefetch, lines, aside, over, vector, scan, strip, halves, whole, backward, stream "
      "and string with a number");
}

Diagnostic not_allowed(const WishNumber& number, std::string_view value) {
  const std::string name(number.name);
  return no_choice(name + "=" + std::string(value), name + " is " + std::string(number.values));
}

Result<Done> read_number(std::string_view part, const WishNumber& number, StrategyWish& out) {
  if (out.*number.field) return unknown_part(part);
  const std::string_view text = part.substr(number.name.size() + 1);
  const std::optional<std::uint64_t> read = parse_number(text);
  const auto value = static_cast<std::int64_t>(read.value_or(0));
  if (!read || !number.is_allowed(value)) return not_allowed(number, text);
  out.*number.field = value;
  return Done{};
}

Result<Done> read_form(std::string_view part, StrategyWish& out) {
  const auto found = std::ranges::find(kForms, part.substr(part.find('=') + 1));
  if (found == kForms.end() || out.form) return unknown_part(part);
  out.form = static_cast<UnitForm>(found - kForms.begin());
  return Done{};
}

Result<Done> read_part(std::string_view part, StrategyWish& out) {
  const std::string_view name = part.substr(0, part.find('='));
  if (name.size() == part.size()) return unknown_part(part);
  if (name == "form") return read_form(part, out);
  const auto number = std::ranges::find(kNumbers, name, &WishNumber::name);
  return number == kNumbers.end() ? unknown_part(part) : read_number(part, *number, out);
}

void append(std::string& out, std::string_view name, std::string_view value) {
  if (!out.empty()) out += ',';
  out += std::string(name) + "=" + std::string(value);
}

}  // namespace

std::span<const WishNumber> wish_numbers() { return kNumbers; }

std::string_view name_of(UnitForm form) {
  static constexpr std::string_view kNone = "nothing";
  return row_of(kForms, form, kNone);
}

Result<StrategyWish> parse_wish(std::string_view text) {
  StrategyWish out;
  while (!text.empty()) {
    const std::string_view part = text.substr(0, text.find(','));
    text.remove_prefix(std::min(part.size() + 1, text.size()));
    const Result<Done> read = read_part(part, out);
    if (!read) return read.error();
  }
  return out;
}

Result<Done> check(const StrategyWish& wish) {
  if (wish.form) {
    const auto flaw = beyond("option.strategy", "form", *wish.form, UnitForm::Own);
    if (flaw) return *flaw;
  }
  for (const WishNumber& number : kNumbers) {
    const std::optional<std::int64_t>& value = wish.*number.field;
    if (value && !number.is_allowed(*value)) return not_allowed(number, std::to_string(*value));
  }
  return Done{};
}

std::string print(const StrategyWish& wish) {
  std::string out;
  if (wish.form) append(out, "form", name_of(*wish.form));
  for (const WishNumber& number : kNumbers) {
    if (const auto& value = wish.*number.field) append(out, number.name, std::to_string(*value));
  }
  return out;
}

}  // namespace pto::jit

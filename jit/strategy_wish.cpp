#include "jit/strategy_wish.h"

#include <array>
#include <charconv>

namespace pto::jit {
namespace {

constexpr std::array<std::string_view, 6> kForms = {"lanes",     "gather", "scatter",
                                                    "registers", "spread", "batches"};

struct Number {
  std::string_view name;
  std::optional<std::int64_t> StrategyWish::* field;
  std::int64_t most;
};

constexpr std::int64_t kNoLimit = std::int64_t{1} << 47;
constexpr std::array kNumbers = {
    Number{"group", &StrategyWish::group, 16},
    Number{"prefetch", &StrategyWish::prefetch, 64},
    Number{"backward", &StrategyWish::backward, kNoLimit},
    Number{"stream", &StrategyWish::stream_from, kNoLimit},
    Number{"string", &StrategyWish::string_from, kNoLimit},
};

Diagnostic unusable(std::string_view part) {
  return error("option.strategy",
               "'" + printable(part) +
                   "' is not a choice of strategy; choices are form=lanes, gather, scatter, "
                   "registers, spread or batches, and group, prefetch, backward, stream and string "
                   "with a number");
}

bool read_number(std::string_view name, std::string_view value, StrategyWish& out) {
  for (const Number& number : kNumbers) {
    if (number.name != name) continue;
    std::int64_t read = 0;
    const char* begin = value.data();
    const char* end = begin + value.size();
    const auto [rest, failure] = std::from_chars(begin, end, read);
    const bool is_number = failure == std::errc() && rest == end;
    if (!is_number || read < 0 || read > number.most || out.*number.field) return false;
    out.*number.field = read;
    return true;
  }
  return false;
}

bool read_form(std::string_view value, StrategyWish& out) {
  for (std::size_t i = 0; i < kForms.size(); ++i) {
    if (kForms[i] != value || out.form) continue;
    out.form = static_cast<UnitForm>(i);
    return true;
  }
  return false;
}

void append(std::string& out, std::string_view name, std::string_view value) {
  if (!out.empty()) out += ',';
  out += std::string(name) + "=" + std::string(value);
}

}  // namespace

std::string_view name_of(UnitForm form) { return kForms[static_cast<std::size_t>(form)]; }

Result<StrategyWish> parse_wish(std::string_view text) {
  StrategyWish out;
  while (!text.empty()) {
    const std::string_view part = text.substr(0, text.find(','));
    text.remove_prefix(std::min(part.size() + 1, text.size()));
    const std::size_t equals = part.find('=');
    if (equals == std::string_view::npos) return unusable(part);
    const std::string_view name = part.substr(0, equals);
    const std::string_view value = part.substr(equals + 1);
    const bool is_read = name == "form" ? read_form(value, out) : read_number(name, value, out);
    if (!is_read) return unusable(part);
  }
  return out;
}

std::string print(const StrategyWish& wish) {
  std::string out;
  if (wish.form) append(out, "form", name_of(*wish.form));
  for (const Number& number : kNumbers) {
    if (const auto& value = wish.*number.field) append(out, number.name, std::to_string(*value));
  }
  return out;
}

}  // namespace pto::jit

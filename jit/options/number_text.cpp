#include "jit/options/number_text.h"

#include <charconv>
#include <limits>
#include <system_error>

namespace pto::jit {

std::optional<std::uint64_t> parse_number(std::string_view text) {
  std::uint64_t out = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, failure] = std::from_chars(text.data(), end, out);
  if (failure != std::errc() || rest != end) return std::nullopt;
  return out;
}

std::optional<std::uint64_t> parse_size(std::string_view text) {
  constexpr std::string_view kUnits = "KMG";
  const std::size_t unit = text.empty() ? std::string_view::npos : kUnits.find(text.back());
  const bool has_unit = unit != std::string_view::npos;
  if (has_unit) text.remove_suffix(1);
  const std::optional<std::uint64_t> number = parse_number(text);
  const std::size_t shift = has_unit ? 10 * (unit + 1) : 0;
  if (!number || *number == 0) return std::nullopt;
  if (*number > std::numeric_limits<std::uint64_t>::max() >> shift) return std::nullopt;
  return *number << shift;
}

std::string count_text(std::int64_t count, std::string_view what) {
  return std::to_string(count) + " " + std::string(what) + (count == 1 ? "" : "s");
}

}  // namespace pto::jit

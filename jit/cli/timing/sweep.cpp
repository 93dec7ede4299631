#include "jit/cli/timing/sweep.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

#include "jit/cli/bind_text.h"

namespace pto::jit::cli {
namespace {

// "64M": a positive number, in units of 1024 to a power.
std::optional<std::int64_t> parse_size(std::string_view text) {
  constexpr std::string_view kUnits = "KMG";
  constexpr std::int64_t kMost = std::int64_t{1} << 40;
  std::int64_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || value < 1) return std::nullopt;
  const std::string_view unit(end, text.data() + text.size());
  if (unit.size() > 1) return std::nullopt;
  const std::size_t power = unit.empty() ? 0 : kUnits.find(unit[0]) + 1;
  if (!unit.empty() && power == 0) return std::nullopt;
  if (value > kMost >> (10 * power)) return std::nullopt;
  return value << (10 * power);
}

}  // namespace

Result<Sweep> parse_sweep(const std::string& text) {
  const std::size_t equals = text.find('=');
  const std::size_t dots = text.find("..");
  const auto bad = [&] {
    return error("bench.sweep", "'" + printable(text) +
                                    "' is not NAME=A..B, two sizes with K, M or G behind them");
  };
  if (equals == std::string::npos || dots == std::string::npos || dots < equals) return bad();
  const std::string_view view = text;
  const auto from = parse_size(view.substr(equals + 1, dots - equals - 1));
  const auto to = parse_size(view.substr(dots + 2));
  if (equals == 0 || !from || !to || *from > *to) return bad();
  return Sweep{text.substr(0, equals), *from, *to};
}

Result<std::vector<std::vector<Binding>>> points_of(const Sweep& sweep, const KernelSpec& spec) {
  std::vector<std::vector<Binding>> out;
  if (sweep.name.empty()) return std::vector<std::vector<Binding>>(1);
  for (std::int64_t value = sweep.from; value <= sweep.to; value *= 2) {
    Result<std::vector<Binding>> point =
        parse_bindings(spec, sweep.name + "=" + std::to_string(value));
    if (!point) return point.error();
    out.push_back(std::move(*point));
  }
  return out;
}

}  // namespace pto::jit::cli

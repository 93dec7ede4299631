#include "jit/tools/bench/sweep.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "jit/doors/cli/bind_text.h"
#include "jit/options/number_text.h"

namespace pto::jit::cli {
namespace {

// An extent, however large.
std::optional<std::int64_t> extent_in(std::string_view text) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 40;
  const std::optional<std::uint64_t> size = parse_size(text);
  return size && *size <= kMost ? std::optional(static_cast<std::int64_t>(*size)) : std::nullopt;
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
  const auto from = extent_in(view.substr(equals + 1, dots - equals - 1));
  const auto to = extent_in(view.substr(dots + 2));
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

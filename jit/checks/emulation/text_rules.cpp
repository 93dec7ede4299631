#include "jit/checks/emulation/text_rules.h"

#include <algorithm>
#include <array>
#include <string>

namespace pto::jit {
namespace {

// A conversion to a pointer of another address space than the one it comes from.
constexpr std::array<std::string_view, 2> kSpaceCasts = {"static_cast<__gm__",
                                                         "static_cast<__ubuf__"};
// Null has no address space.
constexpr std::array<std::string_view, 2> kNulls = {"(0)", "(nullptr)"};

bool is_null(std::string_view argument) {
  for (const std::string_view null : kNulls) {
    if (argument.starts_with(null)) return true;
  }
  return false;
}

bool casts_space(std::string_view line) {
  for (const std::string_view cast : kSpaceCasts) {
    const std::size_t at = line.find(cast);
    if (at == std::string_view::npos) continue;
    const std::size_t end = line.find(">(", at);
    if (end != std::string_view::npos && !is_null(line.substr(end + 1))) return true;
  }
  return false;
}

std::string_view trimmed(std::string_view line) {
  const std::size_t first = line.find_first_not_of(' ');
  return first == std::string_view::npos ? "" : line.substr(first);
}

}  // namespace

Result<Done> check_text(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    at = end + 1;
    if (!casts_space(line)) continue;
    Diagnostic out = error("check.address_space",
                           "'" + std::string(trimmed(line)) + "' casts to another address space");
    out.rule = "named casts keep the address space; (__gm__ T*) changes it";
    return out;
  }
  return Done{};
}

}  // namespace pto::jit

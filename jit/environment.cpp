#include "jit/environment.h"

#include <array>
#include <charconv>
#include <cstdlib>
#include <limits>
#include <optional>
#include <string_view>
#include <system_error>

namespace pto::jit {
namespace {

std::optional<std::size_t> unit_named(std::string_view suffix) {
  if (suffix.empty()) return 1;
  if (suffix == "K") return std::size_t{1} << 10;
  if (suffix == "M") return std::size_t{1} << 20;
  if (suffix == "G") return std::size_t{1} << 30;
  return std::nullopt;
}

std::optional<std::size_t> size_from(std::string_view text) {
  std::size_t number = 0;
  const char* begin = text.data();
  const char* end = begin + text.size();
  const auto [rest, failure] = std::from_chars(begin, end, number);
  if (failure != std::errc()) return std::nullopt;
  const std::optional<std::size_t> unit = unit_named({rest, static_cast<std::size_t>(end - rest)});
  if (!unit || number == 0 || number > std::numeric_limits<std::size_t>::max() / *unit) {
    return std::nullopt;
  }
  return number * *unit;
}

std::optional<std::size_t> count_from(std::string_view text) {
  if (text.find_first_not_of("0123456789") != std::string_view::npos) return std::nullopt;
  return size_from(text);
}

std::optional<bool> switch_from(std::string_view text) {
  if (text != "0" && text != "1") return std::nullopt;
  return text == "1";
}

template <class Value>
bool assign(Value& out, const std::optional<Value>& value) {
  if (value) out = *value;
  return value.has_value();
}

// One row per variable; `set` is false when the value is not accepted.
struct Variable {
  const char* name;
  std::string_view id;
  std::string_view accepted;
  bool (*set)(Environment& out, std::string_view value);
};

constexpr std::string_view kSize = "a number of bytes of at least 1, as 1048576, 1024K, 64M or 1G";

constexpr std::array kVariables = {
    Variable{"PTOJIT_CACHE_ENTRIES", "env.cache_entries", "a number of at least 1",
             [](Environment& out, std::string_view value) {
               return assign(out.cache.entries, count_from(value));
             }},
    Variable{"PTOJIT_CACHE_BYTES", "env.cache_bytes", kSize,
             [](Environment& out, std::string_view value) {
               return assign(out.cache.bytes, size_from(value));
             }},
    Variable{"PTOJIT_ARENA_BYTES", "env.arena_bytes", kSize,
             [](Environment& out, std::string_view value) {
               return assign(out.arena_bytes, size_from(value));
             }},
    Variable{"PTOJIT_BACKEND", "env.backend", "auto, xbyak, llvm or interpreter",
             [](Environment& out, std::string_view value) {
               return assign(out.backend, backend_named(value));
             }},
    Variable{"PTOJIT_FEATURES", "env.features", "native, avx512, avx2 or baseline",
             [](Environment& out, std::string_view value) {
               return assign(out.features, feature_level_named(value));
             }},
    Variable{"PTOJIT_STRATEGY", "env.strategy", "choices as form=lanes,group=4",
             [](Environment& out, std::string_view value) {
               const Result<StrategyWish> wish = parse_wish(value);
               if (wish) out.strategy = *wish;
               return wish && !value.empty();
             }},
    Variable{"PTOJIT_DUMP", "env.dump", "a directory",
             [](Environment& out, std::string_view value) {
               out.dump = value;
               return !value.empty();
             }},
    Variable{"PTOJIT_DISK_CACHE", "env.disk_cache", "a directory",
             [](Environment& out, std::string_view value) {
               out.disk_cache = value;
               return !value.empty();
             }},
    Variable{"PTOJIT_DISK_CACHE_BYTES", "env.disk_cache_bytes", kSize,
             [](Environment& out, std::string_view value) {
               return assign(out.disk_cache_bytes, size_from(value));
             }},
    Variable{"PTOJIT_PERF", "env.perf", "0 or 1",
             [](Environment& out, std::string_view value) {
               return assign(out.tools.perf_map, switch_from(value));
             }},
    Variable{"PTOJIT_GDB", "env.gdb", "0 or 1",
             [](Environment& out, std::string_view value) {
               return assign(out.tools.gdb, switch_from(value));
             }},
};

Diagnostic not_accepted(const Variable& variable, std::string_view value) {
  return error(std::string(variable.id), std::string(variable.name) + " is '" + printable(value) +
                                             "', not " + std::string(variable.accepted));
}

}  // namespace

Result<Environment> read_environment(ReadVariable read) {
  Environment out;
  Diagnostics malformed;
  for (const Variable& variable : kVariables) {
    const char* value = read(variable.name);
    if (value && !variable.set(out, value)) malformed.push_back(not_accepted(variable, value));
  }
  if (!malformed.empty()) return malformed;
  return out;
}

const Result<Environment>& environment() {
  static const Result<Environment> kResult =
      read_environment([](const char* name) -> const char* { return std::getenv(name); });
  return kResult;
}

}  // namespace pto::jit

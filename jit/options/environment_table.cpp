// The table of variables and how their values are read.
#include <array>
#include <optional>

#include "jit/options/environment.h"
#include "jit/options/number_text.h"

namespace pto::jit {
namespace {

// At least 1.
std::optional<std::size_t> count_from(std::string_view text) {
  const std::optional<std::size_t> number = parse_number(text);
  return number == 0 ? std::nullopt : number;
}

std::optional<bool> switch_from(std::string_view text) {
  if (text != "0" && text != "1") return std::nullopt;
  return text == "1";
}

std::optional<std::string> text_from(std::string_view text) {
  if (text.empty()) return std::nullopt;
  return std::string(text);
}

std::optional<StrategyWish> wish_from(std::string_view text) {
  const Result<StrategyWish> wish = parse_wish(text);
  if (!wish || text.empty()) return std::nullopt;
  return *wish;
}

// One of this host's architecture.
std::optional<FeatureLevel> level_from(std::string_view text) {
  const std::optional<FeatureLevel> level = feature_level_named(text);
  return level && is_known_here(*level) ? level : std::nullopt;
}

std::optional<std::optional<std::uint32_t>> calls_from(std::string_view text) {
  const std::optional<std::size_t> calls = parse_number(text);
  if (!calls || *calls > kMostBindAfter) return std::nullopt;
  return static_cast<std::uint32_t>(*calls);
}

template <class Value>
bool assign(Value& out, const std::optional<Value>& value) {
  if (value) out = *value;
  return value.has_value();
}

constexpr std::string_view kSize = "a number of bytes of at least 1, as 1048576, 1024K, 64M or 1G";

constexpr std::array kVariables = {
    Variable{"PTOJIT_CACHE_ENTRIES", "a number of at least 1", "most kernels the cache keeps",
             "cache.entries",
             [](Environment& out, std::string_view value) {
               return assign(out.cache.entries, count_from(value));
             }},
    Variable{"PTOJIT_CACHE_BYTES", kSize, "most bytes of code the cache keeps", "cache.bytes",
             [](Environment& out, std::string_view value) {
               return assign(out.cache.bytes, parse_size(value));
             }},
    Variable{"PTOJIT_ARENA_BYTES", kSize, "most bytes of executable memory mapped at a time",
             "arena_bytes",
             [](Environment& out, std::string_view value) {
               return assign(out.arena_bytes, parse_size(value));
             }},
    Variable{"PTOJIT_BACKEND", "auto, xbyak, llvm or interpreter",
             "what makes kernels where a caller says auto", "backend",
             [](Environment& out, std::string_view value) {
               return assign(out.backend, backend_named(value));
             }},
    Variable{"PTOJIT_FEATURES", kLevelNames, "the most that kernels may use of the processor",
             "features",
             [](Environment& out, std::string_view value) {
               return assign(out.features, level_from(value));
             }},
    Variable{"PTOJIT_STRATEGY", "choices as form=lanes,group=4",
             "how code goes about its work, as plan --strategy takes it", "strategy",
             [](Environment& out, std::string_view value) {
               return assign(out.strategy, wish_from(value));
             }},
    Variable{"PTOJIT_BIND_AFTER", "a number up to 65535, 0 for never",
             "with which call of them values of runtime dimensions get a kernel of their own",
             "bind_after",
             [](Environment& out, std::string_view value) {
               return assign(out.bind_after, calls_from(value));
             }},
    Variable{"PTOJIT_DUMP", "a directory", "where each new kernel's spec, plan and code go", "dump",
             [](Environment& out, std::string_view value) {
               return assign(out.dump, text_from(value));
             }},
    Variable{"PTOJIT_DISK_CACHE", "a directory",
             "where objects of LLVM kernels are kept from run to run", "disk_cache",
             [](Environment& out, std::string_view value) {
               return assign(out.disk_cache, text_from(value));
             }},
    Variable{"PTOJIT_DISK_CACHE_BYTES", kSize, "most bytes of objects kept there",
             "disk_cache_bytes",
             [](Environment& out, std::string_view value) {
               return assign(out.disk_cache_bytes, parse_size(value));
             }},
    Variable{"PTOJIT_PERF", "0 or 1", "1 names kernels in the map file that perf reads",
             "tools.perf_map",
             [](Environment& out, std::string_view value) {
               return assign(out.tools.perf_map, switch_from(value));
             }},
    Variable{"PTOJIT_GDB", "0 or 1", "1 names kernels to debuggers by GDB's JIT interface",
             "tools.gdb",
             [](Environment& out, std::string_view value) {
               return assign(out.tools.gdb, switch_from(value));
             }},
    Variable{"PTOJIT_TESTS", "all", "full samples instead of short ones", "",
             [](Environment&, std::string_view value) { return value == "all"; }},
    Variable{"PTOJIT_REWRITE_GOLDENS", "0 or 1", "1 writes goldens anew instead of comparing", "",
             [](Environment&, std::string_view value) { return switch_from(value).has_value(); }},
    Variable{"PTOJIT_REPLAY", "a case as a failure names it", "runs that case again", "",
             [](Environment&, std::string_view value) { return !value.empty(); }},
    Variable{"PTOJIT_SETTINGS", "all", "checks text with every compiler in every standard", "",
             [](Environment&, std::string_view value) { return value == "all"; }},
    Variable{"PTOJIT_SOAK", "a number of seconds of at least 1", "how long the soak takes", "",
             [](Environment&, std::string_view value) { return count_from(value).has_value(); }},
    Variable{"PTOJIT_TEST_STOP_IN_KERNEL", "1", "stops a debugged test inside a kernel", "",
             [](Environment&, std::string_view value) { return value == "1"; }},
};

// "env.cache_bytes"
std::string id_of(const Variable& variable) {
  std::string out = "env.";
  for (const char c : std::string_view(variable.name).substr(std::string_view("PTOJIT_").size()))
    out += c == '_' ? c : static_cast<char>(c - 'A' + 'a');
  return out;
}

Diagnostic not_accepted(const Variable& variable, std::string_view value) {
  return error(id_of(variable), std::string(variable.name) + " is '" + printable(value) +
                                    "', not " + std::string(variable.values));
}

}  // namespace

std::span<const Variable> variables() { return kVariables; }

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

}  // namespace pto::jit

// The environment: what a process wants where a call does not say. It comes from variables, read
// once, or from the program itself, which then needs none of them. One table of variables serves
// their readers, `ptojit --help` and docs/environment.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "ir/result.h"
#include "jit/options/strategy_wish.h"
#include "runtime/cache/cache_limits.h"
#include "runtime/code/code_limits.h"
#include "runtime/host/host_features.h"
#include "runtime/kernel.h"

namespace pto::jit {

struct Environment {
  CacheLimits cache;
  std::size_t arena_bytes = kArenaBytes;
  Backend backend = Backend::Auto;
  FeatureLevel features = FeatureLevel::Native;
  StrategyWish strategy;
  std::optional<std::uint32_t> bind_after;  // calls; CompileOptions says what it means
  std::string dump;                         // empty: nothing is written
  std::string disk_cache;                   // empty: nothing is kept
  std::size_t disk_cache_bytes = std::size_t{256} << 20;
  ToolOptions tools;  // profilers and debuggers told of kernels

  bool operator==(const Environment&) const = default;
};

struct Variable {
  const char* name;
  std::string_view values;  // that are accepted
  std::string_view does;
  std::string_view member;  // of Environment that a program sets instead; none: for our tests alone
  bool (*set)(Environment& out, std::string_view value);  // false: not accepted
};

// Every name that begins with PTOJIT_ and means something, those of the tests last.
std::span<const Variable> variables();

// The value of a variable, or null; std::getenv is one such function.
using ReadVariable = const char* (*)(const char* name);

// Reports every value that is not accepted, an empty one too, as "env.*" after the variable.
Result<Environment> read_environment(ReadVariable read);

// That of the process, as it was in the first call.
const Result<Environment>& environment();

// In place of the variables, which are then not read. An error when a number is zero or a choice
// does not exist, and "env.late" once something has asked for the environment, as compiling does.
Result<Done> use_environment(const Environment& wanted);

// A note "env.unknown" with the nearest name there is for each PTOJIT_* of the process that means
// nothing, or of entries as `environ` has them. The library goes on without a word.
Diagnostics unknown_variables();
Diagnostics unknown_variables(const char* const* entries);

}  // namespace pto::jit

#include "jit/options/environment.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "ir/flaws.h"
#include "runtime/made_once.h"

namespace pto::jit {
namespace {

// What the program said before anything asked.
struct Said {
  std::mutex mutex;
  std::optional<Environment> wanted;
  bool is_asked = false;
};

Said& said() {
  static constinit MadeOnce<Said> state;
  return state.get([] { return std::make_unique<Said>(); });
}

Result<Environment> first_answer() {
  const std::lock_guard lock(said().mutex);
  said().is_asked = true;
  if (said().wanted) return *said().wanted;
  return read_environment([](const char* name) -> const char* { return std::getenv(name); });
}

Diagnostics flaws_of(const Environment& wanted) {
  Diagnostics out;
  const std::pair<const char*, std::size_t> sizes[] = {
      {"cache.entries", wanted.cache.entries},
      {"cache.bytes", wanted.cache.bytes},
      {"arena_bytes", wanted.arena_bytes},
      {"disk_cache_bytes", wanted.disk_cache_bytes},
  };
  for (const auto& [name, size] : sizes) {
    if (size == 0) out.push_back(error("env.value", std::string(name) + " is 0, not at least 1"));
  }
  if (auto flaw = beyond("env.value", "backend", wanted.backend, Backend::Interpreter))
    out.push_back(*flaw);
  if (auto flaw = beyond("env.value", "features", wanted.features, FeatureLevel::Neon))
    out.push_back(*flaw);
  else if (!is_known_here(wanted.features))
    out.push_back(error("env.value", "features: " + why_without(host_features(), wanted.features)));
  if (wanted.bind_after > kMostBindAfter)
    out.push_back(error("env.value", "bind_after is " + std::to_string(*wanted.bind_after) +
                                         ", not at most " + std::to_string(kMostBindAfter)));
  const Result<Done> wish = check(wanted.strategy);
  if (!wish) out.insert(out.end(), wish.error().begin(), wish.error().end());
  return out;
}

// How many characters are put in, left out or exchanged between two words.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t corner = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t exchanged = corner + (a[i] == b[j] ? 0 : 1);
      corner = std::exchange(row[j + 1], std::min({exchanged, row[j] + 1, row[j + 1] + 1}));
    }
  }
  return row.back();
}

Diagnostic unknown(std::string_view name) {
  const Variable& nearest = *std::ranges::min_element(
      variables(), {}, [&](const Variable& known) { return distance(name, known.name); });
  Diagnostic out =
      error("env.unknown",
            printable(name, 80) + " means nothing; the nearest that does is " + nearest.name);
  out.severity = Severity::Note;
  return out;
}

}  // namespace

const Result<Environment>& environment() {
  static constinit MadeOnce<const Result<Environment>> answer;
  return answer.get([] { return std::make_unique<const Result<Environment>>(first_answer()); });
}

Result<Done> use_environment(const Environment& wanted) {
  Diagnostics flaws = flaws_of(wanted);
  if (!flaws.empty()) return flaws;
  const std::lock_guard lock(said().mutex);
  if (said().is_asked) {
    return error("env.late",
                 "the environment is in use; say what it is to be before the first "
                 "kernel is compiled or cache asked for");
  }
  said().wanted = wanted;
  return Done{};
}

Diagnostics unknown_variables() { return unknown_variables(environ); }

Diagnostics unknown_variables(const char* const* entries) {
  Diagnostics out;
  for (; entries != nullptr && *entries != nullptr; ++entries) {
    const std::string_view entry = *entries;
    const std::string_view name = entry.substr(0, entry.find('='));
    if (!name.starts_with("PTOJIT_")) continue;
    if (std::ranges::find(variables(), name, &Variable::name) == variables().end())
      out.push_back(unknown(name));
  }
  return out;
}

}  // namespace pto::jit

// Diagnostics: what is wrong (or surprising), by which rule, and what would be accepted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pto::jit {

enum class Severity : std::uint8_t { Error, Note };

// A stretch of the text a diagnostic speaks of.
struct Span {
  std::size_t begin = 0;
  std::size_t length = 0;

  bool operator==(const Span&) const = default;
};

struct Diagnostic {
  Severity severity = Severity::Error;
  std::string id;          // stable, e.g. "a2a3.scatter.atomic"
  std::string message;     // names the value; lower case
  std::string rule;        // the rule in our words; may be empty
  std::string from;        // document and section; may be empty
  std::string suggestion;  // the nearest legal spec; may be empty
  std::string gives_up;    // what that spec has not of the one at hand; may be empty
  std::optional<Span> at;  // set when the text itself could not be read

  bool operator==(const Diagnostic&) const = default;
};

using Diagnostics = std::vector<Diagnostic>;

// An error that is nobody's rule: a file, an option, the environment.
Diagnostic error(std::string id, std::string message);

// As a person reads it, ending in a newline. `text` is what `at` points into; a long one is shown
// in part, control characters escaped.
std::string render(const Diagnostic& diagnostic, std::string_view text = {});
std::string render(const Diagnostics& diagnostics, std::string_view text = {});

// For programs: a JSON array of objects with severity, id and message, and those there are of rule,
// from, try, gives_up and at. Bytes that are no UTF-8 become U+FFFD.
std::string json_of(const Diagnostics& diagnostics);

// Whether all of them are broken rules of a target, which are those that come from a document.
bool are_broken_rules(const Diagnostics& diagnostics);

// `text` safe to print: control characters and bytes above ASCII as \xNN, cut at `limit`
// characters.
std::string printable(std::string_view text, std::size_t limit = 40);

}  // namespace pto::jit

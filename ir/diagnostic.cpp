#include "ir/diagnostic.h"

#include <algorithm>
#include <utility>

namespace pto::jit {
namespace {

constexpr std::size_t kWindow = 96;  // characters of a spec shown around a caret

std::string escaped(unsigned char c) {
  if (c >= 0x20 && c < 0x7f) return std::string(1, static_cast<char>(c));
  constexpr std::string_view kHex = "0123456789abcdef";
  return {'\\', 'x', kHex[c >> 4], kHex[c & 15]};
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) out += escaped(static_cast<unsigned char>(c));
  return out;
}

// The part of `text` around `at`, and a line of carets under it.
std::string excerpt(std::string_view text, Span at) {
  const bool fits = text.size() <= kWindow || at.begin <= kWindow / 2;
  const std::size_t begin = fits ? 0 : at.begin - kWindow / 2;
  const std::size_t end = std::min(text.size(), begin + kWindow);
  const std::string lead = begin > 0 ? "..." : "";
  const std::string before = lead + escaped(text.substr(begin, at.begin - begin));
  const std::size_t marked_end = std::clamp(at.begin + at.length, at.begin, end);
  const std::string marked = escaped(text.substr(at.begin, marked_end - at.begin));
  const std::string after = escaped(text.substr(marked_end, end - marked_end));
  const std::string carets(std::max<std::size_t>(marked.size(), 1), '^');
  return "  " + before + marked + after + (end < text.size() ? "..." : "") + "\n  " +
         std::string(before.size(), ' ') + carets + "\n";
}

std::string line(std::string_view label, const std::string& value) {
  return value.empty() ? "" : "  " + std::string(label) + value + "\n";
}

}  // namespace

Diagnostic error(std::string id, std::string message) {
  return {.severity = Severity::Error,
          .id = std::move(id),
          .message = std::move(message),
          .rule = {},
          .from = {},
          .suggestion = {},
          .gives_up = {},
          .at = std::nullopt};
}

std::string printable(std::string_view text, std::size_t limit) {
  std::string out = escaped(text.substr(0, limit));
  return text.size() > limit ? out + "..." : out;
}

std::string render(const Diagnostic& diagnostic, std::string_view text) {
  const std::string_view kind = diagnostic.severity == Severity::Error ? "error" : "note";
  std::string out = std::string(kind) + "[" + diagnostic.id + "]: " + diagnostic.message + "\n";
  if (diagnostic.at && diagnostic.at->begin <= text.size()) out += excerpt(text, *diagnostic.at);
  out += line("rule: ", diagnostic.rule);
  out += line("from: ", diagnostic.from);
  out += line("try:  ", diagnostic.suggestion);
  out += line("but:  gives up ", diagnostic.gives_up);
  return out;
}

std::string render(const Diagnostics& diagnostics, std::string_view text) {
  std::string out;
  for (const Diagnostic& diagnostic : diagnostics) out += render(diagnostic, text);
  return out;
}

}  // namespace pto::jit

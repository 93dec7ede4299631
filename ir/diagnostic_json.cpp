// Diagnostics as JSON, without a library for it: strings and two numbers are all there is.
#include <algorithm>
#include <array>
#include <cstdio>

#include "ir/diagnostic.h"

namespace pto::jit {
namespace {

// The first bytes of UTF-8 sequences, what may come second, and how long they are.
struct Lead {
  unsigned char first, last;
  unsigned char low, high;
  std::size_t length;
};

constexpr std::array kLeads = {
    Lead{0x00, 0x7f, 0x00, 0x00, 1}, Lead{0xc2, 0xdf, 0x80, 0xbf, 2},
    Lead{0xe0, 0xe0, 0xa0, 0xbf, 3}, Lead{0xe1, 0xec, 0x80, 0xbf, 3},
    Lead{0xed, 0xed, 0x80, 0x9f, 3}, Lead{0xee, 0xef, 0x80, 0xbf, 3},
    Lead{0xf0, 0xf0, 0x90, 0xbf, 4}, Lead{0xf1, 0xf3, 0x80, 0xbf, 4},
    Lead{0xf4, 0xf4, 0x80, 0x8f, 4},
};

bool is_between(char c, unsigned char low, unsigned char high) {
  const auto byte = static_cast<unsigned char>(c);
  return low <= byte && byte <= high;
}

// Bytes of the character that `text` begins with; none when it is not UTF-8.
std::size_t character_length(std::string_view text) {
  for (const Lead& lead : kLeads) {
    if (!is_between(text[0], lead.first, lead.last)) continue;
    if (lead.length == 1) return 1;
    if (text.size() < lead.length || !is_between(text[1], lead.low, lead.high)) return 0;
    const auto is_rest = [](char c) { return is_between(c, 0x80, 0xbf); };
    return std::ranges::all_of(text.substr(2, lead.length - 2), is_rest) ? lead.length : 0;
  }
  return 0;
}

std::string escaped(char c) {
  if (c == '"' || c == '\\') return {'\\', c};
  if (c == '\n') return "\\n";
  if (!is_between(c, 0x00, 0x1f)) return {c};
  std::array<char, 8> code{};
  std::snprintf(code.data(), code.size(), "\\u%04x", static_cast<unsigned>(c));
  return code.data();
}

std::string quoted(std::string_view text) {
  std::string out = "\"";
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    if (length == 1) out += escaped(text[0]);
    if (length == 0) out += "\\ufffd";
    if (length > 1) out += text.substr(0, length);
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return out + "\"";
}

std::string member(std::string_view name, std::string_view value) {
  return value.empty() ? "" : ",\"" + std::string(name) + "\":" + quoted(value);
}

std::string object_of(const Diagnostic& diagnostic) {
  std::string out = diagnostic.severity == Severity::Error ? "error" : "note";
  out = "{\"severity\":\"" + out + "\",\"id\":" + quoted(diagnostic.id) +
        ",\"message\":" + quoted(diagnostic.message) + member("rule", diagnostic.rule) +
        member("from", diagnostic.from) + member("try", diagnostic.suggestion) +
        member("gives_up", diagnostic.gives_up);
  if (const std::optional<Span>& at = diagnostic.at) {
    out += ",\"at\":{\"begin\":" + std::to_string(at->begin) +
           ",\"length\":" + std::to_string(at->length) + "}";
  }
  return out + "}";
}

}  // namespace

std::string json_of(const Diagnostics& diagnostics) {
  std::string out = "[";
  for (const Diagnostic& diagnostic : diagnostics)
    out += (out.size() > 1 ? "," : "") + object_of(diagnostic);
  return out + "]";
}

bool are_broken_rules(const Diagnostics& diagnostics) {
  return std::ranges::none_of(diagnostics, &std::string::empty, &Diagnostic::from);
}

}  // namespace pto::jit

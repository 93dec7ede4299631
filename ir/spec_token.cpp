#include "ir/spec_token.h"

#include <algorithm>

namespace pto::jit {

std::string quoted(const Token& token) { return "'" + printable(token.text) + "'"; }

std::pair<Token, std::optional<Token>> split(const Token& token, char mark) {
  const std::size_t at = token.text.find(mark);
  if (at == std::string_view::npos) return {token, std::nullopt};
  return {token.part(0, at), token.part(at + 1)};
}

bool fail(Diagnostic& problem, std::string_view id, const Token& at, std::string message) {
  problem = error("text." + std::string(id), std::move(message));
  problem.at = Span{at.begin, std::max<std::size_t>(at.text.size(), 1)};
  return false;
}

bool parse_number(const Token& token, std::int64_t limit, std::int64_t& out, Diagnostic& problem) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (token.text.empty() || !std::all_of(token.text.begin(), token.text.end(), is_digit)) {
    return fail(problem, "number", token, quoted(token) + " is not a number");
  }
  std::int64_t value = 0;
  for (const char c : token.text) {
    value = value * 10 + (c - '0');
    if (value > limit) {
      return fail(problem, "number", token,
                  quoted(token) + " is too large; at most " + std::to_string(limit));
    }
  }
  out = value;
  return true;
}

}  // namespace pto::jit

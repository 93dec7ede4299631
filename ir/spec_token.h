// The smallest pieces of spec text, and how a reader says that one is wrong.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "ir/diagnostic.h"

namespace pto::jit {

// A piece of the text that knows where it is.
struct Token {
  std::string_view text;
  std::size_t begin = 0;

  Token part(std::size_t from, std::size_t count = std::string_view::npos) const {
    return {text.substr(from, count), begin + from};
  }
};

std::string quoted(const Token& token);

// Splits at the first `mark`; the second part is absent when there is none.
std::pair<Token, std::optional<Token>> split(const Token& token, char mark);

// Notes the error, pointing at the token; always false, so that a reader can return it.
bool fail(Diagnostic& problem, std::string_view id, const Token& at, std::string message);

// Digits alone, at most `limit`.
bool parse_number(const Token& token, std::int64_t limit, std::int64_t& out, Diagnostic& problem);

}  // namespace pto::jit

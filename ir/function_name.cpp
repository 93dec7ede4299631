#include "ir/function_name.h"

#include <algorithm>

namespace pto::jit {
namespace {

// Of C11 and C++20, alternative spellings included.
constexpr std::string_view kKeywords = R"(
alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t
char32_t char8_t class co_await co_return co_yield compl concept const const_cast consteval
constexpr constinit continue decltype default delete do double dynamic_cast else enum
explicit export extern false float for friend goto if inline int long mutable namespace new
noexcept not not_eq nullptr operator or or_eq private protected public register
reinterpret_cast requires restrict return short signed sizeof static static_assert
static_cast struct switch template this thread_local throw true try typedef typeid typename
union unsigned using virtual void volatile wchar_t while xor xor_eq
)";

bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || is_capital(c) || c == '_'; }

}  // namespace

bool is_word_part(char c) { return is_letter(c) || (c >= '0' && c <= '9'); }

std::string reserved_name(std::string_view name) {
  const bool is_identifier =
      !name.empty() && is_letter(name[0]) && std::ranges::all_of(name, is_word_part);
  if (!is_identifier) return "it is not an identifier of C";
  if (has_word(kKeywords, name)) return "it is a keyword of C or C++";
  if (name == "main") return "a program begins there";
  const bool is_reserved = name.find("__") != std::string_view::npos ||
                           (name.size() > 1 && name[0] == '_' && is_capital(name[1]));
  return is_reserved ? "such names belong to compilers and their libraries" : "";
}

Diagnostic bad_name(std::string_view name, const std::string& why) {
  return error("option.name", "'" + printable(name) + "' cannot name a function: " + why);
}

bool has_word(std::string_view text, std::string_view word) {
  for (std::size_t at = 0; at < text.size();) {
    if (text.substr(at, 2) == "//") at = std::min(text.find('\n', at), text.size());
    const std::size_t begin = at;
    while (at < text.size() && is_word_part(text[at])) ++at;
    if (text.substr(begin, at - begin) == word) return true;
    at += at == begin ? 1 : 0;
  }
  return false;
}

}  // namespace pto::jit

// Names for functions that C and C++ both take, and nobody else has.
#pragma once

#include <string>
#include <string_view>

#include "ir/diagnostic.h"

namespace pto::jit {

// "option.name": why a function cannot be called as a user asks.
Diagnostic bad_name(std::string_view name, const std::string& why);

// What keeps any function from this name: it is no identifier, a keyword of C or C++, `main`, or
// reserved for compilers and their libraries. Empty: nothing does.
std::string reserved_name(std::string_view name);

// Whether an identifier may have this character behind its first.
bool is_word_part(char c);

// Whether `word` stands in a text of C++ as an identifier, other than in a comment to the end of a
// line.
bool has_word(std::string_view text, std::string_view word);

}  // namespace pto::jit

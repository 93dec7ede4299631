// Names that stand in a text.
#pragma once

#include <regex>
#include <set>
#include <string>

namespace pto::jit::tests {

using Names = std::set<std::string>;

// The first group of every match.
inline Names names_in(const std::string& text, const std::string& pattern) {
  const std::regex expression(pattern);
  Names out;
  for (std::sregex_iterator at(text.begin(), text.end(), expression), end; at != end; ++at)
    out.insert((*at)[1].str());
  return out;
}

}  // namespace pto::jit::tests

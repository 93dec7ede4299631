// What docs/plan.md says of a verb: the tool carries that page.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pto::jit::cli {

struct VerbWords {
  std::vector<std::string> lines = {};  // labels of the plan's lines that it does
  std::string does = {};                // without the marks of a page
};

// Nothing where the page has no row for it.
VerbWords words_of_verb(std::string_view verb);

}  // namespace pto::jit::cli

// For each rule a spec that breaks it and a legal one close by.
#pragma once

#include <string>
#include <vector>

namespace pto::jit::tests {

struct RuleCase {
  std::vector<std::string> breaks;  // full ids; the first is the rule that is shown
  std::string broken;
  std::string neighbour;
};

// Grouped by line of the data: the cases of one line differ in their target only.
std::vector<std::vector<RuleCase>> rule_case_groups();
std::vector<RuleCase> rule_cases();

}  // namespace pto::jit::tests

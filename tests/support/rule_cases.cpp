#include "tests/support/rule_cases.h"

#include "tests/support/tsv.h"

namespace pto::jit::tests {
namespace {

std::string on_target(const std::string& target, const std::string& spec) {
  return spec.find(':') < spec.find(' ') ? spec : target + ":" + spec;
}

RuleCase case_for(const std::string& target, const Record& record) {
  RuleCase out{{}, on_target(target, record.at(2)), on_target(target, record.at(3))};
  for (const std::string& id : split(record.at(1), ' '))
    out.breaks.push_back(std::string(target).append(".").append(id));
  return out;
}

}  // namespace

std::vector<std::vector<RuleCase>> rule_case_groups() {
  std::vector<std::vector<RuleCase>> out;
  for (const Record& record : read_tsv("tests/data/rule_cases.tsv")) {
    out.emplace_back();
    for (const std::string& target : split(record.at(0), ' '))
      out.back().push_back(case_for(target, record));
  }
  return out;
}

std::vector<RuleCase> rule_cases() {
  std::vector<RuleCase> out;
  for (const std::vector<RuleCase>& group : rule_case_groups())
    out.insert(out.end(), group.begin(), group.end());
  return out;
}

}  // namespace pto::jit::tests

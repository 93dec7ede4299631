#include "tests/support/conformance.h"

#include "tests/support/tsv.h"

namespace pto::jit::tests {

std::vector<ConformanceCase> conformance_cases() {
  std::vector<ConformanceCase> out;
  for (const Record& record : read_tsv("tests/data/conformance_cases.tsv"))
    out.push_back({record.at(0) == "run", record.at(1), record.at(2), record.at(3)});
  return out;
}

}  // namespace pto::jit::tests

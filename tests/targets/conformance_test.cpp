// Every case of the ISA's own system tests gets its verdict.
#include "tests/support/conformance.h"

#include <gtest/gtest.h>

#include "ir/spec_text.h"
#include "targets/binding.h"
#include "targets/verify.h"
#include "tests/support/tsv.h"

namespace pto::jit::tests {
namespace {

std::vector<Binding> bindings_of(const KernelSpec& spec, const std::string& text) {
  std::vector<Binding> out;
  if (text == "-") return out;
  for (const std::string& part : split(text, ',')) {
    const std::vector<std::string> sides = split(part, '=');
    const std::optional<Dim> dim = dim_named(spec.op, sides.at(0));
    EXPECT_TRUE(dim.has_value()) << part;
    if (dim) out.push_back({*dim, std::stoll(sides.at(1))});
  }
  return out;
}

void expect_bound(const LegalSpec& legal, const ConformanceCase& entry) {
  const Result<BoundSpec> bound = pto::jit::bind(legal, bindings_of(legal.spec(), entry.bind));
  EXPECT_TRUE(bound) << entry.spec << "\n" << entry.bind << "\n" << render(bound.error());
}

TEST(Conformance, EveryCaseIsPresent) {
  std::size_t legal = 0;
  for (const ConformanceCase& entry : conformance_cases()) legal += entry.legal ? 1 : 0;
  EXPECT_EQ(conformance_cases().size(), 426u);
  EXPECT_EQ(legal, 386u);
}

TEST(Conformance, EveryCaseGetsItsVerdict) {
  for (const ConformanceCase& entry : conformance_cases()) {
    const Result<KernelSpec> spec = parse(entry.spec);
    ASSERT_TRUE(spec) << render(spec.error(), entry.spec);
    const Result<LegalSpec> legal = verify(*spec);
    EXPECT_EQ(legal.has_value(), entry.legal) << "ptojit check '" << entry.spec << "'\n"
                                              << (legal ? "" : render(legal.error()));
    if (legal) expect_bound(*legal, entry);
  }
}

TEST(Conformance, EveryCaseReadsBackAsItself) {
  for (const ConformanceCase& entry : conformance_cases()) {
    const Result<KernelSpec> spec = parse(entry.spec);
    ASSERT_TRUE(spec) << render(spec.error(), entry.spec);
    const Result<KernelSpec> again = parse(print(*spec));
    ASSERT_TRUE(again) << render(again.error(), print(*spec));
    EXPECT_EQ(*again, *spec) << entry.spec;
  }
}

}  // namespace
}  // namespace pto::jit::tests

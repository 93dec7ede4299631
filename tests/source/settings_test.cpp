// Emitted kernels in every form and placement, compiled by each compiler in each standard: no
// warning, no report, the interpreter's memory. PTOJIT_SETTINGS=all takes all conformance cases and
// 500 sampled specs through all of them; otherwise a few go through all, or through the last.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>

#include "ir/spec_text.h"
#include "targets/source_planner.h"
#include "tests/source/sample.h"
#include "tests/support/conformance_workload.h"

namespace pto::jit::tests {
namespace {

constexpr std::uint32_t kSeed = 20260113;

bool takes_everything() {
  const char* asked = std::getenv("PTOJIT_SETTINGS");
  return asked != nullptr && std::string_view(asked) == "all";
}

// Empty when none of the names can be started.
std::string first_on_path(const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (is_on_path(name)) return name;
  }
  return "";
}

struct Form {
  bool is_expanded;
  Placement placement;
};
constexpr std::array kForms = {Form{false, Placement::Manual}, Form{false, Placement::Auto},
                               Form{true, Placement::Manual}, Form{true, Placement::Auto}};

// A workload in each form that its spec has.
void add_forms(const Workload& load, std::vector<EmulatedCase>& cases) {
  const LegalSpec legal = *verify(load.declared);
  if (legal.spec().engine != Engine::Aiv) return;  // compiled only
  for (const Form& form : kForms) {
    if (make_source_plan(legal, {.is_expanded = form.is_expanded, .placement = form.placement}))
      cases.push_back({.load = load, .placement = form.placement, .is_expanded = form.is_expanded});
  }
}

std::vector<EmulatedCase> conformance_forms() {
  std::vector<EmulatedCase> cases;
  for (const ConformanceCase& entry : conformance_cases()) {
    if (entry.legal) add_forms(*make_workload(entry, kSeed), cases);
  }
  return cases;
}

std::vector<EmulatedCase> sampled_forms(SampleSize size) {
  std::vector<EmulatedCase> cases;
  std::uint32_t number = 0;
  const auto has_text = [](const LegalSpec& legal) {
    return legal.spec().engine == Engine::Aiv && make_source_plan(legal);
  };
  for (const GridCase& entry : sample_of_grid(size, kSeed, has_text)) {
    const std::optional<Workload> load =
        make_workload(*verify(entry.spec), entry.bound, Pattern::Random, kSeed + ++number);
    if (load) add_forms(*load, cases);
  }
  return cases;
}

class EverySetting : public ::testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(EverySetting, CompilesWithoutAWarningAndAgreesWithTheInterpreter) {
  const auto [family, standard] = GetParam();
  const bool is_clang = std::string_view(family) == "clang++";
  const std::string compiler =
      is_clang ? first_on_path({"clang++-19", "clang++"}) : first_on_path({family});
  if (compiler.empty()) GTEST_SKIP() << "there is no " << family;
  const bool is_last = is_clang && std::string_view(standard) == "c++20";
  if (!takes_everything() && !takes_full_samples() && !is_last)
    GTEST_SKIP() << "short samples take clang++ and c++20 alone";
  std::vector<EmulatedCase> cases =
      sampled_forms(takes_everything() ? SampleSize{500, 500} : SampleSize{8, 40});
  if (takes_everything()) std::ranges::move(conformance_forms(), std::back_inserter(cases));
  std::printf("%zu kernels by %s in %s\n", cases.size(), compiler.c_str(), standard);
  expect_equal(cases, {compiler, standard});
}

INSTANTIATE_TEST_SUITE_P(EmittedText, EverySetting,
                         ::testing::Values(std::pair{"g++", "c++17"}, std::pair{"g++", "c++20"},
                                           std::pair{"clang++", "c++17"},
                                           std::pair{"clang++", "c++20"}),
                         [](const auto& setting) {
                           std::string name = setting.param.first + std::string("_");
                           name += setting.param.second;
                           std::erase(name, '+');
                           return name;
                         });

}  // namespace
}  // namespace pto::jit::tests

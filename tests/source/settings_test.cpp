// Emitted kernels in every form and placement, compiled by each compiler in each standard: no
// warning, no report, the interpreter's memory. Full samples take 60 specs through each setting,
// PTOJIT_SETTINGS=all 500 and all conformance cases, short samples a few through the last.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <map>

#include "ir/mnemonic.h"
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

// "a2a3 12, a5 9, cpu 3"
std::string counts_of(const std::vector<EmulatedCase>& cases) {
  std::map<std::string, int> counts;
  for (const EmulatedCase& entry : cases)
    ++counts[std::string(name_of(entry.load.declared.target))];
  std::string out;
  for (const auto& [target, count] : counts)
    out += (out.empty() ? "" : ", ") + target + " " + std::to_string(count);
  return out;
}

using Setting = std::pair<std::string, std::string>;  // compiler, standard
const Setting kLast = {"clang++", "c++20"};

class EverySetting : public ::testing::TestWithParam<Setting> {};

TEST_P(EverySetting, CompilesWithoutAWarningAndAgreesWithTheInterpreter) {
  const auto& [family, standard] = GetParam();
  const std::string compiler = first_on_path({family + "-19", family});
  if (compiler.empty()) GTEST_SKIP() << "there is no " << family;
  const bool is_full = takes_everything() || takes_full_samples();
  if (!is_full && GetParam() != kLast) GTEST_SKIP() << "short samples take clang++ in c++20 alone";
  std::vector<EmulatedCase> cases =
      sampled_forms(takes_everything() ? SampleSize{500, 500} : SampleSize{8, 60});
  if (takes_everything()) std::ranges::move(conformance_forms(), std::back_inserter(cases));
  std::printf("%zu kernels by %s in %s: %s\n", cases.size(), compiler.c_str(), standard.c_str(),
              counts_of(cases).c_str());
  expect_equal(cases, {compiler, standard});
}

INSTANTIATE_TEST_SUITE_P(EmittedText, EverySetting,
                         ::testing::Values(Setting{"g++", "c++17"}, Setting{"g++", "c++20"},
                                           Setting{"clang++", "c++17"}, kLast),
                         [](const auto& setting) {
                           std::string name = setting.param.first + "_" + setting.param.second;
                           std::erase(name, '+');
                           return name;
                         });

}  // namespace
}  // namespace pto::jit::tests

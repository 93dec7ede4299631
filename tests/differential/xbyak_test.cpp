// Generated x86-64 code against the interpreter, over the whole grid at every feature level.
#include <gtest/gtest.h>

#include "ir/interpreter.h"
#include "ir/spec_text.h"
#include "jit/compile.h"
#include "tests/support/grid.h"
#include "tests/support/workload.h"

namespace pto::jit::tests {
namespace {

constexpr std::uint32_t kSeed = 20260102;

// Every runnable case with the bindings and one pattern each, dealt in turn.
std::size_t compare_all(FeatureLevel level) {
  std::size_t runs = 0;
  int failures = 0;
  std::uint32_t count = 0;
  for (const GridCase& entry : runnable_grid()) {
    const Result<LegalSpec> legal = verify(entry.spec);
    const Result<Kernel> kernel = compile(entry.spec, {Backend::Xbyak, level});
    if (!legal || !kernel) {
      ADD_FAILURE() << print(entry.spec) << "\n" << (kernel ? "" : render(kernel.error()));
      return runs;
    }
    EXPECT_EQ(kernel->backend(), Backend::Xbyak);
    std::vector<KernelSpec> bindings = bindings_for(*legal);
    bindings.push_back(entry.bound);
    for (const KernelSpec& bound : bindings) {
      const Pattern pattern = kPatterns[count++ % kPatterns.size()];
      const auto load = make_workload(*legal, bound, pattern, kSeed + count);
      if (!load) continue;
      const Image expected = run_guarded(*load, Guard::Behind,
                                         [&](const Frame& frame) { interpret(load->plan, frame); });
      for (const Guard guard : {Guard::Behind, Guard::Before}) {
        const Image actual = run_guarded(*load, guard, *kernel);
        const std::string found = difference(*load, expected, actual);
        if (!found.empty() && failures++ < 10) ADD_FAILURE() << found << "\n" << print(load->plan);
        ++runs;
      }
    }
  }
  std::printf("%zu runs at %s, seed %u\n", runs, std::string(name_of(level)).c_str(), kSeed);
  return runs;
}

class Xbyak : public ::testing::TestWithParam<FeatureLevel> {};

TEST_P(Xbyak, AgreesWithTheInterpreterOnTheWholeGrid) {
  if (!has_level(host_features(), GetParam())) {
    GTEST_SKIP() << "this host has no " << name_of(GetParam());
  }
  EXPECT_GT(compare_all(GetParam()), 40000u);
}

INSTANTIATE_TEST_SUITE_P(Levels, Xbyak,
                         ::testing::Values(FeatureLevel::Baseline, FeatureLevel::Avx2,
                                           FeatureLevel::Avx512),
                         [](const auto& level) { return std::string(name_of(level.param)); });

}  // namespace
}  // namespace pto::jit::tests

// One case again, as a failure names it: PTOJIT_REPLAY='SPEC;BINDS;PATTERN;SEED'.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "ir/interpreter.h"
#include "ir/spec_text.h"
#include "jit/compile/compile.h"
#include "jit/doors/cli/bind_text.h"
#include "targets/binding.h"
#include "tests/support/backends.h"
#include "tests/support/host_levels.h"
#include "tests/support/workload.h"

namespace pto::jit::tests {
namespace {

std::optional<Pattern> pattern_named(std::string_view name) {
  const auto found = std::find_if(kPatterns.begin(), kPatterns.end(),
                                  [&](Pattern pattern) { return name_of(pattern) == name; });
  return found == kPatterns.end() ? std::nullopt : std::optional(*found);
}

std::optional<Workload> read_case(const std::string& text) {
  std::istringstream parts(text);
  std::string spec_text, binds, pattern_name, seed;
  std::getline(parts, spec_text, ';');
  std::getline(parts, binds, ';');
  std::getline(parts, pattern_name, ';');
  std::getline(parts, seed, ';');
  const Result<KernelSpec> spec = parse(spec_text);
  const std::optional<Pattern> pattern = pattern_named(pattern_name);
  if (!spec || !pattern) return std::nullopt;
  const Result<LegalSpec> legal = verify(*spec);
  const Result<std::vector<Binding>> bindings = cli::parse_bindings(*spec, binds);
  if (!legal || !bindings) return std::nullopt;
  const Result<BoundSpec> bound = jit::bind(*legal, *bindings);
  if (!bound) return std::nullopt;
  return make_workload(*legal, bound->spec(), *pattern,
                       static_cast<std::uint32_t>(std::strtoul(seed.c_str(), nullptr, 10)));
}

void replay(const Workload& load) {
  const Image expected = run_model(load);
  for (const Guard guard : {Guard::Behind, Guard::Before}) {
    const auto interpreted =
        run_guarded(load, guard, [&](const Frame& frame) { interpret(load.plan, frame); });
    EXPECT_EQ(difference(load, expected, interpreted), "") << print(load.plan);
    for (const FeatureLevel level : host_levels()) {
      for (const Backend backend : backends_here()) {
        const Result<Kernel> kernel = compile(load.declared, {backend, level});
        ASSERT_TRUE(kernel);
        EXPECT_EQ(difference(load, expected, run_guarded(load, guard, *kernel)), "")
            << name_of(backend) << " " << name_of(level);
      }
    }
  }
}

TEST(Replay, RunsTheCaseItIsGiven) {
  const char* text = std::getenv("PTOJIT_REPLAY");
  if (text == nullptr) GTEST_SKIP() << "PTOJIT_REPLAY names no case";
  const std::optional<Workload> load = read_case(text);
  ASSERT_TRUE(load) << "not SPEC;BINDS;PATTERN;SEED of a runnable case: " << text;
  replay(*load);
}

TEST(Replay, FindsACaseAgain) {
  const Result<LegalSpec> legal =
      verify(*parse("a2a3:mscatter.elem.skip src=f16[2x16|?x?] idx=i32[2x16|?x?] table=f16[?]"));
  ASSERT_TRUE(legal);
  for (const KernelSpec& bound : bindings_for(*legal)) {
    const auto load = make_workload(*legal, bound, Pattern::Extreme, 7);
    ASSERT_TRUE(load);
    const std::size_t begin = load->replay.find('\'') + 1;
    const auto again = read_case(load->replay.substr(begin, load->replay.rfind('\'') - begin));
    ASSERT_TRUE(again) << load->replay;
    EXPECT_EQ(again->memory, load->memory);
    replay(*again);
  }
}

}  // namespace
}  // namespace pto::jit::tests

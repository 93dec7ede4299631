// What a build has by its configuration it has at run time, and what it lacks it says. Also built
// alone, for configurations without some of the backends.
#include "tests/support/backends.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <sstream>

#include "ir/spec_text.h"
#include "jit/compile/compile.h"
#include "jit/tools/tool.h"
#include "tests/support/workload.h"

namespace pto::jit::tests {
namespace {

constexpr std::uint32_t kSeed = 20260711;

// One of each operation, static and not.
constexpr std::array kSpecs = {
    "a5:mscatter.row.clamp src=f32[8x16] idx=i32[1x8] table=f32[64x16]",
    "a2a3:mscatter.elem.skip.atomic_add src=f16[2x16|?x?] idx=i32[2x16|?x?] table=f16[?]",
    "a2a3:mgather.row.zero dst=f16[32x64]:nz idx=i32[1x32] table=f16[4x2x16x16]:nz",
    "cpu:tscatter dst=i16[4x16] src=i16[4x16] idx=u16[4x16]",
    "a5:tscatter.p0101 dst=f32[4x32] src=f32[4x16]",
    "cpu:tgatherb dst=u8[2x32] src=u8[4x32] offset=u32[2x32]",
    "a5:mscatter.elem.audit src=i32[4x8] idx=u32[4x8] table=i32[64]",
};

std::vector<Backend> configured() {
  std::istringstream words(PTOJIT_CONFIGURED_BACKENDS);
  std::vector<Backend> out;
  for (std::string word; words >> word;) out.push_back(*backend_named(word));
  return out;
}

LegalSpec legal_spec(const std::string& text) {
  const Result<KernelSpec> spec = parse(text);
  EXPECT_TRUE(spec) << text << "\n" << (spec ? "" : render(spec.error()));
  const Result<LegalSpec> legal = verify(*spec);
  EXPECT_TRUE(legal) << text << "\n" << (legal ? "" : render(legal.error()));
  return *legal;
}

TEST(Backends, AreThoseTheBuildWasConfiguredWith) {
  EXPECT_EQ(backends_here(), configured()) << PTOJIT_CONFIGURED_BACKENDS;
  EXPECT_TRUE(has_backend(Backend::Auto));
  EXPECT_TRUE(has_backend(Backend::Interpreter));
}

TEST(Backends, HaveTestsWhereTheyAre) {
  std::string left_out;
  for (const Backend backend : kAllBackends) {
    if (!has_backend(backend))
      left_out += no_backend(backend).message + ": its tests are left out\n";
  }
  if (!left_out.empty()) GTEST_SKIP() << left_out;
}

TEST(Backends, AutoIsTheFirstOfThem) {
  EXPECT_EQ(best_backend(), configured().front());
  if (std::getenv("PTOJIT_BACKEND")) GTEST_SKIP() << "PTOJIT_BACKEND says what auto is";
  const Result<Kernel> kernel = compile(kSpecs[0]);
  ASSERT_TRUE(kernel) << render(kernel.error());
  EXPECT_EQ(kernel->backend(), configured().front());
}

TEST(Backends, AgreeWithTheModelOnEveryOperation) {
  std::size_t runs = 0;
  for (const char* text : kSpecs) {
    const LegalSpec legal = legal_spec(text);
    for (const Backend backend : backends_here()) {
      const Result<Kernel> kernel = compile(legal.spec(), {.backend = backend});
      ASSERT_TRUE(kernel) << render(kernel.error());
      EXPECT_EQ(kernel->backend(), backend);
      EXPECT_EQ(kernel->name(), print(legal.spec()));
      for (const KernelSpec& bound : bindings_for(legal)) {
        const auto load = make_workload(legal, bound, Pattern::Random, kSeed);
        if (!load) continue;
        ++runs;
        EXPECT_EQ(difference(*load, run_model(*load), run_guarded(*load, Guard::Behind, *kernel)),
                  "")
            << name_of(backend);
      }
    }
  }
  EXPECT_GT(runs, kSpecs.size() * backends_here().size());
}

TEST(Backends, HaveKernelsOfTheirOwnInTheCache) {
  for (const Backend one : backends_here()) {
    for (const Backend other : backends_here()) {
      const Result<Kernel> a = compile(kSpecs[0], {.backend = one});
      const Result<Kernel> b = compile(kSpecs[0], {.backend = other});
      ASSERT_TRUE(a && b);
      EXPECT_EQ(*a == *b, one == other);
    }
  }
}

TEST(Backends, CountWhatTheirKernelsTake) {
  for (const Backend backend : backends_here()) {
    const Result<Kernel> kernel = compile(kSpecs[0], {.backend = backend});
    ASSERT_TRUE(kernel);
    EXPECT_GE(kernel->footprint(), std::max<std::size_t>(kernel->code().size(), 64));
    EXPECT_EQ(kernel->code().empty(), backend == Backend::Interpreter);
  }
}

TEST(Backends, AreNamedWhenMissing) {
  for (const Backend backend : kAllBackends) {
    if (has_backend(backend)) continue;
    const std::string name(name_of(backend));
    const Result<Kernel> kernel = compile(kSpecs[0], {.backend = backend});
    ASSERT_FALSE(kernel);
    EXPECT_EQ(kernel.error().front().id, "compile.backend");
    EXPECT_NE(kernel.error().front().message.find("this build has no " + name + " backend"),
              std::string::npos);
  }
}

// The environment is read once, so another process has to.
TEST(BackendsDeathTest, WishesOfTheEnvironmentNeedOneThatHearsThem) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto compile_with = [](const char* wish) {
    ::setenv("PTOJIT_STRATEGY", wish, 1);
    const Result<Kernel> kernel = compile(kSpecs[0]);
    std::exit(kernel ? 0 : kernel.error().front().id == "option.strategy" ? 3 : 4);
  };
  const bool has_xbyak = has_backend(Backend::Xbyak);
  const bool has_lanes = has_xbyak || has_backend(Backend::Llvm);
  EXPECT_EXIT(compile_with("group=4"), ::testing::ExitedWithCode(has_xbyak ? 0 : 3), "");
  EXPECT_EXIT(compile_with("form=lanes"), ::testing::ExitedWithCode(has_lanes ? 0 : 3), "");
}

// The tool says the same, and works on with what there is.
TEST(Backends, AreNamedByTheToolWhenMissing) {
  const auto tool = [](std::vector<const char*> arguments) {
    arguments.insert(arguments.begin(), "ptojit");
    std::ostringstream out;
    std::ostringstream err;
    const int exit = cli::run_tool(static_cast<int>(arguments.size()), arguments.data(), out, err);
    return std::pair(exit, err.str());
  };
  EXPECT_EQ(tool({"plan", kSpecs[0], "--backend", "auto"}).first, 0);
  for (const Backend backend : kAllBackends) {
    const std::string name(name_of(backend));
    const auto [exit, said] = tool({"plan", kSpecs[0], "--backend", name.c_str()});
    EXPECT_EQ(exit, has_backend(backend) ? 0 : 2);
    EXPECT_EQ(said.find("this build has no " + name) == std::string::npos, has_backend(backend));
  }
  const auto [exit, said] = tool({"emit", kSpecs[0], "--form", "llvm-ir"});
  EXPECT_EQ(exit, has_backend(Backend::Llvm) ? 0 : 2) << said;
}

}  // namespace
}  // namespace pto::jit::tests

// Wishes about strategies: their text, and what becomes of them.
#include <gtest/gtest.h>

#include "ir/parts.h"
#include "ir/spec_text.h"
#include "jit/backends/xbyak/strategy.h"
#include "jit/compile/compile.h"
#include "runtime/host/host_probe.h"
#include "targets/planner.h"
#include "tests/style/tree.h"
#include "tests/support/grid.h"
#include "tests/support/paths.h"
#include "tests/xbyak/code_levels.h"
#include "tests/xbyak/compiled_levels.h"
#include "tests/xbyak/strategies.h"

namespace pto::jit {
namespace {

constexpr std::string_view kRow =
    "a5:mscatter.row.clamp src=f32[8x32] idx=i32[1x8] table=f32[64x32]";
constexpr std::string_view kElem = "a5:mgather.elem dst=f32[8x32] idx=i32[8x32] table=f32[4096]";

KernelPlan plan_of(std::string_view text) { return make_plan(*verify(*parse(text))); }

HostFeatures full_host() { return tests::host_with(FeatureLevel::Avx512); }

TEST(StrategyWish, IsReadAsItIsPrinted) {
  for (const std::string_view text :
       {"", "form=gather", "form=lanes,group=4",
        "prefetch=16,aside=64,over=32,vector=0,scan=1,strip=64,halves=64,whole=1,backward=200,"
        "stream=0,string=4096",
        "form=batches,group=8,prefetch=1,lines=64,backward=1,stream=1,string=1"}) {
    const Result<StrategyWish> wish = parse_wish(text);
    ASSERT_TRUE(wish) << text;
    EXPECT_EQ(print(*wish), text);
  }
}

TEST(StrategyWish, NonsenseIsNamed) {
  for (const std::string_view text :
       {"form", "form=fast", "group=", "group=99", "group=-1", "group=4,group=8", "speed=1",
        "string=x", "prefetch=129", "lines=0", "aside=513", "over=513", "vector=2", "whole=2",
        "scan=2", "strip=257", "halves=1025"}) {
    const Result<StrategyWish> wish = parse_wish(text);
    ASSERT_FALSE(wish) << text;
    EXPECT_EQ(wish.error()[0].id, "option.strategy");
  }
}

// Groups of other sizes would read indices in pairs or vectors that go past the tile's end.
TEST(StrategyWish, OfAGroupThatCodeCannotTakeIsRefusedEverywhere) {
  const KernelSpec spec = *parse("a2a3:mscatter.elem src=i32[3x8] idx=i32[3x8] table=i32[64]");
  for (std::int64_t group = 0; group <= 17; ++group) {
    const bool is_taken = group == 1 || group == 4 || group == 8;
    const std::string text = "group=" + std::to_string(group);
    EXPECT_EQ(parse_wish(text).has_value(), is_taken) << text;
    const Result<Kernel> kernel = compile(spec, {.strategy = {.group = group}});
    EXPECT_EQ(kernel.has_value(), is_taken) << text;
    if (is_taken || kernel) continue;
    EXPECT_EQ(kernel.error()[0].id, "option.strategy");
    EXPECT_EQ(kernel.error()[0].message,
              "'" + text + "' is not a choice of strategy; group is 1, 4 or 8");
  }
}

TEST(StrategyWish, NumbersOutOfRangeAreRefused) {
  const KernelSpec spec = *parse(kRow);
  for (const StrategyWish& wish :
       {StrategyWish{.prefetch = 129}, StrategyWish{.prefetch = -1}, StrategyWish{.lines = 0},
        StrategyWish{.lines = 65}, StrategyWish{.backward = -1}, StrategyWish{.stream_from = -1},
        StrategyWish{.string_from = (std::int64_t{1} << 47) + 1}}) {
    const Result<Kernel> kernel = compile(spec, {.strategy = wish});
    ASSERT_FALSE(kernel) << print(wish);
    EXPECT_EQ(kernel.error()[0].id, "option.strategy");
  }
}

TEST(StrategyWish, OfTheEnvironmentIsCheckedToo) {
  const style::Outcome refused =
      style::run("PTOJIT_STRATEGY=group=3 " + style::quoted(tests::tool_path()) + " plan '" +
                 std::string(kRow) + "' --backend auto");
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_NE(refused.output.find("error[env.strategy]: PTOJIT_STRATEGY is 'group=3'"),
            std::string::npos)
      << refused.output;
}

TEST(StrategyWish, IsGrantedWhereItCanBe) {
  const KernelPlan elements = plan_of(kElem);
  EXPECT_EQ(choose_strategy(elements, full_host()).form, UnitForm::Gather);
  EXPECT_EQ(choose_strategy(elements, full_host(), {.form = UnitForm::Lanes}).form,
            UnitForm::Lanes);
  EXPECT_EQ(choose_strategy(elements, full_host(), {.form = UnitForm::Scatter}).form,
            UnitForm::Gather);
  EXPECT_EQ(choose_strategy(plan_of(kRow), full_host(), {.group = 1}).group, 1);
}

// No wish asks for more registers than there are.
TEST(StrategyWish, IsWrittenForEveryKernelAndEveryPart) {
  std::size_t kernels = 0;
  for (const tests::GridCase& one : tests::runnable_grid()) {
    const KernelPlan whole = make_plan(*verify(one.spec));
    for (const KernelPlan& plan : {whole, part_plan(whole)}) {
      for (const FeatureLevel level : tests::kCodeLevels) {
        const HostFeatures host = tests::host_with(level);
        for (const StrategyWish& wish : tests::wishes_for(plan, host)) {
          ASSERT_FALSE(tests::assembled(plan, choose_strategy(plan, host, wish)).empty())
              << print(plan);
          ++kernels;
        }
      }
    }
  }
  EXPECT_GT(kernels, 100000u);
}

// Seen slots, and a strip in each of several loops.
TEST(StrategyWish, NeedsNoMoreStackThanThereIs) {
  const StrategyWish wish = *parse_wish("prefetch=0,scan=1,strip=256,backward=1,stream=1");
  for (const std::string_view text :
       {"a5:mscatter.row.clamp src=f32[512x64] idx=i32[1x512] table=f32[?x64]",
        "a5:mscatter.row.wrap src=f32[512x64|?x64] idx=i32[1x512|1x?] table=f32[?x64]"}) {
    EXPECT_TRUE(tests::compiled_at_levels(*parse(text), wish)) << text;
  }
}

TEST(StrategyWish, SlowGathersAreLeftAlone) {
  HostFeatures host = full_host();
  host.fast_gather = false;
  EXPECT_EQ(choose_strategy(plan_of(kElem), host).form, UnitForm::Picks);
}

TEST(StrategyWish, AKernelMadeToOneIsNotCached) {
  const KernelSpec spec = *parse("a5:mscatter.row src=f32[8x24] idx=i32[1x8] table=f32[63x24]");
  const std::size_t before = cache_statistics().entries;
  const Result<Kernel> wished =
      compile(spec, {.backend = Backend::Xbyak, .strategy = {.group = 1}});
  ASSERT_TRUE(wished);
  EXPECT_EQ(cache_statistics().entries, before);
}

TEST(HostProbe, FillsInOnlyWhatItMeasures) {
  HostFeatures host = host_features();
  host.string_from = 0;
  probe(host);
  EXPECT_EQ(host.avx2, host_features().avx2);
  EXPECT_EQ(host.string_from >= 4096, host.avx2);
  HostFeatures plain;
  probe(plain);
  EXPECT_EQ(plain, HostFeatures{});
}

}  // namespace
}  // namespace pto::jit

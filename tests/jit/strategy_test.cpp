// Wishes about strategies: their text, and what becomes of them.
#include "jit/xbyak/strategy.h"

#include <gtest/gtest.h>

#include "ir/spec_text.h"
#include "jit/compile.h"
#include "runtime/host/host_probe.h"
#include "targets/planner.h"

namespace pto::jit {
namespace {

constexpr std::string_view kRow =
    "a5:mscatter.row.clamp src=f32[8x32] idx=i32[1x8] table=f32[64x32]";
constexpr std::string_view kElem = "a5:mgather.elem dst=f32[8x32] idx=i32[8x32] table=f32[4096]";

KernelPlan plan_of(std::string_view text) { return make_plan(*verify(*parse(text))); }

HostFeatures full_host() {
  HostFeatures host;
  for (const auto feature :
       {&HostFeatures::bmi2, &HostFeatures::avx2, &HostFeatures::f16c, &HostFeatures::avx512f,
        &HostFeatures::avx512bw, &HostFeatures::avx512dq, &HostFeatures::avx512vl,
        &HostFeatures::avx512cd, &HostFeatures::fast_gather})
    host.*feature = true;
  return host;
}

TEST(StrategyWish, IsReadAsItIsPrinted) {
  for (const std::string_view text :
       {"", "form=gather", "form=lanes,group=4", "prefetch=16,backward=200,stream=0,string=4096",
        "form=batches,group=8,prefetch=1,backward=1,stream=1,string=1"}) {
    const Result<StrategyWish> wish = parse_wish(text);
    ASSERT_TRUE(wish) << text;
    EXPECT_EQ(print(*wish), text);
  }
}

TEST(StrategyWish, NonsenseIsNamed) {
  for (const std::string_view text : {"form", "form=fast", "group=", "group=99", "group=-1",
                                      "group=4,group=8", "speed=1", "string=x", "prefetch=65"}) {
    const Result<StrategyWish> wish = parse_wish(text);
    ASSERT_FALSE(wish) << text;
    EXPECT_EQ(wish.error()[0].id, "option.strategy");
  }
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

TEST(StrategyWish, SlowGathersAreLeftAlone) {
  HostFeatures host = full_host();
  host.fast_gather = false;
  EXPECT_EQ(choose_strategy(plan_of(kElem), host).form, UnitForm::Lanes);
}

TEST(StrategyWish, AKernelMadeToOneIsNotCached) {
  const KernelSpec spec = *parse("a5:mscatter.row src=f32[8x24] idx=i32[1x8] table=f32[63x24]");
  const std::size_t before = kernel_cache().statistics().entries;
  const Result<Kernel> wished =
      compile(spec, {.backend = Backend::Xbyak, .strategy = {.group = 1}});
  ASSERT_TRUE(wished);
  EXPECT_EQ(kernel_cache().statistics().entries, before);
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

#include "runtime/host/host_features.h"

#include <gtest/gtest.h>

#include <fstream>

namespace pto::jit {
namespace {

// Of x86-64.
HostFeatures everything() {
  HostFeatures all;
  for (const auto is_on :
       {&HostFeatures::bmi2, &HostFeatures::avx2, &HostFeatures::f16c, &HostFeatures::fma,
        &HostFeatures::avx512f, &HostFeatures::avx512bw, &HostFeatures::avx512dq,
        &HostFeatures::avx512vl, &HostFeatures::avx512cd, &HostFeatures::avx512fp16,
        &HostFeatures::fast_gather, &HostFeatures::amd_core, &HostFeatures::wide_core}) {
    all.*is_on = true;
  }
  return all;
}

HostFeatures all_of_aarch64() {
  HostFeatures all;
  all.neon = all.fp16 = all.sve = all.sve2 = true;
  all.sve_bytes = 32;
  return all;
}

TEST(HostFeatures, AreReadOnceAndHaveCacheSizes) {
  const HostFeatures& host = host_features();
  EXPECT_EQ(&host, &host_features());
  EXPECT_GE(host.l1d, std::size_t{4} << 10);
  EXPECT_GE(host.l2, host.l1d);
  EXPECT_GT(host.l3, 0U);
}

TEST(HostFeatures, TakeTheLastCacheAsOneCoreSeesIt) {
  std::ifstream in("/sys/devices/system/cpu/cpu0/cache/index3/size");
  std::size_t kilobytes = 0;
  if (!(in >> kilobytes)) GTEST_SKIP() << "the system does not tell the size of an L3 cache";
  EXPECT_EQ(host_features().l3, kilobytes << 10);
}

#if defined(__x86_64__)
TEST(HostFeatures, AgreeWithTheCompilersOwnReading) {
  const HostFeatures& host = host_features();
  EXPECT_EQ(host.bmi2, __builtin_cpu_supports("bmi2") != 0);
  EXPECT_EQ(host.avx2, __builtin_cpu_supports("avx2") != 0);
  EXPECT_EQ(host.fma, __builtin_cpu_supports("fma") != 0);
  EXPECT_EQ(host.avx512f, __builtin_cpu_supports("avx512f") != 0);
  EXPECT_EQ(host.avx512bw, __builtin_cpu_supports("avx512bw") != 0);
  EXPECT_EQ(host.avx512dq, __builtin_cpu_supports("avx512dq") != 0);
  EXPECT_EQ(host.avx512vl, __builtin_cpu_supports("avx512vl") != 0);
  EXPECT_EQ(host.avx512cd, __builtin_cpu_supports("avx512cd") != 0);
}
#endif

TEST(HostFeatures, LevelsMaskWhatIsAboveThem) {
  const HostFeatures all = everything();
  EXPECT_EQ(with_level(all, FeatureLevel::Native), all);

  const HostFeatures avx512 = with_level(all, FeatureLevel::Avx512);
  EXPECT_TRUE(avx512.avx512f && avx512.avx512cd && avx512.avx2);
  EXPECT_FALSE(avx512.avx512fp16);

  const HostFeatures avx2 = with_level(all, FeatureLevel::Avx2);
  EXPECT_TRUE(avx2.avx2 && avx2.f16c && avx2.fma && avx2.bmi2);
  EXPECT_FALSE(avx2.avx512f || avx2.avx512vl);

  EXPECT_EQ(with_level(all, FeatureLevel::Baseline), HostFeatures{});
}

TEST(HostFeatures, LevelsOfAarch64MaskWhatIsAboveThem) {
  const HostFeatures all = all_of_aarch64();
  EXPECT_EQ(with_level(all, FeatureLevel::Native), all);
  EXPECT_EQ(with_level(all, FeatureLevel::Sve2), all);
  const HostFeatures sve = with_level(all, FeatureLevel::Sve);
  EXPECT_TRUE(sve.sve && sve.fp16 && sve.sve_bytes == 32);
  EXPECT_FALSE(sve.sve2);
  HostFeatures least;
  least.neon = true;
  EXPECT_EQ(with_level(all, FeatureLevel::Neon), least);
  EXPECT_EQ(with_level(all, FeatureLevel::Baseline), least);
}

TEST(HostFeatures, LevelsOfAnotherArchitectureKeepWhatAHostBeganWith) {
  EXPECT_EQ(with_level(everything(), FeatureLevel::Sve2), HostFeatures{});
  EXPECT_EQ(with_level(all_of_aarch64(), FeatureLevel::Avx512),
            with_level(all_of_aarch64(), FeatureLevel::Neon));
}

TEST(HostFeatures, ALevelBelongsToAnArchitecture) {
  EXPECT_EQ(architecture_of(everything()), Architecture::X86_64);
  EXPECT_EQ(architecture_of(all_of_aarch64()), Architecture::Aarch64);
  EXPECT_EQ(why_without(all_of_aarch64(), FeatureLevel::Sve2), "");
  EXPECT_EQ(why_without(all_of_aarch64(), FeatureLevel::Avx2),
            "avx2 is a level of x86-64, and this host is aarch64");
  EXPECT_EQ(why_without(everything(), FeatureLevel::Neon),
            "neon is a level of aarch64, and this host is x86-64");
  EXPECT_EQ(why_without(HostFeatures{}, FeatureLevel::Avx2), "this host cannot run code for avx2");
  EXPECT_TRUE(is_known_here(FeatureLevel::Baseline) && is_known_here(FeatureLevel::Native));
  EXPECT_NE(is_known_here(FeatureLevel::Avx2), is_known_here(FeatureLevel::Neon));
}

TEST(HostFeatures, LevelsAddNothing) {
  EXPECT_EQ(with_level(HostFeatures{}, FeatureLevel::Avx512), HostFeatures{});
}

TEST(HostFeatures, ALevelIsThereOnlyWhenAllOfItIs) {
  HostFeatures host = everything();
  EXPECT_TRUE(has_level(host, FeatureLevel::Avx512));
  host.avx512fp16 = host.fast_gather = false;
  EXPECT_TRUE(has_level(host, FeatureLevel::Avx512));
  host.avx512dq = false;
  EXPECT_FALSE(has_level(host, FeatureLevel::Avx512));
  EXPECT_TRUE(has_level(host, FeatureLevel::Avx2));
  host.f16c = false;
  EXPECT_FALSE(has_level(host, FeatureLevel::Avx2));
  EXPECT_TRUE(has_level(HostFeatures{}, FeatureLevel::Baseline));
  EXPECT_TRUE(has_level(HostFeatures{}, FeatureLevel::Native));
}

TEST(HostFeatures, TheBestLevelIsTheHighestThatIsThere) {
  HostFeatures host = everything();
  EXPECT_EQ(best_level(host), FeatureLevel::Avx512);
  host.avx512cd = false;
  EXPECT_EQ(best_level(host), FeatureLevel::Avx2);
  host.fma = false;
  EXPECT_EQ(best_level(host), FeatureLevel::Baseline);
  HostFeatures arm = all_of_aarch64();
  EXPECT_EQ(best_level(arm), FeatureLevel::Sve2);
  arm.sve2 = false;
  EXPECT_EQ(best_level(arm), FeatureLevel::Sve);
  arm.sve = false;
  EXPECT_EQ(best_level(arm), FeatureLevel::Neon);
}

TEST(HostFeatures, BitsTellFeaturesAndSizesApart) {
  const HostFeatures all = everything();
  EXPECT_NE(all.bits(), with_level(all, FeatureLevel::Avx512).bits());
  EXPECT_NE(all.bits(), with_level(all, FeatureLevel::Avx2).bits());
  EXPECT_EQ((all.bits() | all_of_aarch64().bits()) & 0xfffffU, (1U << 17) - 1);
  HostFeatures wider = all_of_aarch64();
  wider.sve_bytes = 64;
  EXPECT_NE(all_of_aarch64().bits(), wider.bits());
  HostFeatures larger = all;
  larger.l2 *= 2;
  EXPECT_NE(all.bits(), larger.bits());
  EXPECT_EQ(all.bits(), everything().bits());
}

TEST(HostFeatures, LevelsHaveNames) {
  for (const FeatureLevel level :
       {FeatureLevel::Native, FeatureLevel::Avx512, FeatureLevel::Avx2, FeatureLevel::Baseline,
        FeatureLevel::Sve2, FeatureLevel::Sve, FeatureLevel::Neon}) {
    EXPECT_EQ(feature_level_named(name_of(level)), level);
    EXPECT_NE(kLevelNames.find(name_of(level)), std::string_view::npos);
  }
  EXPECT_EQ(feature_level_named("AVX2"), std::nullopt);
}

}  // namespace
}  // namespace pto::jit

#include "runtime/host/host_features.h"

#include <gtest/gtest.h>

#include <fstream>

namespace pto::jit {
namespace {

HostFeatures everything() {
  HostFeatures all;
  for (const auto is_on :
       {&HostFeatures::bmi2, &HostFeatures::avx2, &HostFeatures::f16c, &HostFeatures::fma,
        &HostFeatures::avx512f, &HostFeatures::avx512bw, &HostFeatures::avx512dq,
        &HostFeatures::avx512vl, &HostFeatures::avx512cd, &HostFeatures::avx512fp16,
        &HostFeatures::fast_gather}) {
    all.*is_on = true;
  }
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
}

TEST(HostFeatures, BitsTellFeaturesAndSizesApart) {
  const HostFeatures all = everything();
  EXPECT_NE(all.bits(), with_level(all, FeatureLevel::Avx512).bits());
  EXPECT_NE(all.bits(), with_level(all, FeatureLevel::Avx2).bits());
  EXPECT_EQ(all.bits() & 0xffffU, (1U << 11) - 1);
  HostFeatures larger = all;
  larger.l2 *= 2;
  EXPECT_NE(all.bits(), larger.bits());
  EXPECT_EQ(all.bits(), everything().bits());
}

TEST(HostFeatures, LevelsHaveNames) {
  for (const FeatureLevel level :
       {FeatureLevel::Native, FeatureLevel::Avx512, FeatureLevel::Avx2, FeatureLevel::Baseline}) {
    EXPECT_EQ(feature_level_named(name_of(level)), level);
  }
  EXPECT_EQ(feature_level_named("AVX2"), std::nullopt);
}

}  // namespace
}  // namespace pto::jit

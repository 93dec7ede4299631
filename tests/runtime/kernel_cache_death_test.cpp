// What a cache does not take from its own program: it says so and stops.
#include <gtest/gtest.h>

#include "runtime/cache/kernel_cache.h"
#include "tests/runtime/tiny_kernels.h"

namespace pto::jit {
namespace {

using tests::key_numbered;

TEST(KernelCacheDeathTest, RefusesAKeyThatIsNotCanonical) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  KernelCache cache;
  CacheKey key = key_numbered(1);
  key.spec.table.strides = {2080, 2080, 2080, 32, 1};
  EXPECT_DEATH(static_cast<void>(cache.get_or_make(
                   key, []() -> Result<Kernel> { return error("test.failure", "no"); })),
               "not canonical");
}

TEST(KernelCacheDeathTest, RefusesAMakerThatAsksForItself) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  KernelCache cache;
  const CacheKey key = key_numbered(1);
  const auto fail = []() -> Result<Kernel> { return error("test.failure", "no"); };
  EXPECT_DEATH(static_cast<void>(cache.get_or_make(
                   key, [&]() -> Result<Kernel> { return cache.get_or_make(key, fail); })),
               "the very kernel it is making");
}

}  // namespace
}  // namespace pto::jit

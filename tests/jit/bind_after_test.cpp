// Bindings that are seen often get kernels of their own behind the handle for all of them: counted,
// forced, and whatever happens, right.
#include <gtest/gtest.h>

#include <atomic>
#include <numeric>
#include <thread>
#include <vector>

#include "ir/spec_text.h"
#include "jit/calls/parallel/invoke_parallel.h"
#include "jit/compile/compile.h"
#include "tests/runtime/tiny_kernels.h"
#include "tests/support/allocations.h"
#include "tests/support/backends.h"
#include "tests/support/sanitized.h"

namespace pto::jit::tests {
namespace {

constexpr std::string_view kGather =
    "a5:mgather.row.clamp dst=f32[64x32|?x?] idx=i32[1x64|1x?] table=f32[?x?]";

// The gather above, of every second row from the last one on, checked against plain loops.
class Gather {
 public:
  Gather(std::int64_t rows, std::int64_t cols, std::int64_t slots) : rows_(rows), cols_(cols) {
    std::iota(table_.begin(), table_.end(), 1.0f);
    for (std::size_t i = 0; i < index_.size(); ++i) index_[i] = static_cast<std::uint32_t>(2 * i);
    frame_.tile = tile_.data();
    frame_.index = index_.data();
    frame_.table = table_.data();
    set(Dim::DataVr, rows);
    set(Dim::DataVc, cols);
    set(Dim::TableD3, slots);
    set(Dim::TableD4, cols);
  }
  void set(Dim dim, std::int64_t value) { frame_.extents[static_cast<std::size_t>(dim)] = value; }
  std::int64_t get(Dim dim) const { return frame_.extents[static_cast<std::size_t>(dim)]; }

  bool is_right_by(const Kernel& kernel) {
    std::fill(tile_.begin(), tile_.end(), -1.0f);
    kernel(frame_);
    for (std::int64_t r = 0; r < 64; ++r) {
      for (std::int64_t c = 0; c < 32; ++c) {
        if (tile_[static_cast<std::size_t>(r * 32 + c)] != expected(r, c)) return false;
      }
    }
    return true;
  }
  const Frame& frame() const { return frame_; }

 private:
  float expected(std::int64_t r, std::int64_t c) const {
    if (r >= rows_ || c >= cols_) return -1.0f;
    const std::int64_t slot = std::min(2 * r, get(Dim::TableD3) - 1);
    return table_[static_cast<std::size_t>(slot * get(Dim::TableD4) + c)];
  }

  std::int64_t rows_, cols_;
  std::vector<float> table_ = std::vector<float>(64 * 64);
  std::vector<std::uint32_t> index_ = std::vector<std::uint32_t>(64);
  std::vector<float> tile_ = std::vector<float>(64 * 32);
  Frame frame_;
};

Kernel compiled(const CompileOptions& options = {}) {
  const Result<Kernel> kernel = compile(kGather, options);
  EXPECT_TRUE(kernel);
  return *kernel;
}

std::uint64_t bindings() { return cache_statistics().bindings; }

TEST(BindAfter, ABindingSeenOftenIsCountedAndCached) {
  PTOJIT_NEEDS(Backend::Xbyak);
  clear_cache();
  const Kernel kernel = compiled({.backend = Backend::Xbyak});
  const CacheStatistics before = cache_statistics();
  Gather gather(40, 17, 50);
  for (std::uint32_t i = 0; i < kBindAfter / 2; ++i) ASSERT_TRUE(gather.is_right_by(kernel));
  EXPECT_EQ(cache_statistics(), before);
  for (std::uint32_t i = 0; i < kBindAfter; ++i) ASSERT_TRUE(gather.is_right_by(kernel));
  const CacheStatistics after = cache_statistics();
  EXPECT_EQ(after.bindings, before.bindings + 1);
  EXPECT_EQ(after.misses, before.misses + 1);
  EXPECT_EQ(after.entries, before.entries + 1);
  EXPECT_GT(after.bytes, before.bytes);
  EXPECT_TRUE(
      compile("a5:mgather.row.clamp dst=f32[64x32|40x17] idx=i32[1x64|1x40] "
              "table=f32[50x17]",
              {.backend = Backend::Xbyak}));
  EXPECT_EQ(cache_statistics().misses, after.misses);
}

TEST(BindAfter, OnlyXbyakDoesItUnasked) {
  for (const Backend backend : backends_here()) {
    const Kernel kernel = compiled({.backend = backend});
    Gather gather(9, 9, 9);
    const std::uint64_t before = bindings();
    for (std::uint32_t i = 0; i < 2 * kBindAfter; ++i) ASSERT_TRUE(gather.is_right_by(kernel));
    EXPECT_EQ(bindings() - before, backend == Backend::Xbyak ? 1U : 0U) << name_of(backend);
  }
}

TEST(BindAfter, IsForcedAndForbidden) {
  for (const Backend backend : backends_here()) {
    Gather gather(7, 5, 12);
    std::uint64_t before = bindings();
    EXPECT_TRUE(gather.is_right_by(compiled({.backend = backend, .bind_after = 1})));
    EXPECT_EQ(bindings(), before + 1) << name_of(backend);
    before = bindings();
    const Kernel never = compiled({.backend = backend, .bind_after = 0});
    for (int i = 0; i < 1000; ++i) ASSERT_TRUE(gather.is_right_by(never));
    EXPECT_EQ(bindings(), before);
  }
  const Result<Kernel> late = compile(kGather, {.bind_after = kMostBindAfter + 1});
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().front().id, "option.bind_after");
}

TEST(BindAfter, CarriesAWishOver) {
  PTOJIT_NEEDS(Backend::Xbyak);
  const std::uint64_t misses = cache_statistics().misses;
  const std::uint64_t before = bindings();
  Gather gather(30, 8, 60);
  EXPECT_TRUE(gather.is_right_by(compiled({.strategy = {.group = 1}, .bind_after = 1})));
  EXPECT_EQ(bindings(), before + 1);
  EXPECT_EQ(cache_statistics().misses, misses) << "a kernel made to a wish is not cached";
}

TEST(BindAfter, KernelsWithNothingToBindAndPartsAreLeftAlone) {
  const std::uint64_t before = bindings();
  Gather gather(8, 32, 50);
  const Result<Kernel> fixed =
      compile("a5:mgather.row.clamp dst=f32[64x32|8x32] idx=i32[1x64|1x8] table=f32[50x32]",
              {.bind_after = 1});
  ASSERT_TRUE(fixed);
  EXPECT_TRUE(gather.is_right_by(*fixed));
  EXPECT_TRUE(invoke(*parse(kGather), gather.frame(),
                     InvokeOptions{.parallel = {.parts = 3}, .compile = {.bind_after = 1}}));
  EXPECT_EQ(bindings(), before);
}

// A table that is larger than the rule allows is read as its frame says.
TEST(BindAfter, ValuesThatBreakARuleStayGeneralAndAreCounted) {
  const Kernel kernel = compiled({.bind_after = 1});
  Gather gather(10, 20, 30);
  gather.set(Dim::TableD3, INT32_MAX);
  const CacheStatistics before = cache_statistics();
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(gather.is_right_by(kernel));
  EXPECT_EQ(cache_statistics().bindings, before.bindings);
  EXPECT_EQ(cache_statistics().declined_bindings, before.declined_bindings + 1);
}

TEST(BindAfter, NumbersBeyondASpecsAreNotCutToFit) {
  const Kernel kernel = compiled({.bind_after = 1});
  Gather gather(10, 20, (std::int64_t{1} << 32) + 1);
  gather.set(Dim::TableD3, (std::int64_t{1} << 32) + 50);
  const std::uint64_t before = bindings();
  EXPECT_TRUE(gather.is_right_by(kernel));
  EXPECT_EQ(bindings(), before);
}

TEST(BindAfter, OutlivesTheCachesOwnReferences) {
  const Kernel kernel = compiled({.bind_after = 1});
  Gather gather(6, 6, 40);
  Gather other(5, 6, 40);
  EXPECT_TRUE(gather.is_right_by(kernel));
  clear_cache();
  EXPECT_EQ(cache_statistics().entries, 0U);
  for (int i = 0; i < 4; ++i) EXPECT_TRUE(gather.is_right_by(kernel) && other.is_right_by(kernel));
}

TEST(BindAfter, AChildGoesOn) {
  const Kernel kernel = compiled({.bind_after = 1});
  Gather gather(11, 12, 13);
  Gather other(12, 12, 13);
  EXPECT_TRUE(gather.is_right_by(kernel));
  const std::uint64_t before = bindings();
  EXPECT_TRUE(holds_in_child([&] {
    return gather.is_right_by(kernel) && other.is_right_by(kernel) && bindings() == before + 1;
  }));
  EXPECT_TRUE(other.is_right_by(kernel));
}

// Fails at each allocation of making a kernel in turn; whatever is missing, the call is done.
TEST(BindAfter, WithoutMemoryTheGeneralKernelDoesTheCall) {
  if (kIsSanitized) GTEST_SKIP() << "a sanitizer's allocator cannot be made to fail";
  PTOJIT_NEEDS(Backend::Xbyak);
  bool has_own = false;
  std::uint64_t allowed = 0;
  for (; !has_own && allowed < 1000; ++allowed) {
    clear_cache();
    const Kernel kernel = compiled({.backend = Backend::Xbyak, .bind_after = 1});
    Gather gather(20, 20, 20);
    const CacheStatistics before = cache_statistics();
    {
      const FailingAllocations failing(allowed);
      ASSERT_TRUE(gather.is_right_by(kernel)) << allowed;
    }
    has_own = cache_statistics().bindings > before.bindings;
    EXPECT_TRUE(has_own || cache_statistics().declined_bindings > before.declined_bindings);
    ASSERT_TRUE(gather.is_right_by(kernel)) << allowed;
  }
  EXPECT_TRUE(has_own);
  EXPECT_GT(allowed, 4U);
}

TEST(BindAfterThreads, BindingsGetKernelsWhileOthersClearAndEvict) {
  const KernelSpec spec = *parse(kGather);
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 200; ++i) {
        const Result<Kernel> kernel = compile(spec, {.bind_after = 1 + i % 3U});
        Gather gather(1 + (i + t) % 20, 16, 32);
        for (int k = 0; k < 5; ++k) wrong += kernel && gather.is_right_by(*kernel) ? 0 : 1;
        if (i % 50 == t) clear_cache();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace pto::jit::tests

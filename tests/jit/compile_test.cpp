// compile and invoke: one kernel for a spec, found again, right for all values of its dimensions.
#include "jit/compile/compile.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <fstream>
#include <numeric>
#include <thread>
#include <vector>

#include "ir/interpreter.h"
#include "ir/spec_text.h"
#include "targets/planner.h"
#include "tests/support/backends.h"

namespace pto::jit::tests {
namespace {

constexpr std::string_view kGather =
    "a2a3:mgather.row.zero dst=f32[64x32|?x?] idx=i32[1x64|1x?] table=f32[?x?]";

KernelSpec parsed(std::string_view text) {
  const Result<KernelSpec> spec = parse(text);
  EXPECT_TRUE(spec) << text;
  return *spec;
}

// A gather of `rows` rows of `cols` columns from a table of `slots` rows, checked against plain
// loops.
class RuntimeGather {
 public:
  RuntimeGather(std::int64_t rows, std::int64_t cols, std::int64_t slots)
      : rows_(rows),
        cols_(cols),
        slots_(slots),
        table_(static_cast<std::size_t>(slots * cols)),
        index_(64),
        tile_(64 * 32, -1.0f) {
    std::iota(table_.begin(), table_.end(), 1.0f);
    for (std::size_t i = 0; i < index_.size(); ++i)
      index_[i] = static_cast<std::uint32_t>((i * 7 + 3) % static_cast<std::size_t>(slots + 1));
    frame_.tile = tile_.data();
    frame_.index = index_.data();
    frame_.table = table_.data();
    const auto set = [&](Dim dim, std::int64_t value) {
      frame_.extents[static_cast<std::size_t>(dim)] = value;
    };
    for (const auto& [dim, value] : {std::pair{Dim::DataVr, rows},
                                     {Dim::DataVc, cols},
                                     {Dim::IndexVr, std::int64_t{1}},
                                     {Dim::IndexVc, rows},
                                     {Dim::TableD3, slots},
                                     {Dim::TableD4, cols}})
      set(dim, value);
  }
  const Frame& frame() const { return frame_; }
  bool is_right() const {
    for (std::int64_t r = 0; r < 64; ++r) {
      for (std::int64_t c = 0; c < 32; ++c) {
        if (tile_[static_cast<std::size_t>(r * 32 + c)] != expected(r, c)) return false;
      }
    }
    return true;
  }

 private:
  float expected(std::int64_t r, std::int64_t c) const {
    if (r >= rows_ || c >= cols_) return -1.0f;
    const std::int64_t slot = index_[static_cast<std::size_t>(r)];
    return slot < slots_ ? table_[static_cast<std::size_t>(slot * cols_ + c)] : 0.0f;
  }

  std::int64_t rows_, cols_, slots_;
  std::vector<float> table_;
  std::vector<std::uint32_t> index_;
  std::vector<float> tile_;
  Frame frame_;
};

TEST(Compile, OneKernelServesAThousandBindings) {
  clear_cache();
  const std::uint64_t before = cache_statistics().misses;
  const KernelSpec spec = parsed(kGather);
  for (std::int64_t i = 0; i < 1000; ++i) {
    RuntimeGather gather(i % 65, 1 + i % 32, 1 + i % 50);
    ASSERT_TRUE(invoke(spec, gather.frame()));
    ASSERT_TRUE(gather.is_right()) << i;
  }
  EXPECT_EQ(cache_statistics().misses - before, 1u);
}

TEST(Compile, NamesTheBackendItUsed) {
  for (const Backend backend : backends_here()) {
    const Result<Kernel> kernel = compile(kGather, {.backend = backend});
    ASSERT_TRUE(kernel);
    EXPECT_EQ(kernel->backend(), backend);
    EXPECT_EQ(kernel->name(), print(parsed(kGather)));
    RuntimeGather gather(5, 7, 9);
    (*kernel)(gather.frame());
    EXPECT_TRUE(gather.is_right());
  }
}

TEST(Compile, ReturnsDiagnosticsAndForgetsThem) {
  const std::string_view broken =
      "a2a3:mscatter.row.atomic_max src=f32[8x32] idx=i32[1x8] table=f32[64x32]";
  for (int i = 0; i < 2; ++i) {
    const std::uint64_t failures = cache_statistics().failures;
    const Result<Kernel> kernel = compile(broken);
    ASSERT_FALSE(kernel);
    EXPECT_EQ(kernel.error()[0].id, "a2a3.scatter.atomic");
    EXPECT_EQ(cache_statistics().failures, failures + 1);
  }
  EXPECT_FALSE(compile("a5:nonsense"));
}

TEST(Compile, FindsOneKernelUnderAllSpellings) {
  const Result<Kernel> plain =
      compile("a5:mscatter.row src=f32[8x32] idx=i32[1x8] table=f32[64x32]");
  const Result<Kernel> long_winded =
      compile("a5:mscatter.row.last table=f32[1x64x32@9999x32x1] src=f32[8x32|8x32] idx=i32[1x8]");
  ASSERT_TRUE(plain && long_winded);
  EXPECT_EQ(*plain, *long_winded);
}

KernelSpec numbered(int i) {
  KernelSpec spec = parsed("a5:mscatter.elem src=f32[8x32] idx=i32[8x32] table=f32[256]");
  spec.table.shape[4] = 256 + i;
  return spec;
}

std::size_t resident_pages() {
  std::ifstream file("/proc/self/statm");
  std::size_t total = 0;
  std::size_t resident = 0;
  file >> total >> resident;
  return resident;
}

TEST(Compile, KeepsMemoryFlatOverManyKernels) {
  PTOJIT_NEEDS(Backend::Xbyak);
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer holds back what is freed";
#endif
  const auto make = [](int from, int to) {
    for (int i = from; i < to; ++i) ASSERT_TRUE(compile(numbered(i)));
  };
  make(0, 20000);
  const std::size_t before = resident_pages();
  make(20000, 100000);
  EXPECT_LT(resident_pages(), before + 1024) << "pages of 4 KB";
}

TEST(Compile, WorksInParentAndChildAfterFork) {
  ASSERT_TRUE(compile(numbered(0)));
  const auto compile_and_call = [](int from) {
    for (int i = from; i < from + 1000; ++i) {
      const Result<Kernel> kernel = compile(numbered(i));
      if (!kernel) return false;
      std::vector<float> src(256, static_cast<float>(i));
      std::vector<std::uint32_t> idx(256);
      std::iota(idx.begin(), idx.end(), 0u);
      std::vector<float> table(256 + static_cast<std::size_t>(i), -1.0f);
      Frame frame;
      frame.tile = src.data();
      frame.index = idx.data();
      frame.table = table.data();
      (*kernel)(frame);
      if (table[0] != src[0] || table[255] != src[255] || (i > 0 && table[256] != -1.0f))
        return false;
    }
    return true;
  };
  const pid_t child = fork();
  if (child == 0) _exit(compile_and_call(500) ? 0 : 1);
  EXPECT_TRUE(compile_and_call(0));
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

TEST(CompileThreads, CompileCallAndEvictTogether) {
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&wrong, t] {
      const KernelSpec spec = parsed(kGather);
      for (int i = 0; i < 300; ++i) {
        if (!compile(numbered((i * 13 + t) % 500))) ++wrong;
        RuntimeGather gather(i % 65, 1 + i % 32, 1 + i % 50);
        if (!invoke(spec, gather.frame()) || !gather.is_right()) ++wrong;
        if (i % 100 == t) clear_cache();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST(Compile, NeverMapsAPageWritableAndExecutable) {
  ASSERT_TRUE(compile(numbered(1)));
  std::ifstream maps("/proc/self/maps");
  bool has_code = false;
  for (std::string line; std::getline(maps, line);) {
    const std::string rights = line.substr(line.find(' ') + 1, 4);
    EXPECT_FALSE(rights[1] == 'w' && rights[2] == 'x') << line;
    has_code |= rights[2] == 'x';
  }
  EXPECT_TRUE(has_code);
}

TEST(Compile, VerifiesASpecOnceAndOnlyWhereThereIsNoKernelYet) {
  const KernelSpec spec = parsed(kGather);
  const LegalSpec legal = *verify(spec);
  RuntimeGather gather(40, 32, 9);
  clear_cache();
  const std::uint64_t before = rule_passes();
  ASSERT_TRUE(compile(spec));
  EXPECT_EQ(rule_passes() - before, 1u);
  ASSERT_TRUE(compile(spec));
  ASSERT_TRUE(invoke(spec, gather.frame()));
  EXPECT_EQ(rule_passes() - before, 1u);
  clear_cache();
  ASSERT_TRUE(compile(legal));
  EXPECT_EQ(rule_passes() - before, 1u);
}

}  // namespace
}  // namespace pto::jit::tests

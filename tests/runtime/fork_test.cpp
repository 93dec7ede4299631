// Arena and cache on both sides of a fork.
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "runtime/cache/kernel_cache.h"
#include "runtime/code/code_arena.h"
#include "tests/runtime/tiny_kernels.h"
#include "tests/support/sanitized.h"

namespace pto::jit {
namespace {

using tests::call;
using tests::code_returning;
using tests::holds_in_child;

class Fork : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!tests::kRunsTinyCode) GTEST_SKIP() << "the code is for another machine";
  }
};

std::vector<CodeBlock> publish_thousand(CodeArena& arena, std::int32_t first) {
  std::vector<CodeBlock> blocks;
  blocks.reserve(1000);
  for (std::int32_t i = 0; i < 1000; ++i) {
    blocks.push_back(*arena.publish(code_returning(first + i, static_cast<std::size_t>(i) % 100)));
  }
  return blocks;
}

bool are_right(const std::vector<CodeBlock>& blocks, std::int32_t first) {
  for (const CodeBlock& block : blocks) {
    if (call(block) != first++) return false;
  }
  return true;
}

// Makes parent and child take turns.
class Turns {
 public:
  Turns() {
    if (pipe(to_child_) != 0 || pipe(to_parent_) != 0) abort();
  }
  void wake_child() { wake(to_child_[1]); }
  void wait_for_parent() { wait(to_child_[0]); }
  void wake_parent() { wake(to_parent_[1]); }
  void wait_for_child() { wait(to_parent_[0]); }

 private:
  static void wake(int file) {
    if (write(file, "x", 1) != 1) abort();
  }
  static void wait(int file) {
    char mark = 0;
    if (read(file, &mark, 1) != 1) abort();
  }
  int to_child_[2] = {};
  int to_parent_[2] = {};
};

TEST_F(Fork, ParentAndChildPublishAThousandBlocksEach) {
  if (tests::kIsSanitized) GTEST_SKIP() << tests::kNoForks;
  for (const Mapping mapping : {Mapping::Twice, Mapping::OncePerBlock}) {
    CodeArena arena({.mapping = mapping});
    const std::vector<CodeBlock> before = publish_thousand(arena, 0);
    Turns turns;
    std::thread parent([&] {
      turns.wait_for_child();  // both publish at the same time
      const std::vector<CodeBlock> mine = publish_thousand(arena, 50000);
      EXPECT_TRUE(are_right(mine, 50000));
      turns.wake_child();
    });
    EXPECT_TRUE(holds_in_child([&] {
      turns.wake_parent();
      const std::vector<CodeBlock> mine = publish_thousand(arena, 90000);
      turns.wait_for_parent();
      return are_right(mine, 90000) && are_right(before, 0);
    }));
    parent.join();
    EXPECT_TRUE(are_right(before, 0));
  }
}

TEST_F(Fork, TheChildFreesNothingOfTheParents) {
  CodeArena arena({.mapping = Mapping::Twice});
  std::vector<CodeBlock> blocks = publish_thousand(arena, 0);
  const ArenaStatistics before = arena.statistics();
  EXPECT_TRUE(holds_in_child([&] {
    blocks.clear();
    const std::vector<CodeBlock> mine = publish_thousand(arena, 7000);
    return are_right(mine, 7000) && arena.statistics().blocks == 1000;
  }));
  EXPECT_TRUE(are_right(blocks, 0));
  EXPECT_EQ(arena.statistics(), before);
}

TEST_F(Fork, TheParentNeverOverwritesWhatTheChildMayRun) {
  if (tests::kIsSanitized) GTEST_SKIP() << tests::kNoForks;
  CodeArena arena({.mapping = Mapping::Twice});
  std::vector<CodeBlock> blocks = publish_thousand(arena, 0);
  Turns turns;
  std::thread parent([&] {
    turns.wait_for_child();
    blocks.clear();
    EXPECT_TRUE(are_right(publish_thousand(arena, 50000), 50000));
    turns.wake_child();
  });
  EXPECT_TRUE(holds_in_child([&] {
    turns.wake_parent();
    turns.wait_for_parent();
    return are_right(blocks, 0);
  }));
  parent.join();
}

TEST_F(Fork, MemoryAliveAtAForkReturnsWithItsSegment) {
  CodeArena arena({.segment = 4 * page_size(), .mapping = Mapping::Twice});
  std::optional<CodeBlock> old = *arena.publish(code_returning(1, 2 * page_size()));
  const std::byte* place = old->entry();
  EXPECT_TRUE(holds_in_child([] { return true; }));
  std::optional<CodeBlock> young = *arena.publish(code_returning(2));
  old.reset();
  EXPECT_NE(arena.publish(code_returning(3))->entry(), place);
  EXPECT_EQ(arena.statistics().segments, 1U);
  young.reset();
  EXPECT_EQ(arena.statistics(), ArenaStatistics{});
}

TEST_F(Fork, AReservationDoesNotCrossAFork) {
  CodeArena arena({.mapping = Mapping::Twice});
  Result<WritableCode> memory = arena.reserve(64);
  ASSERT_TRUE(memory);
  EXPECT_TRUE(holds_in_child([&] {
    const Result<CodeBlock> block = arena.commit(*std::move(memory), 10);
    return !block && block.error().front().id == "memory.fork";
  }));
  EXPECT_TRUE(arena.commit(*std::move(memory), 10));
}

TEST_F(Fork, GrandchildrenWorkToo) {
  CodeArena arena({.mapping = Mapping::Twice});
  const std::vector<CodeBlock> first = publish_thousand(arena, 0);
  EXPECT_TRUE(holds_in_child([&] {
    const std::vector<CodeBlock> second = publish_thousand(arena, 1000);
    const bool is_fine = holds_in_child([&] {
      const std::vector<CodeBlock> third = publish_thousand(arena, 2000);
      return are_right(first, 0) && are_right(second, 1000) && are_right(third, 2000);
    });
    return is_fine && are_right(second, 1000);
  }));
}

Result<Kernel> make(CodeArena& arena, std::int32_t number) {
  Result<CodeBlock> block = arena.publish(tests::code_storing(number));
  if (!block) return block.error();
  return make_code_kernel(*std::move(block), Backend::Xbyak, std::to_string(number));
}

bool thousand_kernels_are_right(KernelCache& cache, CodeArena& arena, std::int32_t first) {
  for (std::int32_t number = first; number < first + 1000; ++number) {
    const Result<Kernel> kernel =
        cache.get_or_make(tests::key_numbered(number), [&] { return make(arena, number); });
    if (!kernel || tests::number_of(*kernel) != number) return false;
  }
  return true;
}

TEST_F(Fork, ParentAndChildFillTheirCaches) {
  CodeArena arena;
  KernelCache cache({.entries = 1500});
  ASSERT_TRUE(thousand_kernels_are_right(cache, arena, 0));
  EXPECT_TRUE(holds_in_child([&] {
    return thousand_kernels_are_right(cache, arena, 0) &&
           thousand_kernels_are_right(cache, arena, 1000);
  }));
  EXPECT_TRUE(thousand_kernels_are_right(cache, arena, 1000));
  EXPECT_TRUE(thousand_kernels_are_right(cache, arena, 0));
}

TEST_F(Fork, TheChildIsNotHeldUpByThreadsOfTheParent) {
  if (tests::kIsSanitized) GTEST_SKIP() << tests::kNoForks;
  CodeArena arena;
  KernelCache cache({.entries = 16});
  std::atomic<bool> stop = false;
  std::vector<std::thread> threads;
  threads.reserve(3);
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([&, t] {
      for (std::int32_t i = t; !stop; ++i) {
        const std::int32_t number = i % 40;
        static_cast<void>(
            cache.get_or_make(tests::key_numbered(number), [&] { return make(arena, number); }));
      }
    });
  }
  for (int i = 0; i < 30; ++i) {
    EXPECT_TRUE(holds_in_child([&] {
      for (std::int32_t number = 0; number < 60; ++number) {
        const Result<Kernel> kernel =
            cache.get_or_make(tests::key_numbered(number), [&] { return make(arena, number); });
        if (!kernel || tests::number_of(*kernel) != number) return false;
      }
      cache.clear();
      return true;
    })) << i;
  }
  stop = true;
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace pto::jit

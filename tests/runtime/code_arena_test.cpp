// Executable memory: reuse, limits, and no page that is writable and executable.
#include "runtime/code/code_arena.h"

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/runtime/tiny_kernels.h"
#include "tests/support/sanitized.h"

namespace pto::jit {
namespace {

using tests::call;
using tests::code_returning;
using tests::returns;

std::string writable_and_executable_pages() {
  std::ifstream maps("/proc/self/maps");
  std::string found;
  for (std::string line; std::getline(maps, line);) {
    const std::string access = line.substr(line.find(' ') + 1, 4);
    if (access.find('w') != std::string::npos && access.find('x') != std::string::npos) {
      found += line + "\n";
    }
  }
  return found;
}

class CodeArenaOf : public ::testing::TestWithParam<Mapping> {
 protected:
  CodeArena arena{{.mapping = GetParam()}};

  CodeBlock publish(std::int32_t number, std::size_t padding = 0) {
    return *arena.publish(code_returning(number, padding));
  }
};

INSTANTIATE_TEST_SUITE_P(, CodeArenaOf, ::testing::Values(Mapping::Twice, Mapping::OncePerBlock),
                         [](const auto& test) {
                           return test.param == Mapping::Twice ? "MappedTwice" : "MappedOnce";
                         });

TEST_P(CodeArenaOf, PublishesCodeThatRuns) {
  const std::vector<std::byte> code = code_returning(42);
  const Result<CodeBlock> block = arena.publish(code);
  ASSERT_TRUE(block);
  EXPECT_EQ(block->size(), code.size());
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block->entry()) % 64, 0U);
  EXPECT_EQ(std::memcmp(block->entry(), code.data(), code.size()), 0);
  EXPECT_TRUE(returns(*block, 42));
}

struct Renewed {
  const std::byte* begin = nullptr;
  std::ptrdiff_t size = 0;
};
std::vector<Renewed> renewed;  // by the test below; the last is empty: what was fetched is dropped

TEST_P(CodeArenaOf, RenewsInstructionsByEveryViewBeforeCodeIsHandedOut) {
  SystemCalls calls = host_system_calls();
  calls.renew_instructions = [](std::byte* begin, std::byte* end) {
    renewed.push_back({begin, end - begin});
  };
  calls.drop_fetched_instructions = [] { renewed.emplace_back(); };
  renewed.clear();
  CodeArena watched({.mapping = GetParam(), .calls = &calls});
  const std::vector<std::byte> code = code_returning(42);
  const Result<CodeBlock> block = watched.publish(code);
  ASSERT_TRUE(block);
  const bool is_double = GetParam() == Mapping::Twice;
  ASSERT_EQ(renewed.size(), is_double ? 3U : 2U);
  const Renewed& run = renewed[renewed.size() - 2];
  EXPECT_EQ(run.begin, block->entry());
  EXPECT_EQ(renewed.back().begin, nullptr);
  for (std::size_t i = 0; i + 1 < renewed.size(); ++i) {
    EXPECT_EQ(renewed[i].size, static_cast<std::ptrdiff_t>(code.size()));
    EXPECT_EQ(std::memcmp(renewed[i].begin, code.data(), code.size()), 0);
  }
  EXPECT_EQ(renewed.front().begin != block->entry(), is_double);
}

TEST_P(CodeArenaOf, NoPageIsWritableAndExecutable) {
  std::vector<CodeBlock> blocks;
  for (int i = 0; i < 100; ++i) {
    Result<WritableCode> memory = arena.reserve(4096);
    ASSERT_TRUE(memory);
    EXPECT_EQ(writable_and_executable_pages(), "");
    Result<CodeBlock> block = arena.commit(*std::move(memory), 100);
    ASSERT_TRUE(block);
    blocks.push_back(*std::move(block));
    EXPECT_EQ(writable_and_executable_pages(), "");
    if (i % 3 == 0) blocks.erase(blocks.begin());
  }
  EXPECT_EQ(writable_and_executable_pages(), "");
}

TEST_P(CodeArenaOf, CodeCanBeWrittenInPlace) {
  if (!tests::kRunsTinyCode) GTEST_SKIP() << "the code is for another machine";
  Result<WritableCode> memory = arena.reserve(4096);
  ASSERT_TRUE(memory);
  ASSERT_GE(memory->bytes().size(), 4096U);
  const std::vector<std::byte> code = code_returning(17);
  std::memcpy(memory->bytes().data(), code.data(), code.size());
  const Result<CodeBlock> block = arena.commit(*std::move(memory), code.size());
  ASSERT_TRUE(block);
  EXPECT_EQ(call(*block), 17);
  EXPECT_EQ(block->size(), code.size());
}

TEST_P(CodeArenaOf, ResidentMemoryStaysFlat) {
  const std::vector<std::byte> code = code_returning(1, 700);
  const auto cycle = [&](int times) {
    std::vector<std::optional<CodeBlock>> held(16);
    for (int i = 0; i < times; ++i) {
      held[static_cast<std::size_t>(i) % held.size()] = *arena.publish(code);
    }
  };
  cycle(1000);
  const std::size_t before = tests::resident_bytes();
  cycle(100000);
  const std::size_t allowed = std::size_t{256} << 10;
  EXPECT_TRUE(tests::kIsSanitized || tests::resident_bytes() <= before + allowed);
  EXPECT_EQ(arena.statistics().blocks, 0U);
}

TEST_P(CodeArenaOf, BlocksOutliveTheArena) {
  std::optional<CodeBlock> block;
  {
    CodeArena short_lived({.mapping = GetParam()});
    block = *short_lived.publish(code_returning(5));
  }
  EXPECT_TRUE(returns(*block, 5));
}

TEST_P(CodeArenaOf, ServesThreadsAtOnce) {
  if (!tests::kRunsTinyCode) GTEST_SKIP() << "the code is for another machine";
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  threads.reserve(8);
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      std::vector<std::pair<std::int32_t, CodeBlock>> held;
      for (std::int32_t i = 0; i < 500; ++i) {
        const std::int32_t number = t * 1000 + i;
        held.emplace_back(number, publish(number, static_cast<std::size_t>(i) % 300));
        if (i % 3 == 2) held.erase(held.begin());
      }
      for (const auto& [number, block] : held) wrong += call(block) != number;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(arena.statistics().blocks, 0U);
}

TEST(CodeArena, MemoryOfDroppedBlocksIsUsedAgain) {
  CodeArena arena({.mapping = Mapping::Twice});
  std::optional<CodeBlock> first = *arena.publish(code_returning(1));
  const CodeBlock second = *arena.publish(code_returning(2));
  const std::byte* place = first->entry();
  first.reset();
  EXPECT_EQ(arena.publish(code_returning(3))->entry(), place);
}

TEST(CodeArena, NeighbouringFreeBlocksBecomeOne) {
  CodeArena arena({.mapping = Mapping::Twice});
  std::vector<CodeBlock> blocks;
  blocks.reserve(4);
  for (int i = 0; i < 4; ++i) blocks.push_back(*arena.publish(code_returning(i, 58)));
  const std::byte* place = blocks[1].entry();
  blocks.erase(blocks.begin() + 1, blocks.begin() + 3);
  EXPECT_EQ(arena.publish(code_returning(9, 122))->entry(), place);
}

TEST(CodeArena, WhatAReservationDoesNotUseIsFree) {
  CodeArena arena({.mapping = Mapping::Twice});
  const CodeBlock first = *arena.commit(*arena.reserve(100000), 10);
  const CodeBlock second = *arena.publish(code_returning(2));
  EXPECT_EQ(second.entry(), first.entry() + 64);
  const std::byte* place = nullptr;
  {
    const Result<WritableCode> dropped = arena.reserve(64);
    place = second.entry() + 64;
  }
  EXPECT_EQ(arena.publish(code_returning(3))->entry(), place);
  EXPECT_EQ(arena.statistics().blocks, 2U);
}

TEST(CodeArena, KeepsOneUnusedSegment) {
  CodeArena arena({.segment = 4 * page_size(), .mapping = Mapping::Twice});
  const std::vector<std::byte> code = code_returning(1, 3 * page_size());
  std::vector<CodeBlock> blocks;
  blocks.reserve(5);
  for (int i = 0; i < 5; ++i) blocks.push_back(*arena.publish(code));
  EXPECT_EQ(arena.statistics().segments, 5U);
  blocks.clear();
  EXPECT_EQ(arena.statistics().segments, 1U);
  EXPECT_EQ(arena.statistics().mapped, 4 * page_size());
}

TEST(CodeArena, TakesBlocksLargerThanASegment) {
  CodeArena arena({.segment = page_size(), .mapping = Mapping::Twice});
  const CodeBlock block = *arena.publish(code_returning(8, 10 * page_size()));
  EXPECT_TRUE(returns(block, 8));
}

}  // namespace
}  // namespace pto::jit

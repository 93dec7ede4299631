// What the arena says when the system, or its own limit, refuses memory.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cerrno>
#include <optional>
#include <vector>

#include "runtime/code/code_arena.h"
#include "tests/runtime/tiny_kernels.h"

namespace pto::jit {
namespace {

using tests::code_returning;
using tests::returns;

SystemCalls without_memfd() {
  SystemCalls calls = host_system_calls();
  calls.memfd_create = [](const char*, unsigned) {
    errno = EPERM;
    return -1;
  };
  return calls;
}

SystemCalls without_file_size() {
  SystemCalls calls = host_system_calls();
  calls.ftruncate = [](int, off_t) {
    errno = ENOSPC;
    return -1;
  };
  return calls;
}

SystemCalls without_executable_views() {
  SystemCalls calls = host_system_calls();
  calls.mmap = [](void* at, std::size_t size, int protection, int flags, int file, off_t offset) {
    if ((protection & PROT_EXEC) == 0) return ::mmap(at, size, protection, flags, file, offset);
    errno = EACCES;
    return MAP_FAILED;
  };
  return calls;
}

SystemCalls without_mmap() {
  SystemCalls calls = host_system_calls();
  calls.mmap = [](void*, std::size_t, int, int, int, off_t) {
    errno = ENOMEM;
    return MAP_FAILED;
  };
  return calls;
}

SystemCalls without_mprotect() {
  SystemCalls calls = without_memfd();
  calls.mprotect = [](void*, std::size_t, int) {
    errno = EACCES;
    return -1;
  };
  return calls;
}

std::string id_of_failure(CodeArena& arena, std::size_t bytes = 0) {
  const Result<CodeBlock> block = arena.publish(code_returning(1, bytes));
  return block ? "" : block.error().front().id;
}

TEST(CodeArenaRefused, FallsBackToAMappingPerBlock) {
  for (const SystemCalls& calls :
       {without_memfd(), without_file_size(), without_executable_views()}) {
    CodeArena arena({.calls = &calls});
    std::optional<CodeBlock> block = *arena.publish(code_returning(3));
    const CodeBlock other = *arena.publish(code_returning(4));
    EXPECT_EQ(arena.statistics().segments, 2U);
    EXPECT_TRUE(returns(*block, 3) && returns(other, 4));
    block.reset();
    EXPECT_EQ(arena.statistics().segments, 1U);
  }
}

TEST(CodeArenaRefused, NamesTheCallWhenThereIsNoFallback) {
  const SystemCalls memfd = without_memfd();
  const SystemCalls size = without_file_size();
  const SystemCalls views = without_executable_views();
  CodeArena no_memfd({.mapping = Mapping::Twice, .calls = &memfd});
  CodeArena no_size({.mapping = Mapping::Twice, .calls = &size});
  CodeArena no_views({.mapping = Mapping::Twice, .calls = &views});
  EXPECT_EQ(id_of_failure(no_memfd), "memory.memfd");
  EXPECT_EQ(id_of_failure(no_size), "memory.memfd");
  EXPECT_EQ(id_of_failure(no_views), "memory.mmap");
  EXPECT_EQ(no_views.statistics(), ArenaStatistics{});
}

TEST(CodeArenaRefused, ReportsBothAttempts) {
  SystemCalls calls = without_mmap();
  calls.memfd_create = without_memfd().memfd_create;
  CodeArena arena({.calls = &calls});
  const Result<CodeBlock> block = arena.publish(code_returning(1));
  ASSERT_FALSE(block);
  ASSERT_EQ(block.error().size(), 2U);
  EXPECT_EQ(block.error()[0].id, "memory.memfd");
  EXPECT_EQ(block.error()[1].id, "memory.mmap");
  EXPECT_NE(block.error()[1].message.find("Cannot allocate memory"), std::string::npos)
      << block.error()[1].message;
}

TEST(CodeArenaRefused, RefusedMprotectIsAnErrorAndGivesTheMemoryBack) {
  const SystemCalls calls = without_mprotect();
  CodeArena arena({.calls = &calls});
  EXPECT_EQ(id_of_failure(arena), "memory.mprotect");
  EXPECT_EQ(arena.statistics(), ArenaStatistics{});
}

TEST(CodeArenaRefused, WorksAgainWhenTheSystemRelents) {
  static bool refuse = false;
  refuse = true;
  SystemCalls calls = host_system_calls();
  calls.mmap = [](void* at, std::size_t size, int protection, int flags, int file, off_t offset) {
    if (!refuse) return ::mmap(at, size, protection, flags, file, offset);
    errno = ENOMEM;
    return MAP_FAILED;
  };
  CodeArena arena({.calls = &calls});
  EXPECT_EQ(id_of_failure(arena), "memory.mmap");
  refuse = false;
  EXPECT_EQ(id_of_failure(arena), "");
}

TEST(CodeArenaRefused, AFullArenaIsAnErrorUntilSomethingGoes) {
  for (const Mapping mapping : {Mapping::Twice, Mapping::OncePerBlock}) {
    CodeArena arena({.limit = 4 * page_size(), .mapping = mapping});
    std::vector<CodeBlock> blocks;
    blocks.reserve(4);
    for (int i = 0; i < 4; ++i) {
      blocks.push_back(*arena.publish(code_returning(i, page_size() - 64)));
    }
    const Result<CodeBlock> refused = arena.publish(code_returning(5));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().front().id, "memory.full");
    EXPECT_NE(refused.error().front().message.find(std::to_string(4 * page_size())),
              std::string::npos);
    blocks.pop_back();
    EXPECT_EQ(id_of_failure(arena), "");
  }
}

TEST(CodeArenaRefused, AnUnusedSegmentMakesRoomForALargerOne) {
  CodeArena arena({.limit = 4 * page_size(), .segment = page_size(), .mapping = Mapping::Twice});
  EXPECT_EQ(id_of_failure(arena), "");
  EXPECT_EQ(arena.statistics().mapped, page_size());
  EXPECT_EQ(id_of_failure(arena, 4 * page_size() - 64), "");
}

TEST(CodeArenaRefused, ARequestBeyondAllMemoryIsFull) {
  CodeArena arena;
  for (const std::size_t bytes : {SIZE_MAX, SIZE_MAX - 100, SIZE_MAX / 2}) {
    const Result<WritableCode> memory = arena.reserve(bytes);
    ASSERT_FALSE(memory);
    EXPECT_EQ(memory.error().front().id, "memory.full");
  }
}

}  // namespace
}  // namespace pto::jit

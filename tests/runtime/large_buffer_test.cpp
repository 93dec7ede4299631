// Memory on large pages: aligned, zero, all there, or a diagnostic.
#include "runtime/large_buffer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <utility>

namespace pto::jit {
namespace {

std::uintptr_t address_of(const LargeBuffer& buffer) {
  return reinterpret_cast<std::uintptr_t>(buffer.data());
}

bool is_zero(const LargeBuffer& buffer) {
  return std::ranges::all_of(buffer.bytes(), [](std::byte b) { return b == std::byte{0}; });
}

TEST(LargeBuffer, IsAlignedZeroAndWritableAtEverySize) {
  constexpr std::size_t kLarge = LargeBuffer::kLargePage;
  for (const std::size_t bytes :
       {std::size_t{1}, std::size_t{63}, std::size_t{64}, std::size_t{4097}, kLarge - 1, kLarge,
        kLarge + 1, 5 * kLarge + 3}) {
    const Result<LargeBuffer> buffer = LargeBuffer::make(bytes);
    ASSERT_TRUE(buffer) << bytes;
    EXPECT_EQ(buffer->size(), bytes);
    EXPECT_EQ(address_of(*buffer) % LargeBuffer::kAlignment, 0U) << bytes;
    if (bytes >= kLarge) {
      EXPECT_EQ(address_of(*buffer) % kLarge, 0U) << bytes;
    }
    EXPECT_TRUE(is_zero(*buffer)) << bytes;
    std::ranges::fill(buffer->bytes(), std::byte{0xff});
  }
}

TEST(LargeBuffer, OfNoBytesIsEmpty) {
  const Result<LargeBuffer> buffer = LargeBuffer::make(0);
  ASSERT_TRUE(buffer);
  EXPECT_EQ(buffer->size(), 0U);
  EXPECT_EQ(buffer->data(), nullptr);
}

TEST(LargeBuffer, SaysWhenThereIsNotEnoughMemory) {
  for (const std::size_t bytes :
       {std::numeric_limits<std::size_t>::max(), std::numeric_limits<std::size_t>::max() / 2,
        std::size_t{1} << 60}) {
    const Result<LargeBuffer> buffer = LargeBuffer::make(bytes);
    ASSERT_FALSE(buffer) << bytes;
    ASSERT_EQ(buffer.error().size(), 1U);
    EXPECT_EQ(buffer.error()[0].id, "memory.allocate");
    EXPECT_NE(buffer.error()[0].message.find(std::to_string(bytes)), std::string::npos);
  }
}

TEST(LargeBuffer, MovesItsMemoryAndLeavesNothing) {
  Result<LargeBuffer> made = LargeBuffer::make(100);
  ASSERT_TRUE(made);
  LargeBuffer first = std::move(*made);
  std::byte* data = first.data();
  LargeBuffer second = std::move(first);
  EXPECT_EQ(second.data(), data);
  EXPECT_EQ(first.data(), nullptr);  // NOLINT(bugprone-use-after-move)
  EXPECT_EQ(first.size(), 0U);
  Result<LargeBuffer> other = LargeBuffer::make(3 * LargeBuffer::kLargePage);
  ASSERT_TRUE(other);
  second = std::move(*other);
  EXPECT_EQ(second.size(), 3 * LargeBuffer::kLargePage);
  EXPECT_TRUE(is_zero(second));
}

std::string text_of(const char* path) {
  std::ostringstream out;
  out << std::ifstream(path).rdbuf();
  return out.str();
}

// A line of what the system says about the mapping around `at`, without its name.
std::string fact_of(std::uintptr_t at, const std::string& name) {
  std::ifstream maps("/proc/self/smaps");
  std::string line;
  bool is_here = false;
  while (std::getline(maps, line)) {
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
    char dash = 0;
    std::istringstream words(line);
    if (words >> std::hex >> begin >> dash >> end && dash == '-') is_here = begin <= at && at < end;
    if (is_here && line.starts_with(name)) return line.substr(name.size());
  }
  return {};
}

TEST(LargeBuffer, AsksForLargePagesAndConsistsOfThemWhereTheSystemGivesThem) {
  const std::string setting = text_of("/sys/kernel/mm/transparent_hugepage/enabled");
  if (setting.empty() || setting.find("[never]") != std::string::npos) {
    GTEST_SKIP() << "the system gives no large pages; its setting is '" << setting << "'";
  }
  const Result<LargeBuffer> buffer = LargeBuffer::make(8 * LargeBuffer::kLargePage);
  ASSERT_TRUE(buffer);
  std::ranges::fill(buffer->bytes(), std::byte{1});
  const std::string flags = fact_of(address_of(*buffer), "VmFlags:");
  if (flags.empty()) GTEST_SKIP() << "the system does not tell about its pages";
  EXPECT_NE((flags + " ").find(" hg "), std::string::npos) << flags;
  const std::string kilobytes = fact_of(address_of(*buffer), "AnonHugePages:");
  if (std::stoll(kilobytes) == 0) GTEST_SKIP() << "the system had no large page left";
  EXPECT_EQ(std::stoll(kilobytes) % 2048, 0) << kilobytes;
}

}  // namespace
}  // namespace pto::jit

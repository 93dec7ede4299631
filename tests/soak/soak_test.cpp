// The soak, as long as asked: two seconds, thirty where samples are full, or PTOJIT_SOAK seconds.
#include "tests/soak/soak.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <span>
#include <string>

#include "ir/operation.h"
#include "jit/backends/backend.h"
#include "tests/support/sample_size.h"

namespace pto::jit::tests {
namespace {

// By how much what is held may vary.
constexpr std::size_t kBytes = std::size_t{8} << 20;
constexpr std::size_t kMappings = 16;

std::chrono::seconds asked_time() {
  if (const char* asked = std::getenv("PTOJIT_SOAK")) return std::chrono::seconds(std::atoi(asked));
  return std::chrono::seconds(taken({2, 30}, "seconds of soak"));
}

// The largest of some rounds, so that one that happened to be small decides nothing.
std::size_t most(std::span<const Holdings> rounds, std::size_t Holdings::* number) {
  std::size_t out = 0;
  for (const Holdings& round : rounds) out = std::max(out, round.*number);
  return out;
}

// One half of the rounds against the other.
void expect_flat(std::span<const Holdings> rounds, std::size_t Holdings::* number,
                 std::string_view what, std::size_t slack) {
  const std::size_t early = most(rounds.first(rounds.size() / 2), number);
  const std::size_t late = most(rounds.subspan(rounds.size() / 2), number);
  std::printf("%s: %zu in the first half, %zu in the second\n", std::string(what).c_str(), early,
              late);
  EXPECT_LE(late, early + slack) << what;
}

TEST(Soak, EightThreadsLeaveTheRightMemoryAndNothingBehind) {
  const SoakReport report = soak(asked_time());
  std::printf("%s", print(report).c_str());
  EXPECT_TRUE(report.wrong.empty());
  for (const Operation& operation : kOperations) {
    const std::string word = std::string(operation.form) + " ";
    EXPECT_TRUE(report.calls.contains(word + std::string(name_of(best_backend())))) << word;
  }
  EXPECT_GT(report.evictions, 0u);
  EXPECT_GT(report.clears, 0u);
  EXPECT_EQ(report.forks > 0, kForks);
  ASSERT_GE(report.rounds.size(), 2u);
  expect_flat(report.rounds, &Holdings::files, "open files", 0);
  if (kIsSanitized) {
    std::printf("no forks, and memory is not judged: a sanitizer locks and keeps what is freed\n");
    return;
  }
  expect_flat(report.rounds, &Holdings::mappings, "mappings", kMappings);
  expect_flat(report.rounds, &Holdings::resident, "bytes of resident memory", kBytes);
}

}  // namespace
}  // namespace pto::jit::tests

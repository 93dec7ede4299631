// What LLVM's x86-64 code does to memory: kernels of the grid, whole, in parts and as audits, and
// scatters into tables so large that stores go around the caches.
#include <gtest/gtest.h>

#include <algorithm>

#include "ir/parts.h"
#include "ir/spec_text.h"
#include "jit/backends/llvm/llvm_backend.h"
#include "targets/planner.h"
#include "tests/llvm/elf_symbols.h"
#include "tests/machine_code/memory_use.h"
#include "tests/support/cells.h"
#include "tests/support/sample_size.h"

namespace pto::jit::tests {
namespace {

constexpr std::size_t kEvery = 200;  // of the grid's cases in a short sample
constexpr std::size_t kShards = 4;
constexpr std::array kLevels = {FeatureLevel::Avx512, FeatureLevel::Avx2, FeatureLevel::Baseline};
constexpr int kMostShown = 10;

std::string complaint_about_symbols(std::span<const std::byte> object) {
  for (const std::string& symbol : undefined_symbols(object)) {
    if (symbol != "memcpy" && symbol != "memset") return "needs " + symbol;
  }
  return {};
}

class Check {
 public:
  Check() {
    for (const FeatureLevel level : kLevels)
      machines_.push_back(
          *llvm_backend::LlvmJit::make(*llvm_backend::machine_at("x86_64-linux-gnu", level)));
  }

  void check(const KernelPlan& plan, std::size_t machine) {
    const auto object = machines_[machine].compile(plan, "kernel");
    ASSERT_TRUE(object) << render(object.error());
    const Decoded code = decode(instructions_of(*object));
    std::string found = complaint_about_symbols(*object);
    if (found.empty())
      found = misuse_of_memory(code, plan, {.may_call = true, .has_red_zone = true});
    if (!found.empty() && failures_++ < kMostShown)
      ADD_FAILURE() << name_of(kLevels[machine]) << ": " << found << "\n" << print(plan);
    streaming_ += std::ranges::any_of(code.instructions, stores_around_caches) ? 1 : 0;
    ++kernels_;
  }

  std::size_t kernels() const { return kernels_; }
  std::size_t streaming() const { return streaming_; }

 private:
  std::vector<llvm_backend::LlvmJit> machines_;
  std::size_t kernels_ = 0;
  std::size_t streaming_ = 0;
  int failures_ = 0;
};

KernelPlan plan_of(const std::string& text) { return make_plan(*verify(*parse(text))); }

// Each shard is a test of its own, so that they run side by side.
class LlvmMemory : public ::testing::TestWithParam<std::size_t> {};

TEST_P(LlvmMemory, IsUsedAsKernelsMay) {
  Check check;
  const std::vector<GridCase> grid = sampled_grid(kEvery);
  for (std::size_t i = GetParam(); i < grid.size(); i += kShards) {
    const std::size_t turn = i / kShards;
    const KernelPlan whole = make_plan(*verify(grid[i].spec));
    check.check(whole, turn % kLevels.size());
    if (turn % 2 == 0) check.check(part_plan(whole), (turn + 1) % kLevels.size());
    if (whole.audit.is_on) check.check(audit_plan(whole), (turn + 2) % kLevels.size());
  }
  std::printf("%zu kernels\n", check.kernels());
  EXPECT_GT(check.kernels(), takes_full_samples() ? 12000u : 80u);
}

INSTANTIATE_TEST_SUITE_P(Shards, LlvmMemory, ::testing::Range(std::size_t{0}, kShards));

TEST(LlvmStreams, EndInAFence) {
  Check check;
  for (const char* policy : {"", ".skip", ".clamp", ".wrap", ".skip.default", ".skip.audit"}) {
    for (const std::size_t columns : {16, 48, 512, 4096}) {
      const std::string width = std::to_string(columns);
      const std::string rows = std::to_string((std::size_t{1} << 25) / columns + 3);
      for (const std::string valid : {"8", "7", "?"}) {
        const KernelPlan plan = plan_of("a5:mscatter.row" + std::string(policy) + " src=f32[8x" +
                                        width + "|" + valid + "x" + width + "] idx=i32[1x8|1x" +
                                        valid + "] table=f32[" + rows + "x" + width + "]");
        check.check(plan, 0);
        check.check(part_plan(plan), 0);
      }
    }
  }
  EXPECT_GE(check.streaming(), 6u * 4u * 3u);
}

}  // namespace
}  // namespace pto::jit::tests

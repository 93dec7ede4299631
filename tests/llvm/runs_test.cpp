// Rows of every length: short ones in overlapping pieces, longer ones in vectors, the longest by
// the C library; lengths known when the code is made, and lengths read from the frame.
#include <gtest/gtest.h>

#include "jit/backends/llvm/llvm_backend.h"
#include "tests/llvm/elf_symbols.h"
#include "tests/llvm/loaded_code.h"

namespace pto::jit::tests {
namespace {

using llvm_backend::LlvmJit;
using llvm_backend::LoadedCode;

constexpr int kLongest = 4608;  // elements of one byte

std::vector<int> lengths() {
  std::vector<int> out;
  for (int length = 1; length <= 140; ++length) out.push_back(length);
  for (const int length : {191, 255, 256, 257, 511, 512, 513, 1000, 1025, 4095, 4096, 4097, 4600}) {
    out.push_back(length);
  }
  return out;
}

LegalSpec row_spec(const std::string& op, const std::string& length) {
  const std::string tile = "i8[4x" + std::to_string(kLongest) + "|4x" + length + "]";
  const std::string indices = " idx=i32[1x8|1x4] table=i8[5x" + length + "]";
  const std::string data = op.starts_with("mgather") ? " dst=" : " src=";
  return legal_spec("a5:" + op + data + tile + indices);
}

class LlvmRuns : public ::testing::TestWithParam<std::string> {};

TEST_P(LlvmRuns, KnownLengths) {
  for (const FeatureLevel level : host_levels()) {
    const Result<LlvmJit> jit = LlvmJit::make(target_at(level));
    ASSERT_TRUE(jit);
    for (const int length : lengths()) {
      const LegalSpec legal = row_spec(GetParam(), std::to_string(length));
      const Result<LoadedCode> code = loaded(*jit, legal);
      ASSERT_TRUE(code) << render(code.error());
      expect_agreement(legal, legal.spec(), Pattern::Extreme, *code);
    }
  }
}

TEST_P(LlvmRuns, LengthsFromTheFrame) {
  const LegalSpec legal = row_spec(GetParam(), "?");
  for (const FeatureLevel level : host_levels()) {
    const Result<LlvmJit> jit = LlvmJit::make(target_at(level));
    ASSERT_TRUE(jit);
    const Result<LoadedCode> code = loaded(*jit, legal);
    ASSERT_TRUE(code) << render(code.error());
    for (const int length : lengths()) {
      KernelSpec bound = legal.spec();
      set(bound, Dim::DataVc, length);
      set(bound, Dim::TableD4, length);
      expect_agreement(legal, bound, Pattern::Extreme, *code);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Ops, LlvmRuns, ::testing::Values("mgather.row.zero", "mscatter.row.skip"),
                         [](const auto& test) {
                           return test.param.substr(0, test.param.find('.'));
                         });

TEST(LlvmRuns, OnlyTheLongestAskTheLibrary) {
  const llvm_backend::MachineTarget target{"x86_64-linux-gnu", "x86-64", ""};
  const auto needed = [&](const std::string& length) {
    const LegalSpec legal = legal_spec("a5:mgather.row.zero dst=i8[1x32768|1x" + length +
                                       "] idx=i32[1x8|1x1] table=i8[5x" + length + "]");
    return undefined_symbols(*llvm_backend::emit_object(make_plan(legal), "kernel", target));
  };
  EXPECT_EQ(needed("32767").size(), 0u);
  EXPECT_EQ(needed("32768").size(), 2u);
  EXPECT_EQ(needed("?").size(), 0u);
}

}  // namespace
}  // namespace pto::jit::tests

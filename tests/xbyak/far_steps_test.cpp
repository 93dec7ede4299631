// Units whose repeats lie further apart than an address of an instruction can say.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "ir/interpreter.h"
#include "ir/spec_text.h"
#include "jit/compile.h"
#include "runtime/operands.h"
#include "targets/planner.h"

namespace pto::jit::tests {
namespace {

constexpr std::int64_t kFar = 400'000'000;  // elements between the four block columns of a row
constexpr std::int64_t kBlock = 16 * 16 * 2;

// Mostly untouched, so that it takes the memory of a few pages.
OperandStore operands_of(const LegalSpec& legal) {
  Result<OperandStore> made = OperandStore::make(legal.spec(), make_plan(legal));
  if (!made) return {};
  std::byte* table = made->bytes_of({Role::Table}).data();
  for (std::int64_t at = 0; at < 4 * kBlock; ++at)
    table[at / kBlock * kFar * 2 + at % kBlock] = static_cast<std::byte>(at * 7 + at / 256);
  const std::span<std::byte> index = made->bytes_of({Role::Index});
  for (std::size_t row = 0; row < 16; ++row) index[4 * row] = static_cast<std::byte>(15 - row);
  return *std::move(made);
}

TEST(FarSteps, AreTakenAsTheInterpreterTakesThem) {
  const Result<LegalSpec> legal =
      verify(*parse("a2a3:mgather.row dst=f16[16x64]:nz idx=i32[1x16] "
                    "table=f16[4x1x16x16@400000000x256x16x1]:nz"));
  ASSERT_TRUE(legal) << render(legal.error());
  const OperandStore operands = operands_of(*legal);
  if (operands.operands().empty()) GTEST_SKIP() << "no 2.4 GB of address space";
  const std::span<std::byte> tile = operands.bytes_of({Role::Data});
  interpret(make_plan(*legal), operands.frame());
  const std::vector<std::byte> expected(tile.begin(), tile.end());
  ASSERT_NE(expected, std::vector<std::byte>(tile.size()));
  for (const FeatureLevel level :
       {FeatureLevel::Baseline, FeatureLevel::Avx2, FeatureLevel::Avx512}) {
    if (!has_level(host_features(), level)) continue;
    std::ranges::fill(tile, std::byte{0});
    const Result<Kernel> kernel = compile(*legal, {Backend::Xbyak, level});
    ASSERT_TRUE(kernel) << render(kernel.error());
    (*kernel)(operands.frame());
    EXPECT_TRUE(std::ranges::equal(tile, expected)) << name_of(level);
  }
}

}  // namespace
}  // namespace pto::jit::tests

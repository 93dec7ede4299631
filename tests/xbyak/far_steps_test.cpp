// Units whose repeats lie further apart than an address of an instruction can say.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "ir/interpreter.h"
#include "ir/spec_text.h"
#include "jit/compile/compile.h"
#include "runtime/operands.h"
#include "targets/planner.h"

namespace pto::jit::tests {
namespace {

constexpr std::int64_t kFar = 400'000'000;  // elements between the four block columns of a row
constexpr std::int64_t kBlock = 16 * 16 * 2;

// What the table holds; mostly untouched, so that it takes the memory of a few pages.
void fill_blocks(const OperandStore& operands) {
  std::byte* table = operands.bytes_of({Role::Table}).data();
  for (std::int64_t at = 0; at < 4 * kBlock; ++at)
    table[at / kBlock * kFar * 2 + at % kBlock] = static_cast<std::byte>(at * 7 + at / 256);
}

void set_index(const OperandStore& operands, std::size_t at, std::uint32_t slot) {
  std::memcpy(operands.bytes_of({Role::Index}).data() + 4 * at, &slot, 4);
}

void expect_what_the_interpreter_leaves(const LegalSpec& legal, const OperandStore& operands) {
  const std::span<std::byte> tile = operands.bytes_of({Role::Data});
  interpret(make_plan(legal), operands.frame());
  const std::vector<std::byte> expected(tile.begin(), tile.end());
  ASSERT_NE(expected, std::vector<std::byte>(tile.size()));
  for (const FeatureLevel level :
       {FeatureLevel::Baseline, FeatureLevel::Avx2, FeatureLevel::Avx512}) {
    if (!has_level(host_features(), level)) continue;
    std::ranges::fill(tile, std::byte{0});
    const Result<Kernel> kernel = compile(legal, {Backend::Xbyak, level});
    ASSERT_TRUE(kernel) << render(kernel.error());
    (*kernel)(operands.frame());
    EXPECT_TRUE(std::ranges::equal(tile, expected)) << name_of(level);
  }
}

TEST(FarSteps, AreTakenAsTheInterpreterTakesThem) {
  const Result<LegalSpec> legal =
      verify(*parse("a2a3:mgather.row dst=f16[16x64]:nz idx=i32[1x16] "
                    "table=f16[4x1x16x16@400000000x256x16x1]:nz"));
  ASSERT_TRUE(legal) << render(legal.error());
  const Result<OperandStore> operands = OperandStore::make(legal->spec(), make_plan(*legal));
  if (!operands) GTEST_SKIP() << "no 2.4 GB of address space";
  fill_blocks(*operands);
  for (std::uint32_t row = 0; row < 16; ++row) set_index(*operands, row, 15 - row);
  expect_what_the_interpreter_leaves(*legal, *operands);
}

// Elements of a table whose step is known only at run time, and makes places beyond 31 bits then.
TEST(FarSteps, KnownOnlyAtRunTimeAreTakenToo) {
  const std::string elements = "a2a3:mgather.elem.wrap dst=f16[16x64]:nz idx=i32[16x64] ";
  const Result<LegalSpec> legal = verify(*parse(elements + "table=f16[4x1x16x16@?x256x16x1]:nz"));
  ASSERT_TRUE(legal) << render(legal.error());
  const KernelSpec bound = *parse(elements + "table=f16[4x1x16x16@400000000x256x16x1]:nz");
  const Result<OperandStore> operands = OperandStore::make(bound, make_plan(*legal));
  if (!operands) GTEST_SKIP() << "no 2.4 GB of address space";
  fill_blocks(*operands);
  for (std::uint32_t i = 0; i < 16 * 64; ++i) set_index(*operands, i, i * 2654435761U);
  expect_what_the_interpreter_leaves(*legal, *operands);
}

}  // namespace
}  // namespace pto::jit::tests

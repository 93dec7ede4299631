// What the emitter does only where it pays: tables in registers, each slot once and newest first,
// rows asked for ahead of time, stores around the caches, rows one behind the other as one.
#include <cstring>

#include "ir/interpreter.h"
#include "jit/backends/llvm/llvm_backend.h"
#include "targets/planner.h"
#include "tests/llvm/loaded_code.h"
#include "tests/support/spoiled_stack.h"

namespace pto::jit::tests {
namespace {

using llvm_backend::LlvmJit;
using llvm_backend::LoadedCode;

// On all patterns, at the host's best level.
void expect_agreement_on(const std::string& text) {
  const LegalSpec legal = legal_spec(text);
  const Result<LlvmJit> jit = LlvmJit::for_host(host_features());
  ASSERT_TRUE(jit);
  const Result<LoadedCode> code = loaded(*jit, legal);
  ASSERT_TRUE(code) << render(code.error());
  for (const Pattern pattern : kPatterns) expect_agreement(legal, legal.spec(), pattern, *code);
}

// Not a byte behind the table is read, not a lane is lost, whatever fills two registers.
TEST(LlvmChoices, TablesOfEverySizeInRegisters) {
  for (const std::string dtype : {"i8", "f16", "f32"}) {
    const int size = dtype == "i8" ? 1 : dtype == "f16" ? 2 : 4;
    for (const int bytes : {4, 12, 32, 60, 64, 68, 100, 124, 128, 132}) {
      for (const std::string policy : {"", ".clamp", ".wrap", ".zero"}) {
        expect_agreement_on("a5:mgather.elem" + policy + " dst=" + dtype +
                            "[2x64|2x55] idx=i32[2x64|2x55] table=" + dtype + "[" +
                            std::to_string(bytes / size) + "]");
      }
    }
  }
}

bool is_nan_half(std::uint16_t bits) { return (bits & 0x7fff) > 0x7c00; }

// Every f16 and another, as rows and one by one, by whatever adds them: subnormals are not flushed,
// sums are rounded once, what is no number stays none.
TEST(LlvmChoices, EveryHalfIsAddedAsTheInterpreterAdds) {
  const Result<LlvmJit> jit = LlvmJit::for_host(host_features());
  ASSERT_TRUE(jit);
  std::vector<std::uint32_t> index(1 << 16);
  for (std::uint32_t i = 0; i < index.size(); ++i) index[i] = i;
  for (const char* text :
       {"a5:mscatter.row.atomic_add src=f16[64x1024] idx=i32[1x64] table=f16[64x1024]",
        "a5:mscatter.elem.atomic_add src=f16[64x1024] idx=i32[64x1024] table=f16[65536]"}) {
    const LegalSpec legal = legal_spec(text);
    const Result<LoadedCode> code = loaded(*jit, legal);
    ASSERT_TRUE(code);
    for (const int other : {0x0000, 0x8000, 0x0001, 0x83ff, 0x0400, 0x1401, 0x3c01, 0x7bff, 0xfbff,
                            0x7c00, 0xfc00, 0x7d01, 0xfe03}) {
      std::vector<std::uint16_t> tile(index.size(), static_cast<std::uint16_t>(other));
      std::vector<std::uint16_t> made(index.begin(), index.end());
      std::vector<std::uint16_t> expected = made;
      Frame frame;
      frame.tile = tile.data();
      frame.index = index.data();
      frame.table = expected.data();
      interpret(make_plan(legal), frame);
      frame.table = made.data();
      code->entry()(&frame);
      for (std::size_t i = 0; i < made.size(); ++i) {
        const bool is_same =
            is_nan_half(expected[i]) ? is_nan_half(made[i]) : made[i] == expected[i];
        ASSERT_TRUE(is_same) << text << ": " << i << " + " << other << " is " << made[i];
      }
    }
  }
}

TEST(LlvmChoices, TheLastWriterOfManyWins) {
  for (const std::string policy : {"", ".clamp", ".wrap", ".skip"}) {
    for (const std::string slots : {"1", "20", "64", "65"}) {
      expect_agreement_on("a5:mscatter.row" + policy +
                          " src=f32[130x64] idx=i32[1x136|1x130] table=f32[" + slots + "x64]");
    }
  }
}

// They have no bit among the slots that were seen: each goes where it says.
TEST(LlvmChoices, IndicesBeyondTheSlotsThatNothingChecks) {
  constexpr std::uint32_t kSlots = 20;
  constexpr std::uint32_t kRows = 4000;  // that are really there
  const LegalSpec legal =
      legal_spec("a5:mscatter.row src=f32[130x64] idx=i32[1x136|1x130] table=f32[20x64]");
  const Result<LoadedCode> code = loaded(*LlvmJit::for_host(host_features()), legal);
  ASSERT_TRUE(code);
  std::vector<std::uint32_t> index(130);
  for (std::uint32_t i = 0; i < index.size(); ++i)
    index[i] = i % 3 == 0 ? kRows - 1 - i : i % (kSlots - 1);
  std::vector<float> rows(index.size() * 64);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<float>(i);
  std::vector<float> expected(kRows * 64);
  std::vector<float> made = expected;
  Frame frame;
  frame.tile = rows.data();
  frame.index = index.data();
  frame.table = expected.data();
  interpret(make_plan(legal), frame);
  frame.table = made.data();
  spoil_stack();
  code->entry()(&frame);
  EXPECT_EQ(made, expected);
}

// Indices that are read ahead of time end with the tile, behind which nothing can be read.
TEST(LlvmChoices, RowsAskedForAheadOfTime) {
  for (const std::string op : {"mgather.row dst", "mscatter.row src"}) {
    expect_agreement_on("a5:" + op + "=f32[259x8] idx=i32[1x264|1x259] table=f32[32769x8]");
    expect_agreement_on("a5:" + op + "=f32[37x128] idx=i32[1x40|1x37] table=f32[4096x128]");
    expect_agreement_on("a5:" + op + "=f32[35x512] idx=i32[1x40|1x35] table=f32[1024x512]");
  }
}

// Columns that fill both operands, only one of them, and none.
TEST(LlvmChoices, RowsThatTurnOutToBeOne) {
  for (const std::string indices : {"16", "24"}) {
    const LegalSpec legal = legal_spec("a2a3:mgather.elem.clamp dst=f32[5x16|?x?] idx=i32[5x" +
                                       indices + "|?x?] table=f32[?]");
    const Result<LoadedCode> code = loaded(*LlvmJit::for_host(host_features()), legal);
    ASSERT_TRUE(code) << render(code.error());
    for (const int columns : {1, 9, 15, 16}) {
      KernelSpec bound = legal.spec();
      for (const Dim rows : {Dim::DataVr, Dim::IndexVr}) set(bound, rows, 5);
      for (const Dim cols : {Dim::DataVc, Dim::IndexVc}) set(bound, cols, columns);
      set(bound, Dim::TableD4, 40);
      for (const Pattern pattern : kPatterns) expect_agreement(legal, bound, pattern, *code);
    }
  }
}

// Aligned, where stores go around the caches, and not.
TEST(LlvmChoices, RowsOfAHugeTableWhereverItLies) {
  const LegalSpec legal =
      legal_spec("a5:mscatter.row.skip src=f32[24x32] idx=i32[1x24] table=f32[524288x32]");
  constexpr std::size_t kBytes = std::size_t{64} << 20;
  constexpr std::size_t kRow = 128;
  std::vector<std::byte> memory(kBytes + kRow);
  std::vector<std::uint32_t> index(24);
  std::vector<std::byte> rows(24 * kRow);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<std::byte>(i * 7 + i / kRow);
  for (std::uint32_t i = 0; i < index.size(); ++i) index[i] = i % 5 == 4 ? 524288 : i * 21845;
  const Result<LoadedCode> code = loaded(*LlvmJit::for_host(host_features()), legal);
  ASSERT_TRUE(code);
  for (const std::size_t offset : {0, 4, 32}) {
    const std::size_t to_line = -reinterpret_cast<std::uintptr_t>(memory.data()) % 64;
    std::byte* table = memory.data() + to_line + offset;
    Frame frame;
    frame.tile = rows.data();
    frame.index = index.data();
    frame.table = table;
    code->entry()(&frame);
    for (std::size_t i = 0; i < index.size(); ++i) {
      if (index[i] == 524288) continue;
      EXPECT_EQ(std::memcmp(table + index[i] * kRow, rows.data() + i * kRow, kRow), 0) << i;
      std::memset(table + index[i] * kRow, 0, kRow);
    }
    EXPECT_EQ(memory[0], std::byte{});
    EXPECT_EQ(std::memcmp(memory.data(), memory.data() + 1, memory.size() - 1), 0);
  }
}

}  // namespace
}  // namespace pto::jit::tests

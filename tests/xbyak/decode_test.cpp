// Every kernel of the grid through an independent decoder: instructions of its feature level only,
// no address that is not its own, and the same bytes wherever it is made.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <span>
#include <thread>
#include <unordered_set>

#include "ir/plan.h"
#include "jit/backends/xbyak/assemble.h"
#include "targets/planner.h"
#include "tests/machine_code/decoded.h"
#include "tests/support/grid.h"
#include "tests/xbyak/code_levels.h"

namespace pto::jit::tests {
namespace {

constexpr std::array kBaseline = {
    ZYDIS_ISA_SET_I86,      ZYDIS_ISA_SET_I186,        ZYDIS_ISA_SET_I386,    ZYDIS_ISA_SET_CMOV,
    ZYDIS_ISA_SET_LONGMODE, ZYDIS_ISA_SET_PPRO,        ZYDIS_ISA_SET_FAT_NOP, ZYDIS_ISA_SET_SSE,
    ZYDIS_ISA_SET_SSE2,     ZYDIS_ISA_SET_SSE_PREFETCH};
constexpr std::array kAvx2 = {ZYDIS_ISA_SET_AVX,  ZYDIS_ISA_SET_AVX2, ZYDIS_ISA_SET_AVX2GATHER,
                              ZYDIS_ISA_SET_F16C, ZYDIS_ISA_SET_BMI2, ZYDIS_ISA_SET_PREFETCH_NOP};
constexpr std::array kAvx512 = {
    ZYDIS_ISA_SET_AVX512F_128,   ZYDIS_ISA_SET_AVX512F_128N,    ZYDIS_ISA_SET_AVX512F_256,
    ZYDIS_ISA_SET_AVX512F_512,   ZYDIS_ISA_SET_AVX512F_KOP,     ZYDIS_ISA_SET_AVX512F_SCALAR,
    ZYDIS_ISA_SET_AVX512BW_128,  ZYDIS_ISA_SET_AVX512BW_128N,   ZYDIS_ISA_SET_AVX512BW_256,
    ZYDIS_ISA_SET_AVX512BW_512,  ZYDIS_ISA_SET_AVX512BW_KOP,    ZYDIS_ISA_SET_AVX512DQ_128,
    ZYDIS_ISA_SET_AVX512DQ_128N, ZYDIS_ISA_SET_AVX512DQ_256,    ZYDIS_ISA_SET_AVX512DQ_512,
    ZYDIS_ISA_SET_AVX512DQ_KOP,  ZYDIS_ISA_SET_AVX512DQ_SCALAR, ZYDIS_ISA_SET_AVX512CD_128,
    ZYDIS_ISA_SET_AVX512CD_256,  ZYDIS_ISA_SET_AVX512CD_512};

bool contains(std::span<const ZydisISASet> sets, ZydisISASet set) {
  return std::find(sets.begin(), sets.end(), set) != sets.end();
}

bool is_within(const Instruction& instruction, FeatureLevel level) {
  const ZydisISASet set = instruction.info.meta.isa_set;
  return contains(kBaseline, set) || (level != FeatureLevel::Baseline && contains(kAvx2, set)) ||
         (level == FeatureLevel::Avx512 && contains(kAvx512, set));
}

// Whether an operand names memory by a number alone, or memory beside the kernel by its own
// address.
bool leaves_the_kernel(const Instruction& instruction, const ZydisDecodedOperand& operand,
                       std::size_t size) {
  if (operand.type != ZYDIS_OPERAND_TYPE_MEMORY) return false;
  const auto own = own_address(instruction, operand);
  if (own) return *own >= size;
  const bool is_read_or_written = operand.mem.type == ZYDIS_MEMOP_TYPE_MEM;
  const bool has_register = operand.mem.base != ZYDIS_REGISTER_NONE ||
                            (!is_read_or_written && operand.mem.index != ZYDIS_REGISTER_NONE);
  return !has_register;
}

std::string complaint_about(const Instruction& instruction, FeatureLevel level, std::size_t size) {
  if (!is_within(instruction, level))
    return std::string("needs ") + ZydisISASetGetString(instruction.info.meta.isa_set);
  for (const ZydisDecodedOperand& operand : instruction.all_operands()) {
    if (leaves_the_kernel(instruction, operand, size)) return "names memory by its address";
  }
  return {};
}

bool jumps_fit(const Decoded& decoded) {
  std::unordered_set<std::size_t> starts;
  for (const Instruction& instruction : decoded.instructions) starts.insert(instruction.offset);
  return std::all_of(decoded.instructions.begin(), decoded.instructions.end(),
                     [&](const Instruction& instruction) {
                       const auto target = jump_target(instruction);
                       return !target || starts.contains(*target);
                     });
}

// What is wrong with a kernel, or nothing.
std::string complaint_about(std::span<const std::byte> code, FeatureLevel level,
                            std::size_t* instructions = nullptr) {
  const Decoded decoded = decode(code);
  if (instructions != nullptr) *instructions += decoded.instructions.size();
  if (!decoded.is_whole) return "does not decode at " + std::to_string(decoded.end);
  for (const Instruction& instruction : decoded.instructions) {
    const std::string found = complaint_about(instruction, level, code.size());
    if (!found.empty()) return print(instruction) + " " + found;
  }
  return jumps_fit(decoded) ? "" : "jumps between instructions";
}

// The plans of the grid, each once.
const std::vector<KernelPlan>& plans() {
  static const std::vector<KernelPlan> kAll = [] {
    std::vector<KernelPlan> out;
    std::unordered_set<std::string> seen;
    for (const GridCase& entry : runnable_grid()) {
      const KernelPlan plan = make_plan(*verify(entry.spec));
      if (seen.insert(print(plan)).second) out.push_back(plan);
    }
    return out;
  }();
  return kAll;
}

// The chosen strategy, and one index at a time.
std::vector<Strategy> strategies_of(const KernelPlan& plan, FeatureLevel level) {
  const Strategy chosen = strategy_at(plan, level);
  Strategy one_by_one = chosen;
  one_by_one.group = 1;
  return chosen == one_by_one ? std::vector{chosen} : std::vector{chosen, one_by_one};
}

TEST(XbyakCode, KeepsToItsFeatureLevelAndItsOwnBytes) {
  for (const FeatureLevel level : kCodeLevels) {
    std::size_t kernels = 0;
    std::size_t instructions = 0;
    int failures = 0;
    for (const KernelPlan& plan : plans()) {
      for (const Strategy& strategy : strategies_of(plan, level)) {
        const std::vector<std::byte> code = assembled(plan, strategy);
        const std::string found = complaint_about(code, level, &instructions);
        if (!found.empty() && failures++ < 10)
          ADD_FAILURE() << print(strategy) << ": " << found << "\n" << print(plan);
        ++kernels;
      }
    }
    EXPECT_EQ(failures, 0);
    EXPECT_GE(kernels, 20000u);
    std::printf("%-8s %zu plans, %zu kernels, %zu instructions\n",
                std::string(name_of(level)).c_str(), plans().size(), kernels, instructions);
  }
}

// Each plan at one of the levels.
std::vector<std::byte> code_number(std::size_t i) {
  return assembled(plans()[i], strategy_at(plans()[i], kCodeLevels[i % kCodeLevels.size()]));
}

const std::byte* buffer_of_this_thread() { return xbyak::assemble(plans()[0], {})->data(); }

TEST(XbyakCode, IsTheSameWhereverItIsMade) {
  std::vector<std::vector<std::byte>> elsewhere;
  const std::byte* own_buffer = buffer_of_this_thread();
  const std::byte* other_buffer = nullptr;
  std::thread([&] {
    for (std::size_t i = 0; i < plans().size(); ++i) elsewhere.push_back(code_number(i));
    other_buffer = buffer_of_this_thread();
  }).join();
  ASSERT_NE(own_buffer, other_buffer);
  std::size_t different = 0;
  for (std::size_t i = 0; i < plans().size(); ++i) {
    const std::vector<std::byte> once = code_number(i);
    if (once != code_number(i) || once != elsewhere[i]) ++different;
  }
  EXPECT_EQ(different, 0u);
}

// --- the check, shown to fail -------------------------------------------------------------------

std::string complaint_about(std::initializer_list<int> bytes, FeatureLevel level) {
  std::vector<std::byte> code;
  for (const int value : bytes) code.push_back(static_cast<std::byte>(value));
  return complaint_about(code, level);
}

TEST(XbyakCode, OfAHigherLevelIsFound) {
  const auto avx2 = {0xc5, 0xfd, 0xef, 0xc0, 0xc3};                // vpxor ymm0, ymm0, ymm0
  const auto avx512 = {0x62, 0xf1, 0xfd, 0x48, 0xef, 0xc0, 0xc3};  // vpxorq zmm0, zmm0, zmm0
  const auto aes = {0x66, 0x0f, 0x38, 0xdc, 0xc0, 0xc3};           // aesenc xmm0, xmm0
  EXPECT_EQ(complaint_about(avx2, FeatureLevel::Baseline), "vpxor ymm0, ymm0, ymm0 needs AVX2");
  EXPECT_EQ(complaint_about(avx2, FeatureLevel::Avx2), "");
  EXPECT_EQ(complaint_about(avx512, FeatureLevel::Avx2),
            "vpxorq zmm0, zmm0, zmm0 needs AVX512F_512");
  EXPECT_EQ(complaint_about(avx512, FeatureLevel::Avx512), "");
  EXPECT_NE(complaint_about(aes, FeatureLevel::Avx512), "");
}

TEST(XbyakCode, WithAnAddressIsFound) {
  EXPECT_NE(
      complaint_about({0x8b, 0x04, 0x25, 0x00, 0x10, 0x00, 0x00, 0xc3}, FeatureLevel::Baseline),
      "");  // [0x1000]
  EXPECT_NE(
      complaint_about({0x8b, 0x04, 0xc5, 0x00, 0x10, 0x00, 0x00, 0xc3}, FeatureLevel::Baseline),
      "");  // [rax*8 + …]
  EXPECT_NE(complaint_about({0x8b, 0x05, 0x01, 0x00, 0x00, 0x00, 0xc3}, FeatureLevel::Baseline),
            "");  // [rip + 1]
  EXPECT_EQ(
      complaint_about({0x8b, 0x05, 0x01, 0x00, 0x00, 0x00, 0xc3, 0x01}, FeatureLevel::Baseline),
      "");
  EXPECT_EQ(complaint_about({0x8b, 0x00, 0xc3}, FeatureLevel::Baseline), "");  // [rax]
}

TEST(XbyakCode, ThatIsNoneIsFound) {
  EXPECT_NE(complaint_about({0x06, 0xc3}, FeatureLevel::Baseline), "");
  EXPECT_NE(complaint_about({0x90}, FeatureLevel::Baseline), "");
  EXPECT_NE(complaint_about({0x74, 0x01, 0x0f, 0x1f, 0x00, 0xc3}, FeatureLevel::Baseline),
            "");  // into a nop
}

}  // namespace
}  // namespace pto::jit::tests

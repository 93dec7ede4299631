// Generated code as text on x86-64.
#include "jit/backends/watching/disassembly.h"

#include <Zydis/Zydis.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <optional>

#include "jit/backends/watching/code_lines.h"

namespace pto::jit {
namespace {

using Operands = std::array<ZydisDecodedOperand, ZYDIS_MAX_OPERAND_COUNT>;

struct Instruction {
  ZydisDecodedInstruction info{};
  Operands operands{};

  bool is_return() const { return info.meta.category == ZYDIS_CATEGORY_RET; }
};

class Decoder {
 public:
  Decoder() {
    ZydisDecoderInit(&decoder_, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    ZydisFormatterInit(&formatter_, ZYDIS_FORMATTER_STYLE_INTEL);
    set(ZYDIS_FORMATTER_PROP_ADDR_PADDING_ABSOLUTE, kOffsetDigits);
    set(ZYDIS_FORMATTER_PROP_DISP_PADDING, ZYDIS_PADDING_DISABLED);
    set(ZYDIS_FORMATTER_PROP_IMM_PADDING, ZYDIS_PADDING_DISABLED);
    set(ZYDIS_FORMATTER_PROP_HEX_UPPERCASE, ZYAN_FALSE);
  }

  std::optional<Instruction> decode(std::span<const std::byte> code) const {
    Instruction out;
    const ZyanStatus status =
        ZydisDecoderDecodeFull(&decoder_, code.data(), code.size(), &out.info, out.operands.data());
    return ZYAN_SUCCESS(status) ? std::optional(out) : std::nullopt;
  }

  std::string text_of(const Instruction& instruction, std::size_t offset) const {
    std::array<char, 128> text{};
    ZydisFormatterFormatInstruction(&formatter_, &instruction.info, instruction.operands.data(),
                                    instruction.info.operand_count_visible, text.data(),
                                    text.size(), offset, ZYAN_NULL);
    return text.data();
  }

 private:
  void set(ZydisFormatterProperty property, ZyanUPointer value) {
    ZydisFormatterSetProperty(&formatter_, property, value);
  }

  ZydisDecoder decoder_{};
  ZydisFormatter formatter_{};
};

// Where a branch at `offset` goes; nothing for other instructions.
std::optional<std::size_t> branch_target(const Instruction& instruction, std::size_t offset) {
  const ZydisDecodedOperand& operand = instruction.operands[0];
  const bool is_branch = instruction.info.operand_count_visible > 0 &&
                         operand.type == ZYDIS_OPERAND_TYPE_IMMEDIATE &&
                         operand.imm.is_relative == ZYAN_TRUE;
  ZyanU64 target = 0;
  if (!is_branch) return std::nullopt;
  if (!ZYAN_SUCCESS(ZydisCalcAbsoluteAddress(&instruction.info, &operand, offset, &target)))
    return std::nullopt;
  return static_cast<std::size_t>(target);
}

std::string constant(const char* directive, std::uint32_t value, int digits) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%s 0x%0*x", directive, digits, value);
  return text.data();
}

// Four bytes at a time where they are aligned to four, else byte by byte.
void add_constants(std::span<const std::byte> code, std::size_t at, std::vector<CodeLine>& out) {
  while (at < code.size()) {
    const bool is_word = at % 4 == 0 && code.size() - at >= 4;
    const std::size_t bytes = is_word ? 4 : 1;
    std::uint32_t value = 0;
    std::memcpy(&value, &code[at], bytes);
    out.push_back({at, bytes, is_word ? constant("dd", value, 8) : constant("db", value, 2)});
    at += bytes;
  }
}

}  // namespace

std::size_t end_of_instructions(std::span<const std::byte> code) {
  const Decoder decoder;
  std::size_t farthest = 0;
  std::size_t at = 0;
  while (at < code.size()) {
    const std::optional<Instruction> instruction = decoder.decode(code.subspan(at));
    if (!instruction) return at;
    farthest = std::max(farthest, branch_target(*instruction, at).value_or(0));
    at += instruction->info.length;
    if (instruction->is_return() && farthest < at) break;
  }
  return at;
}

std::vector<CodeLine> code_lines(std::span<const std::byte> code) {
  const Decoder decoder;
  const std::size_t end = end_of_instructions(code);
  std::vector<CodeLine> out;
  std::size_t at = 0;
  while (at < end) {
    const std::optional<Instruction> instruction = decoder.decode(code.subspan(at));
    if (!instruction) break;
    out.push_back({at, instruction->info.length, decoder.text_of(*instruction, at)});
    at += instruction->info.length;
  }
  add_constants(code, at, out);
  return out;
}

std::string disassemble(std::span<const std::byte> code) {
  std::string out;
  for (const CodeLine& line : code_lines(code)) out += offset_text(line.offset) + line.text + "\n";
  return out;
}

}  // namespace pto::jit

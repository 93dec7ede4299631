#include "tests/machine_code/decoded.h"

#include "jit/backends/watching/disassembly.h"

namespace pto::jit::tests {
namespace {

std::optional<std::size_t> absolute(const Instruction& instruction,
                                    const ZydisDecodedOperand& operand) {
  ZyanU64 out = 0;
  const ZyanStatus status =
      ZydisCalcAbsoluteAddress(&instruction.info, &operand, instruction.offset, &out);
  return ZYAN_SUCCESS(status) ? std::optional(static_cast<std::size_t>(out)) : std::nullopt;
}

}  // namespace

Decoded decode(std::span<const std::byte> code) {
  ZydisDecoder decoder;
  ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
  Decoded out;
  const std::size_t end = end_of_instructions(code);
  while (out.end < end) {
    Instruction& next = out.instructions.emplace_back();
    next.offset = out.end;
    ZydisDecoderDecodeFull(&decoder, &code[out.end], end - out.end, &next.info,
                           next.operands.data());
    out.end += next.info.length;
  }
  if (out.instructions.empty()) return out;
  const ZydisInstructionCategory last = out.instructions.back().info.meta.category;
  const bool ends_elsewhere = last == ZYDIS_CATEGORY_UNCOND_BR && out.end == code.size();
  out.is_whole = last == ZYDIS_CATEGORY_RET || ends_elsewhere;
  return out;
}

std::optional<std::size_t> jump_target(const Instruction& instruction) {
  const ZydisDecodedOperand& first = instruction.operands[0];
  const bool is_jump = instruction.info.operand_count_visible > 0 &&
                       first.type == ZYDIS_OPERAND_TYPE_IMMEDIATE && first.imm.is_relative != 0;
  return is_jump ? absolute(instruction, first) : std::nullopt;
}

std::optional<std::size_t> own_address(const Instruction& instruction,
                                       const ZydisDecodedOperand& operand) {
  const bool counts_from_here =
      operand.type == ZYDIS_OPERAND_TYPE_MEMORY && operand.mem.base == ZYDIS_REGISTER_RIP;
  return counts_from_here ? absolute(instruction, operand) : std::nullopt;
}

std::string print(const Instruction& instruction) {
  ZydisFormatter formatter;
  ZydisFormatterInit(&formatter, ZYDIS_FORMATTER_STYLE_INTEL);
  std::array<char, 128> text{};
  ZydisFormatterFormatInstruction(&formatter, &instruction.info, instruction.operands.data(),
                                  instruction.info.operand_count_visible, text.data(), text.size(),
                                  instruction.offset, ZYAN_NULL);
  return text.data();
}

}  // namespace pto::jit::tests

// Generated code taken apart: its instructions with their operands, as an independent decoder reads
// them.
#pragma once

#include <Zydis/Zydis.h>

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace pto::jit::tests {

struct Instruction {
  std::size_t offset = 0;
  ZydisDecodedInstruction info{};
  std::array<ZydisDecodedOperand, ZYDIS_MAX_OPERAND_COUNT> operands{};

  std::size_t end() const { return offset + info.length; }
  std::span<const ZydisDecodedOperand> all_operands() const {
    return {operands.data(), info.operand_count};
  }
};

struct Decoded {
  std::vector<Instruction> instructions;  // up to the constants, or to what does not decode
  std::size_t end = 0;                    // of the last one
  bool is_whole = false;                  // everything before the constants decoded
};

Decoded decode(std::span<const std::byte> code);

// Where a jump goes; nothing for other instructions.
std::optional<std::size_t> jump_target(const Instruction& instruction);

// Where a memory operand counted from the instruction pointer leads; nothing for others.
std::optional<std::size_t> own_address(const Instruction& instruction,
                                       const ZydisDecodedOperand& operand);

std::string print(const Instruction& instruction);

}  // namespace pto::jit::tests

// What one instruction reads and writes.
#include <algorithm>

#include "tests/xbyak/dataflow.h"

namespace pto::jit::tests {
namespace {

constexpr std::size_t kVectors = 16;
constexpr std::size_t kFlags = 48;
constexpr std::size_t kMasks = 64;
constexpr std::size_t kStack = 72;

std::size_t general(ZydisRegister name) {
  const ZydisRegister whole = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, name);
  return static_cast<std::size_t>(whole) - ZYDIS_REGISTER_RAX;
}

// The place of a register, or nothing for those that are not followed.
std::optional<std::size_t> place_of(ZydisRegister name) {
  switch (ZydisRegisterGetClass(name)) {
    case ZYDIS_REGCLASS_GPR8:
    case ZYDIS_REGCLASS_GPR16:
    case ZYDIS_REGCLASS_GPR32:
    case ZYDIS_REGCLASS_GPR64: return general(name);
    case ZYDIS_REGCLASS_XMM:
    case ZYDIS_REGCLASS_YMM:
    case ZYDIS_REGCLASS_ZMM: return kVectors + static_cast<std::size_t>(ZydisRegisterGetId(name));
    case ZYDIS_REGCLASS_MASK: return kMasks + static_cast<std::size_t>(ZydisRegisterGetId(name));
    default: return std::nullopt;
  }
}

std::optional<std::size_t> slot_of(const ZydisDecodedOperand& operand) {
  const bool is_slot = operand.type == ZYDIS_OPERAND_TYPE_MEMORY &&
                       operand.mem.base == ZYDIS_REGISTER_RSP &&
                       operand.mem.index == ZYDIS_REGISTER_NONE && operand.size == 64;
  const std::int64_t offset = operand.mem.disp.value;
  if (!is_slot || offset < 0 || offset / 8 >= std::int64_t{kStackSlots}) return std::nullopt;
  return kStack + static_cast<std::size_t>(offset / 8);
}

// Slots that are read in other pieces, as the numbers that all lanes of a vector are combined with.
void read_slots(Effect& effect, const ZydisDecodedOperand& operand) {
  if (operand.mem.base != ZYDIS_REGISTER_RSP || operand.mem.disp.value < 0) return;
  const std::int64_t first = operand.mem.disp.value / 8;
  const std::int64_t behind = (operand.mem.disp.value * 8 + operand.size + 63) / 64;
  for (std::int64_t slot = first; slot < std::min<std::int64_t>(behind, kStackSlots); ++slot)
    effect.reads.set(kStack + static_cast<std::size_t>(slot));
}

// Writing eight or sixteen bits leaves the rest of a register as it is.
bool is_partial(const ZydisDecodedOperand& operand) {
  const ZydisRegisterClass kind = ZydisRegisterGetClass(operand.reg.value);
  return kind == ZYDIS_REGCLASS_GPR8 || kind == ZYDIS_REGCLASS_GPR16;
}

void touch(Effect& effect, std::size_t place, const ZydisDecodedOperand& operand, bool partial) {
  const bool may_skip = (operand.actions & ZYDIS_OPERAND_ACTION_CONDWRITE) != 0;
  if ((operand.actions & ZYDIS_OPERAND_ACTION_MASK_READ) != 0) effect.reads.set(place);
  if ((operand.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) == 0) return;
  effect.writes.set(place);
  if (may_skip || partial) {
    effect.reads.set(place);
  } else {
    effect.overwrites.set(place);
  }
}

void add_memory(Effect& effect, const ZydisDecodedOperand& operand) {
  for (const ZydisRegister name : {operand.mem.base, operand.mem.index}) {
    if (const auto place = place_of(name)) effect.reads.set(*place);
  }
  if (operand.mem.type == ZYDIS_MEMOP_TYPE_AGEN) return;
  if (const auto slot = slot_of(operand)) return touch(effect, *slot, operand, false);
  if ((operand.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0) effect.is_pure = false;
  if ((operand.actions & ZYDIS_OPERAND_ACTION_MASK_READ) != 0) read_slots(effect, operand);
  effect.reads_memory = true;
}

void add_flags(Effect& effect, const ZydisDecodedInstruction& info) {
  if (info.cpu_flags == nullptr) return;
  const ZydisAccessedFlags& flags = *info.cpu_flags;
  const ZydisAccessedFlagsMask written =
      flags.modified | flags.set_0 | flags.set_1 | flags.undefined;
  for (std::size_t bit = 0; bit < 16; ++bit) {
    if (((flags.tested >> bit) & 1) != 0) effect.reads.set(kFlags + bit);
    if (((written >> bit) & 1) == 0) continue;
    effect.writes.set(kFlags + bit);
    effect.overwrites.set(kFlags + bit);
  }
}

// Something combined with itself to a constant: all zeros, or all ones.
bool is_constant(const Instruction& instruction) {
  switch (instruction.info.mnemonic) {
    case ZYDIS_MNEMONIC_XOR:
    case ZYDIS_MNEMONIC_PXOR:
    case ZYDIS_MNEMONIC_VPXOR:
    case ZYDIS_MNEMONIC_VPCMPEQD:
    case ZYDIS_MNEMONIC_KXNORW: break;
    case ZYDIS_MNEMONIC_VPTERNLOGD: return instruction.operands[4].imm.value.u == 0xff;
    default: return false;
  }
  const auto count = instruction.info.operand_count_visible;
  const ZydisDecodedOperand& last = instruction.operands[count - 1];
  const ZydisDecodedOperand& other = instruction.operands[count - 2];
  return last.type == ZYDIS_OPERAND_TYPE_REGISTER && other.type == last.type &&
         last.reg.value == other.reg.value;
}

bool moves_control_or_stack(const Instruction& instruction) {
  switch (instruction.info.meta.category) {
    case ZYDIS_CATEGORY_RET:
    case ZYDIS_CATEGORY_CALL:
    case ZYDIS_CATEGORY_COND_BR:
    case ZYDIS_CATEGORY_UNCOND_BR:
    case ZYDIS_CATEGORY_PUSH:
    case ZYDIS_CATEGORY_POP: return true;
    default: return instruction.info.mnemonic == ZYDIS_MNEMONIC_VZEROUPPER;
  }
}

}  // namespace

Effect effect_of(const Instruction& instruction) {
  Effect out;
  out.is_pure = !moves_control_or_stack(instruction);
  for (const ZydisDecodedOperand& operand : instruction.all_operands()) {
    if (operand.type == ZYDIS_OPERAND_TYPE_MEMORY) add_memory(out, operand);
    if (operand.type != ZYDIS_OPERAND_TYPE_REGISTER) continue;
    const auto place = place_of(operand.reg.value);
    if (place) touch(out, *place, operand, is_partial(operand));
  }
  if (is_constant(instruction)) out.reads.reset();
  add_flags(out, instruction.info);
  return out;
}

}  // namespace pto::jit::tests

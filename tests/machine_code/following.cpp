#include "tests/machine_code/following.h"

#include <algorithm>
#include <array>
#include <optional>

namespace pto::jit::tests {
namespace {

std::optional<std::size_t> general(ZydisRegister name) {
  switch (ZydisRegisterGetClass(name)) {
    case ZYDIS_REGCLASS_GPR8:
    case ZYDIS_REGCLASS_GPR16:
    case ZYDIS_REGCLASS_GPR32:
    case ZYDIS_REGCLASS_GPR64: break;
    default: return std::nullopt;
  }
  const ZydisRegister whole = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, name);
  return static_cast<std::size_t>(whole) - ZYDIS_REGISTER_RAX;
}

Known known_of(ZydisRegister name, const CodeState& state) {
  const auto number = general(name);
  return number ? state.registers[*number] : Known{};
}

// The caller's value, which comes back at the end: its place is no room of the kernel's.
bool saves_for_caller(const Instruction& instruction) {
  constexpr std::array kSaved = {3, 5, 12, 13, 14, 15};
  const auto which = general(instruction.operands[0].reg.value);
  return which && std::ranges::find(kSaved, static_cast<int>(*which)) != kSaved.end();
}

// As if the stack of the call began with a line.
Known aligned(const Known& known, std::int64_t mask) {
  if (!known.is_exactly(origin::kStack)) return inexact(known);
  return from(origin::kStack, known.offset & mask);
}

// One instruction of a kernel.
class Step {
 public:
  Step(const Instruction& instruction, const KernelPlan& plan, CodeState& state)
      : instruction_(instruction), plan_(plan), state_(state) {}

  void apply() {
    const ZydisDecodedOperand& first = instruction_.operands[0];
    const Known made = result();
    for (const ZydisDecodedOperand& operand : instruction_.all_operands()) {
      if (!is_written(operand)) continue;
      if (is_memory(operand)) store(operand, made);
      if (operand.type == ZYDIS_OPERAND_TYPE_REGISTER)
        put(operand, &operand == &first ? made : Known{});
    }
  }
  void push() {
    Known& sp = state_.registers[kStackPointer];
    const bool saves = saves_for_caller(instruction_);
    if (!saves) state_.room_end = std::max(state_.room_end, sp.offset);
    sp = moved(sp, -8);
    if (saves) state_.room_end = sp.offset;
    state_.keep_slot(sp.offset, value(instruction_.operands[0]));
  }
  void pop() {
    const Known sp = state_.registers[kStackPointer];
    put(instruction_.operands[0], state_.slot(sp.offset));
    state_.registers[kStackPointer] = moved(sp, 8);
    state_.room_end = std::max(state_.room_end, sp.offset + 8);
  }
  void exchange() {
    const Known one = value(instruction_.operands[0]);
    put(instruction_.operands[0], value(instruction_.operands[1]));
    put(instruction_.operands[1], one);
  }

 private:
  Known loaded(const ZydisDecodedOperand& operand) const {
    const Known at = address(operand, state_);
    if (at.is_exactly(origin::kFrame)) return frame_field(plan_, at.offset);
    if (at.is_exactly(origin::kStack)) return state_.slot(at.offset);
    return at.origins == 1u << origin::kRanks ? inexact(from(origin::kWritten)) : Known{};
  }

  // Of a source of 64 bits; parts of a pointer are numbers.
  Known value(const ZydisDecodedOperand& operand) const {
    if (operand.size != 64) return {};
    if (is_memory(operand)) return loaded(operand);
    return operand.type == ZYDIS_OPERAND_TYPE_REGISTER ? known_of(operand.reg.value, state_)
                                                       : Known{};
  }

  // What is left in the first operand.
  Known result() const {
    const ZydisDecodedOperand& by = instruction_.operands[1];
    const bool by_number = by.type == ZYDIS_OPERAND_TYPE_IMMEDIATE;
    const std::int64_t number = by.imm.value.s;
    const Known old = value(instruction_.operands[0]);
    if (instruction_.operands[0].size != 64) return {};
    switch (instruction_.info.mnemonic) {
      case ZYDIS_MNEMONIC_MOV: return value(by);
      case ZYDIS_MNEMONIC_LEA: return address(by, state_);
      case ZYDIS_MNEMONIC_ADD: return by_number ? moved(old, number) : sum(old, value(by));
      case ZYDIS_MNEMONIC_SUB: return by_number ? moved(old, -number) : inexact(old);
      case ZYDIS_MNEMONIC_INC: return moved(old, 1);
      case ZYDIS_MNEMONIC_DEC: return moved(old, -1);
      case ZYDIS_MNEMONIC_AND: return by_number ? aligned(old, number) : Known{};
      case ZYDIS_MNEMONIC_OR: return by_number ? inexact(old) : Known{};
      default: break;
    }
    const bool may_move = instruction_.info.meta.category == ZYDIS_CATEGORY_CMOV;
    return may_move ? either(old, value(by)) : Known{};
  }

  void store(const ZydisDecodedOperand& operand, const Known& kept) {
    const Known at = address(operand, state_);
    if (!at.is_exactly(origin::kStack)) return;
    state_.forget_slots(at.offset, at.offset + operand.size / 8);
    if (operand.size == 64) state_.keep_slot(at.offset, kept);
  }

  // Room ends where the stack pointer was before it made some.
  void put(const ZydisDecodedOperand& to, const Known& known) {
    const auto number = general(to.reg.value);
    if (to.type != ZYDIS_OPERAND_TYPE_REGISTER || !number) return;
    Known& kept = state_.registers[*number];
    if (*number == kStackPointer) {
      const bool makes_room = instruction_.info.mnemonic == ZYDIS_MNEMONIC_SUB;
      state_.room_end = makes_room ? kept.offset : std::max(state_.room_end, known.offset);
    }
    kept = known;
  }

  const Instruction& instruction_;
  const KernelPlan& plan_;
  CodeState& state_;
};

// Both routines give back their first argument, and may change what belongs to no caller.
void apply_call(CodeState& state) {
  const Known first = inexact(state.registers[kFirstArgument]);
  for (const std::size_t lost : {1, 2, 6, 7, 8, 9, 10, 11}) state.registers[lost] = {};
  state.registers[0] = first;
}

void apply_string_move(CodeState& state) {
  for (const std::size_t moving : {6, 7})
    state.registers[moving] = inexact(state.registers[moving]);
  state.registers[1] = {};
}

}  // namespace

bool is_memory(const ZydisDecodedOperand& operand) {
  return operand.type == ZYDIS_OPERAND_TYPE_MEMORY && operand.mem.type != ZYDIS_MEMOP_TYPE_AGEN;
}
bool is_written(const ZydisDecodedOperand& operand) {
  return (operand.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0;
}

Known base_of(const ZydisDecodedOperand& operand, const CodeState& state) {
  return moved(known_of(operand.mem.base, state), operand.mem.disp.value);
}

Known address(const ZydisDecodedOperand& operand, const CodeState& state) {
  const Known base = base_of(operand, state);
  if (operand.mem.index == ZYDIS_REGISTER_NONE) return base;
  return operand.mem.scale > 1 ? inexact(base) : sum(base, known_of(operand.mem.index, state));
}

void apply(const Instruction& instruction, const KernelPlan& plan, CodeState& state) {
  if (stores_around_caches(instruction)) state.is_unfenced = true;
  Step step(instruction, plan, state);
  switch (instruction.info.mnemonic) {
    case ZYDIS_MNEMONIC_SFENCE:
    case ZYDIS_MNEMONIC_MFENCE: state.is_unfenced = false; return;
    case ZYDIS_MNEMONIC_PUSH: return step.push();
    case ZYDIS_MNEMONIC_POP: return step.pop();
    case ZYDIS_MNEMONIC_CALL: return apply_call(state);
    case ZYDIS_MNEMONIC_MOVSB: return apply_string_move(state);
    case ZYDIS_MNEMONIC_XCHG: return step.exchange();
    default: return step.apply();
  }
}

bool stores_around_caches(const Instruction& instruction) {
  switch (instruction.info.mnemonic) {
    case ZYDIS_MNEMONIC_MOVNTI:
    case ZYDIS_MNEMONIC_MOVNTQ:
    case ZYDIS_MNEMONIC_MOVNTDQ:
    case ZYDIS_MNEMONIC_MOVNTPS:
    case ZYDIS_MNEMONIC_MOVNTPD:
    case ZYDIS_MNEMONIC_VMOVNTDQ:
    case ZYDIS_MNEMONIC_VMOVNTPS:
    case ZYDIS_MNEMONIC_VMOVNTPD:
    case ZYDIS_MNEMONIC_MASKMOVDQU:
    case ZYDIS_MNEMONIC_VMASKMOVDQU: return true;
    default: return false;
  }
}

}  // namespace pto::jit::tests

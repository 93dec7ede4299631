#include "tests/machine_code/memory_use.h"

#include <algorithm>
#include <deque>
#include <map>

namespace pto::jit::tests {
namespace {

constexpr std::int64_t kRedZone = 128;

bool is_call(const Instruction& instruction) {
  return instruction.info.meta.category == ZYDIS_CATEGORY_CALL;
}
std::optional<std::size_t> branch_target(const Instruction& instruction) {
  return is_call(instruction) ? std::nullopt : jump_target(instruction);
}
bool falls_through(const Instruction& instruction) {
  const ZydisInstructionCategory category = instruction.info.meta.category;
  return category != ZYDIS_CATEGORY_RET && category != ZYDIS_CATEGORY_UNCOND_BR;
}

// What an instruction must not do.
class Judge {
 public:
  Judge(const std::vector<Instruction>& code, const CodeRules& rules)
      : may_call_(rules.may_call),
        below_(rules.has_red_zone && std::ranges::none_of(code, is_call) ? kRedZone : 0) {}

  std::string complaint(const Instruction& instruction, const CodeState& state) const {
    switch (instruction.info.meta.category) {
      case ZYDIS_CATEGORY_RET: return complaint_at_return(state);
      case ZYDIS_CATEGORY_CALL:
        if (!may_call_ || !jump_target(instruction)) return "calls what no kernel may";
        return state.registers[kFirstArgument].always_has(origin::kWritten)
                   ? ""
                   : "has others write elsewhere";
      case ZYDIS_CATEGORY_UNCOND_BR:
      case ZYDIS_CATEGORY_COND_BR: return branch_target(instruction) ? "" : "jumps anywhere";
      case ZYDIS_CATEGORY_NOP:
      case ZYDIS_CATEGORY_WIDENOP:
      case ZYDIS_CATEGORY_PREFETCH:
      case ZYDIS_CATEGORY_PUSH:
      case ZYDIS_CATEGORY_POP: return {};
      default: break;
    }
    for (const ZydisDecodedOperand& operand : instruction.all_operands()) {
      if (!is_memory(operand)) continue;
      const std::string found = complaint(operand, state);
      if (!found.empty()) return found;
    }
    return {};
  }

 private:
  static std::string complaint_at_return(const CodeState& state) {
    if (state.is_unfenced) return "leaves stores around the caches without a fence";
    const bool is_back = state.registers[kStackPointer] == from(origin::kStack);
    return is_back ? "" : "returns with another stack";
  }

  std::string complaint(const ZydisDecodedOperand& operand, const CodeState& state) const {
    const bool may_write = address(operand, state).always_has(origin::kWritten | origin::kStack);
    if (is_written(operand) && !may_write) return "stores to what is not the kernel's to write";
    const Known base = base_of(operand, state);
    if (!base.is_exactly(origin::kStack)) return {};
    const std::int64_t begin = state.registers[kStackPointer].offset - below_;
    const std::int64_t end = base.offset + operand.size / 8;
    return begin <= base.offset && end <= state.room_end ? "" : "leaves the reserved stack";
  }

  const bool may_call_;
  const std::int64_t below_;
};

// The stretches of code that control enters at the start and leaves at the end.
class Blocks {
 public:
  explicit Blocks(const std::vector<Instruction>& code)
      : code_(code), starts_(code.size() + 1, false) {
    for (std::size_t i = 0; i < code.size(); ++i) number_of_[code[i].offset] = i;
    starts_[code.size()] = true;
    for (std::size_t i = 0; i < code.size(); ++i) {
      const auto target = branch_target(code[i]);
      if (target) starts_[number_of_.at(*target)] = true;
      if (target || !falls_through(code[i])) starts_[i + 1] = true;
    }
  }

  std::size_t end_of(std::size_t block) const {
    do ++block;
    while (!starts_[block]);
    return block;
  }
  std::vector<std::size_t> behind(std::size_t block) const {
    const std::size_t last = end_of(block) - 1;
    std::vector<std::size_t> out;
    if (falls_through(code_[last]) && last + 1 < code_.size()) out.push_back(last + 1);
    if (const auto target = branch_target(code_[last])) out.push_back(number_of_.at(*target));
    return out;
  }

 private:
  const std::vector<Instruction>& code_;
  std::map<std::size_t, std::size_t> number_of_;  // by offset
  std::vector<bool> starts_;
};

// What is known at the start of each block that control reaches, forwards to a fixed point.
std::map<std::size_t, CodeState> states_of(const std::vector<Instruction>& code,
                                           const Blocks& blocks, const KernelPlan& plan) {
  std::deque<std::size_t> open = {0};
  std::map<std::size_t, CodeState> out = {{0, state_at_entry()}};
  while (!open.empty()) {
    const std::size_t block = open.front();
    open.pop_front();
    CodeState state = out.at(block);
    for (std::size_t i = block; i < blocks.end_of(block); ++i) apply(code[i], plan, state);
    for (const std::size_t next : blocks.behind(block)) {
      const auto [known, is_new] = out.try_emplace(next, state);
      if (is_new || known->second.join(state)) open.push_back(next);
    }
  }
  return out;
}

}  // namespace

std::string misuse_of_memory(const Decoded& code, const KernelPlan& plan, const CodeRules& rules) {
  if (!code.is_whole) return "does not decode at " + std::to_string(code.end);
  const std::vector<Instruction>& all = code.instructions;
  const Blocks blocks(all);
  const Judge judge(all, rules);
  for (auto [block, state] : states_of(all, blocks, plan)) {
    for (std::size_t i = block; i < blocks.end_of(block); ++i) {
      const std::string found = judge.complaint(all[i], state);
      if (!found.empty()) return print(all[i]) + " " + found;
      apply(all[i], plan, state);
    }
  }
  return {};
}

}  // namespace pto::jit::tests

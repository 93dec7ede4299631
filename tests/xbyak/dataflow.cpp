#include "tests/xbyak/dataflow.h"

#include <map>
#include <string>

namespace pto::jit::tests {
namespace {

bool goes_on(const Instruction& instruction) {
  const ZydisInstructionCategory category = instruction.info.meta.category;
  return category != ZYDIS_CATEGORY_RET && category != ZYDIS_CATEGORY_UNCOND_BR;
}

// What a caller relies on: rbx, rsp, rbp and r12 to r15.
Locations needed_by_caller() {
  Locations out;
  for (const std::size_t place : {3, 4, 5, 12, 13, 14, 15}) out.set(place);
  return out;
}

// A statement that holds once an instruction has run, until one of its places changes. Storing a
// register and loading it back say the same.
struct Fact {
  std::string text;
  Locations places;
};

bool is_plain_move(const Instruction& instruction) {
  return instruction.info.mnemonic == ZYDIS_MNEMONIC_MOV && instruction.info.operand_width == 64;
}

std::string operand_text(const ZydisDecodedOperand& operand) {
  if (operand.type == ZYDIS_OPERAND_TYPE_REGISTER) return ZydisRegisterGetString(operand.reg.value);
  return std::string("[") + ZydisRegisterGetString(operand.mem.base) + "+" +
         std::to_string(operand.mem.disp.value) + "]";
}

std::optional<Fact> fact_of(const Instruction& instruction, const Effect& effect) {
  if (!effect.is_pure || (effect.reads & effect.writes).any()) return std::nullopt;
  const Locations places = effect.reads | effect.writes;
  if (!is_plain_move(instruction)) return Fact{print(instruction), places};
  const ZydisDecodedOperand& to = instruction.operands[0];
  const ZydisDecodedOperand& from = instruction.operands[1];
  const bool stores = to.type == ZYDIS_OPERAND_TYPE_MEMORY;
  if (!stores && from.type != ZYDIS_OPERAND_TYPE_MEMORY) return Fact{print(instruction), places};
  if (stores && from.type != ZYDIS_OPERAND_TYPE_REGISTER) return Fact{print(instruction), places};
  const std::string memory = operand_text(stores ? to : from);
  return Fact{operand_text(stores ? from : to) + " is " + memory, places};
}

// The facts that hold before each instruction of a kernel.
class Facts {
 public:
  Facts(const std::vector<Instruction>& code, const std::vector<Effect>& effects)
      : effects_(effects), made_(code.size()) {
    std::map<std::string, std::size_t> numbers;
    bool is_prologue = true;  // as long as memory is the frame's, which nothing changes
    for (std::size_t i = 0; i < code.size(); ++i) {
      const bool is_push = code[i].info.meta.category == ZYDIS_CATEGORY_PUSH;
      is_prologue = is_prologue && (effects[i].is_pure || is_push);
      const std::optional<Fact> fact = fact_of(code[i], effects[i]);
      if (!fact || (effects[i].reads_memory && !is_prologue)) continue;
      const auto [entry, is_new] = numbers.try_emplace(fact->text, places_.size());
      if (is_new) places_.push_back(fact->places);
      made_[i] = entry->second;
    }
    before_.assign(code.size(), Held(places_.size(), true));
    if (!code.empty()) before_[0].assign(places_.size(), false);
  }

  // Whether something is no longer taken for granted at `next` that was before.
  bool pass_on(std::size_t from, std::size_t next) {
    const Held after = after_of(from);
    bool has_changed = false;
    for (std::size_t fact = 0; fact < places_.size(); ++fact) {
      if (!before_[next][fact] || after[fact]) continue;
      before_[next][fact] = false;
      has_changed = true;
    }
    return has_changed;
  }

  bool knows_what_it_makes(std::size_t at) const {
    const std::optional<std::size_t>& fact = made_[at];
    return fact && before_[at][*fact];
  }

 private:
  using Held = std::vector<bool>;

  Held after_of(std::size_t at) const {
    Held out = before_[at];
    for (std::size_t fact = 0; fact < places_.size(); ++fact) {
      if ((places_[fact] & effects_[at].writes).any()) out[fact] = false;
    }
    if (const std::optional<std::size_t>& fact = made_[at]) out[*fact] = true;
    return out;
  }

  const std::vector<Effect>& effects_;
  std::vector<std::optional<std::size_t>> made_;  // by instruction
  std::vector<Locations> places_;                 // by fact
  std::vector<Held> before_;
};

}  // namespace

Dataflow::Dataflow(const std::vector<Instruction>& code)
    : dead_(code.size(), false), repeated_(code.size(), false) {
  for (const Instruction& instruction : code) effects_.push_back(effect_of(instruction));
  follow(code);
  find_dead();
  find_repeated(code);
}

void Dataflow::follow(const std::vector<Instruction>& code) {
  std::map<std::size_t, std::size_t> at_offset;
  for (std::size_t i = 0; i < code.size(); ++i) at_offset[code[i].offset] = i;
  next_.resize(code.size());
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (goes_on(code[i]) && i + 1 < code.size()) next_[i].push_back(i + 1);
    if (const auto target = jump_target(code[i])) next_[i].push_back(at_offset.at(*target));
  }
}

// Backwards to a fixed point. An instruction whose results are dead needs nothing itself, so chains
// and loops that only feed themselves are found too.
void Dataflow::find_dead() {
  std::vector<Locations> live(effects_.size());  // before each instruction
  bool has_changed = true;
  while (has_changed) {
    has_changed = false;
    for (std::size_t i = effects_.size(); i-- > 0;) {
      Locations after = next_[i].empty() ? needed_by_caller() : Locations();
      for (const std::size_t next : next_[i]) after |= live[next];
      const Effect& effect = effects_[i];
      dead_[i] = effect.is_pure && (effect.writes & after).none();
      const Locations before = dead_[i] ? after : (after & ~effect.overwrites) | effect.reads;
      has_changed = has_changed || before != live[i];
      live[i] = before;
    }
  }
}

// Forwards to a fixed point: a fact holds where it holds on every way in.
void Dataflow::find_repeated(const std::vector<Instruction>& code) {
  Facts facts(code, effects_);
  bool has_changed = true;
  while (has_changed) {
    has_changed = false;
    for (std::size_t i = 0; i < code.size(); ++i) {
      for (const std::size_t next : next_[i]) has_changed = facts.pass_on(i, next) || has_changed;
    }
  }
  for (std::size_t i = 0; i < code.size(); ++i) repeated_[i] = facts.knows_what_it_makes(i);
}

}  // namespace pto::jit::tests

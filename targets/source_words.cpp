#include "targets/source_words.h"

#include <algorithm>

#include "targets/words.h"

namespace pto::jit {
namespace {

template <class Enum, std::size_t kCount>
std::string word(const std::array<std::string_view, kCount>& words, Enum value) {
  return str(words[static_cast<std::size_t>(value)]);
}

constexpr std::array<std::string_view, 5> kOobWords = {"Undefined", "Skip", "Clamp", "Wrap",
                                                       "Zero"};
constexpr std::array<std::string_view, 4> kAtomicWords = {"None", "Add", "Max", "Min"};
constexpr std::array<std::string_view, 2> kCoalesceWords = {"Row", "Elem"};
constexpr std::array<std::string_view, 7> kMaskWords = {"P1111", "P0101", "P1010", "P0001",
                                                        "P0010", "P0100", "P1000"};

constexpr std::array<std::string_view, 5> kOobPhrases = {
    "", "; indices beyond it are skipped", "; indices beyond it go to the last slot",
    "; indices beyond it wrap around", "; indices beyond it give zeros"};
constexpr std::array<std::string_view, 4> kAtomicPhrases = {
    "", ", adding to what is there", ", keeping the larger value", ", keeping the smaller value"};

// "src into table"
std::string from_to(const KernelSpec& spec) {
  const Operation& operation = operation_of(spec.op);
  return operand(spec, operation.from) + " into " + operand(spec, operation.to);
}

std::string memory_phrase(const KernelSpec& spec, const Behaviour& behaviour) {
  const std::string what =
      spec.coalesce == Coalesce::Row && behaviour.has_modes ? "rows" : "elements";
  const bool scatters = written_role(spec.op) == Role::Table;
  std::string out = (scatters ? "scatters " : "gathers ") + what + " of " + from_to(spec);
  if (!behaviour.has_modes) return out + ", unchecked";
  out += word(kAtomicPhrases, spec.atomic) + word(kOobPhrases, spec.oob);
  return spec.conflict == Conflict::Default ? out + "; of several writers any may win" : out;
}

std::string mask_phrase(const KernelSpec& spec) {
  const MaskShape shape = shape_of(spec.mask);
  if (shape.factor == 1) return "copies src to dst";
  return "spreads src over dst, to column " + str(std::int64_t{shape.position}) + " of every " +
         str(std::int64_t{shape.factor}) + ", the others zero";
}

std::string group_phrase(const KernelSpec& spec) {
  const std::string way = spec.staging == Staging::PingPong ? "two stages in turn" : "one stage";
  return "deals the rows of src from rank " + str(std::int64_t{spec.root}) + " to all " +
         str(std::int64_t{spec.ranks}) + " ranks through " + way +
         (spec.engine == Engine::Ccu ? ", moved by the CCU" : "");
}

std::string tile_phrase(const KernelSpec& spec) {
  if (!is_indexed(spec.op)) return mask_phrase(spec);
  const bool counts_bytes = operation_of(spec.op).counts_bytes;
  const bool gathers = written_role(spec.op) == Role::Data;
  const std::string what = spec.unit == Unit::Block ? "32-byte blocks of " : "elements of ";
  return (gathers ? "gathers " + what : "scatters ") + from_to(spec) +
         (counts_bytes ? " by byte offsets" : " by flat offsets");
}

std::string phrase(const KernelSpec& spec, const Behaviour& behaviour) {
  switch (family_of(spec.op)) {
    case Family::Memory: return memory_phrase(spec, behaviour);
    case Family::Tiles: return tile_phrase(spec);
    case Family::Group: return group_phrase(spec);
  }
  return "";
}

// With an atomic the conflict policy means nothing, and only its default is taken everywhere.
std::string conflict_word(const KernelSpec& spec) {
  const bool any_wins = spec.atomic != Atomic::None || spec.conflict == Conflict::Default;
  return any_wins ? "Default" : "Last";
}

// The template arguments of an instruction.
std::vector<std::string> policies_of(const KernelSpec& spec, const Dialect& dialect) {
  if (has_suffix(spec.op, SuffixKind::Mask)) return {"MaskPattern::" + word(kMaskWords, spec.mask)};
  if (!has_suffix(spec.op, SuffixKind::Coalesce) || !dialect.has_policies) return {};
  const bool combines = operation_of(spec.op).combines;
  std::vector<std::string> out = {"Coalesce::" + word(kCoalesceWords, spec.coalesce)};
  if (combines) out.push_back("ScatterAtomicOp::" + word(kAtomicWords, spec.atomic));
  out.push_back((combines ? "ScatterOOB::" : "GatherOOB::") + word(kOobWords, spec.oob));
  if (combines && dialect.has_conflict) out.push_back("ScatterConflict::" + conflict_word(spec));
  return out;
}

// What is written comes first, the indices last.
std::vector<std::string> arguments_of(const KernelSpec& spec) {
  const Operation& operation = operation_of(spec.op);
  std::vector<std::string> out;
  for (const Role role : {operation.to, operation.from, Role::Index}) {
    if (!has_role(spec.op, role)) continue;
    out.push_back(operand(spec, role) + (is_tile(role) ? "Tile" : "Gm"));
  }
  return out;
}

Call group_call(const KernelSpec& spec) {
  Call call{operation_of(spec.op).instruction, {}, {"group", "srcGm"}};
  if (spec.staging == Staging::Single) call.arguments.emplace_back("stageTile");
  if (spec.staging == Staging::PingPong) {
    call.arguments.emplace_back("pingTile");
    call.arguments.emplace_back("pongTile");
  }
  if (spec.engine == Engine::Ccu) {
    call.policies = {"comm::CollEngine::CCU"};
    call.arguments.emplace_back("context");
  }
  return call;
}

}  // namespace

std::string kernel_name(const KernelSpec& spec) {
  std::string out = mnemonic(spec) + "_" + str(name_of(dtype_of(spec, written_role(spec.op))));
  std::ranges::replace(out, '.', '_');
  return out;
}

std::string kernel_summary(const LegalSpec& legal) {
  return str(legal.profile().title) + ": " + phrase(legal.spec(), legal.profile().behaviour) + ".";
}

Call call_of(const KernelSpec& spec, const Dialect& dialect) {
  if (is_collective(spec.op)) return group_call(spec);
  return {operation_of(spec.op).instruction, policies_of(spec, dialect), arguments_of(spec)};
}

}  // namespace pto::jit

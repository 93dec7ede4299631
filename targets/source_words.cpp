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

std::string memory_phrase(const KernelSpec& spec, const Behaviour& behaviour) {
  const std::string what =
      spec.coalesce == Coalesce::Row && behaviour.has_modes ? "rows" : "elements";
  const bool scatters = spec.op == Op::MScatter;
  std::string out = scatters ? "scatters " + what + " of src into table"
                             : "gathers " + what + " of table into dst";
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

std::string phrase(const KernelSpec& spec, const Behaviour& behaviour) {
  switch (spec.op) {
    case Op::MScatter:
    case Op::MGather: return memory_phrase(spec, behaviour);
    case Op::TScatter: return "scatters src into dst by flat offsets";
    case Op::TScatterMask: return mask_phrase(spec);
    case Op::TGatherB:
      return str("gathers ") + (spec.unit == Unit::Block ? "32-byte blocks" : "elements") +
             " of src into dst by byte offsets";
    case Op::CommTScatter: return group_phrase(spec);
  }
  return "";
}

// With an atomic the conflict policy means nothing, and only its default is taken everywhere.
std::string conflict_word(const KernelSpec& spec) {
  const bool any_wins = spec.atomic != Atomic::None || spec.conflict == Conflict::Default;
  return any_wins ? "Default" : "Last";
}

Call scatter_call(const KernelSpec& spec, const Dialect& dialect) {
  Call call{"MSCATTER", {}, {"tableGm", "srcTile", "idxTile"}};
  if (!dialect.has_policies) return call;
  call.policies = {"Coalesce::" + word(kCoalesceWords, spec.coalesce),
                   "ScatterAtomicOp::" + word(kAtomicWords, spec.atomic),
                   "ScatterOOB::" + word(kOobWords, spec.oob)};
  if (dialect.has_conflict) call.policies.push_back("ScatterConflict::" + conflict_word(spec));
  return call;
}

Call gather_call(const KernelSpec& spec, const Dialect& dialect) {
  Call call{"MGATHER", {}, {"dstTile", "tableGm", "idxTile"}};
  if (dialect.has_policies) {
    call.policies = {"Coalesce::" + word(kCoalesceWords, spec.coalesce),
                     "GatherOOB::" + word(kOobWords, spec.oob)};
  }
  return call;
}

Call group_call(const KernelSpec& spec) {
  Call call{"comm::TSCATTER", {}, {"group", "srcGm"}};
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
  switch (spec.op) {
    case Op::MScatter: return scatter_call(spec, dialect);
    case Op::MGather: return gather_call(spec, dialect);
    case Op::TScatter: return {"TSCATTER", {}, {"dstTile", "srcTile", "idxTile"}};
    case Op::TScatterMask:
      return {"TSCATTER", {"MaskPattern::" + word(kMaskWords, spec.mask)}, {"dstTile", "srcTile"}};
    case Op::TGatherB: return {"TGATHERB", {}, {"dstTile", "srcTile", "offsetTile"}};
    case Op::CommTScatter: return group_call(spec);
  }
  return {};
}

}  // namespace pto::jit

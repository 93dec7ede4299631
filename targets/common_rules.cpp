// The rules that hold on every target, and the names of all of them.
#include "ir/mnemonic.h"
#include "targets/rules.h"

namespace pto::jit {
namespace {

constexpr std::string_view kText = "the canonical spec text";
constexpr std::string_view kGroupDoc = "TSCATTER (communication), Constraints";
constexpr Ops kUnpoliced = kTileOps | kComm;

constexpr RuleRow kRows[] = {
    {kAllOps, &kExtentRule, "a static extent is at least 1; only a runtime one may turn out 0",
     kText},
    {kMemoryOps | kComm, &kStrideRule,
     "strides run from 1 to 2^47, given for all dimensions or none", kText},
    {kAllOps, &kSizeRule, "no operand spans more than 2^47 bytes", kText},
    {kAllOps, &kValidRule, "the valid region lies inside the padded tile",
     "TSCATTER, Target-Profile Restrictions"},
    {kMask | kComm, &kAuditRule, "an audit reads indices, and this operation has none", kText},
    {kScatter, &kOobRule,
     "an index out of bounds has no destination to zero; a scatter may skip it",
     "MSCATTER, Out-of-Bounds Behaviour"},
    {kGather, &kOobRule, "a gather cannot leave an element out; it may zero it",
     "MGATHER, after MSCATTER, Out-of-Bounds Behaviour"},
    {kUnpoliced, &kOobRule, "indices of this operation are never remapped",
     "TSCATTER, Target-Profile Restrictions"},
    {kGather | kUnpoliced, &kAtomicRule, "only MSCATTER accumulates",
     "MSCATTER, Atomic Accumulation"},
    {kGather | kUnpoliced, &kConflictRule, "only MSCATTER has a conflict policy",
     "MSCATTER, Conflict Resolution"},
    {kTScatter, &kIndexDTypeRule, "indices are 16- or 32-bit integers",
     "TSCATTER, Target-Profile Restrictions"},
    {kTGatherB, &kIndexDTypeRule, "byte offsets are read as u32", "TGATHERB, Constraints"},
    {kTScatter, &kIndexShapeRule, "there is one index for each valid source element",
     "TSCATTER, Mechanism"},
    {kTGatherB, &kBlockWidthRule, "the block form moves whole 32-byte blocks",
     "TGATHERB, Mechanism"},
    {kTGatherB, &kIndexShapeRule, "there is one offset for each valid destination element or block",
     "TGATHERB, Mechanism"},
    {kTGatherB, &kBlockSourceRule, "a block is read whole, so the source holds at least one",
     "TGATHERB, Mechanism"},
    {kComm, &kDTypeRule, "any dtype of the target may be sent", kGroupDoc},
    {kComm, &kSameDTypeRule, "source, destinations and stage have one dtype", kGroupDoc},
    {kComm, &kDataLayoutRule, "the stage is row-major", kGroupDoc},
    {kComm, &kTableLayoutRule, "tensors of a group are ND", kGroupDoc},
    {kComm, &kRanksRule, "a group has at least one rank", kGroupDoc},
    {kComm, &kRootRule, "the root is one of the ranks", kGroupDoc},
    {kComm, &kGroupShapeRule, "outer dimensions and width of source and destinations agree",
     kGroupDoc},
    {kComm, &kGroupRowsRule, "the source holds the rows of every rank", kGroupDoc},
    {kComm, &kStageDivisorRule,
     "when data exceed the stage, a static valid extent cuts them into whole chunks; a runtime one "
     "takes partial chunks",
     "TSCATTER (communication), Chunked mode constraints"},
};

}  // namespace

std::span<const RuleRow> common_rules() { return kRows; }

std::string full_id(const Profile& profile, Op op, const Rule& rule) {
  return std::string(name_of(profile.target)) + "." + std::string(operation_of(op).id) + "." +
         std::string(rule.id);
}

}  // namespace pto::jit

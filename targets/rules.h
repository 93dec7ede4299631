// Rules: named predicates over a spec, what to say when one is broken, and how a spec could be
// changed to keep it. A target's table gives each rule its operations, its reason and its source.
#pragma once

#include <array>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "ir/enum_set.h"
#include "ir/quantity.h"
#include "ir/spec.h"
#include "targets/profile.h"
#include "targets/ties.h"

namespace pto::jit {

// A spec on trial. At invocation `spec` has its runtime dimensions bound, and `declared` is the
// spec as it was written.
struct Subject {
  const KernelSpec& spec;
  const KernelSpec& declared;
  const Profile& profile;
  Ties ties = ties_of(spec, profile);

  bool is_bound() const { return &spec != &declared; }
  const OpProfile& op() const { return profile.of(spec.op); }
};

// Changes the spec towards keeping the rule; false when there is nothing it could change.
using Remedy = bool (*)(KernelSpec& spec, const Profile& profile);

struct Rule {
  std::string_view id;  // completed with target and family: "a5.scatter.atomic"
  Truth (*holds)(const Subject&);
  std::string (*finding)(const Subject&);  // names the value that breaks it
  std::array<Remedy, 3> remedies{};        // nearest first
};

using Ops = EnumSet<Op>;

struct RuleRow {
  Ops ops;
  const Rule* rule;
  std::string_view reason;  // the rule in our words
  std::string_view from;    // document and section
};

constexpr Ops ops_where(bool (*is_meant)(Op)) {
  Ops out;
  for (const Operation& row : kOperations) {
    if (is_meant(row.op)) out = out | Ops{row.op};
  }
  return out;
}

inline constexpr Ops kAllOps = ops_where([](Op) { return true; });
inline constexpr Ops kMemoryOps = ops_where([](Op op) { return family_of(op) == Family::Memory; });
inline constexpr Ops kTileOps = ops_where([](Op op) { return family_of(op) == Family::Tiles; });
inline constexpr Ops kComm = ops_where(is_collective);
inline constexpr Ops kIndexedOps = ops_where(is_indexed);
inline constexpr Ops kScatter = {Op::MScatter};
inline constexpr Ops kGather = {Op::MGather};
inline constexpr Ops kTScatter = {Op::TScatter};
inline constexpr Ops kMask = {Op::TScatterMask};
inline constexpr Ops kTGatherB = {Op::TGatherB};

// Shapes and sizes of any operand.
extern const Rule kExtentRule, kStrideRule, kSizeRule, kValidRule, kWidthRule, kDataWidthRule,
    kBudgetRule;
// Membership in the profile's columns.
extern const Rule kOfferedRule, kDTypeRule, kIndexDTypeRule, kOobRule, kAtomicRule, kConflictRule,
    kAuditRule, kDataLayoutRule, kIndexLayoutRule, kStoreLayoutRule, kTableLayoutRule;
// MSCATTER and MGATHER.
extern const Rule kSameDTypeRule, kIndexShapeRule, kPaddedRowsRule, kFlatTableRule, kRowWidthRule,
    kRowWithinTableRule, kInnerStrideRule, kEvenRowsRule, kPackedTableRule, kPairedLayoutRule,
    kNzBlockRule, kNzTileRule, kNzRowRule, kTableElementsRule;
// Tile to tile.
extern const Rule kIndexWidthRule, kStoreShapeRule, kBlockWidthRule, kBlockSourceRule,
    kBlockLayoutRule;
// Communication.
extern const Rule kRanksRule, kRootRule, kGroupShapeRule, kGroupRowsRule, kStageDivisorRule,
    kEngineRule;

// The rules every target keeps.
std::span<const RuleRow> common_rules();

// A spec as it was written.
inline Subject subject_of(const KernelSpec& spec) { return {spec, spec, profile_of(spec.target)}; }

// Calls `visit` with each row whose rule the subject breaks, until it returns false.
void for_each_broken(const Subject& subject, const std::function<bool(const RuleRow&)>& visit);

// "a2a3.scatter.atomic"
std::string full_id(const Profile& profile, Op op, const Rule& rule);

}  // namespace pto::jit

// Kernels written out in a device's primitives: what they walk, by what means, and what they wait
// for. The waits are those the instructions keep inside.
#include "targets/planner.h"
#include "targets/source_parts.h"
#include "targets/words.h"

namespace pto::jit {
namespace {

constexpr Sync flag(Pipe from, Pipe to) { return {SyncKind::Flag, from, to}; }

// Bodies by their means and waits. The store path adds without waiting for each burst.
ExpandedBody scatter_rows(bool adds) {
  ExpandedBody out;
  out.means = Means::Bursts;
  out.enter = {flag(Pipe::Vector, Pipe::Scalar), flag(Pipe::Load, Pipe::Scalar)};
  out.start = {flag(Pipe::Scalar, Pipe::Store)};
  (adds ? out.reset : out.each) = {flag(Pipe::Store, Pipe::Scalar)};
  if (adds) out.leave = {flag(Pipe::Scalar, Pipe::Vector), flag(Pipe::Scalar, Pipe::Load)};
  out.leave.insert(out.leave.end(),
                   {flag(Pipe::Store, Pipe::Vector), flag(Pipe::Store, Pipe::Load)});
  return out;
}

ExpandedBody gather_rows() {
  ExpandedBody out;
  out.means = Means::Bursts;
  out.enter = {flag(Pipe::Vector, Pipe::Scalar), flag(Pipe::Store, Pipe::Scalar),
               flag(Pipe::Load, Pipe::Scalar)};
  out.leave = {flag(Pipe::Scalar, Pipe::Load), flag(Pipe::Load, Pipe::Vector),
               flag(Pipe::Load, Pipe::Store), flag(Pipe::Scalar, Pipe::Vector),
               flag(Pipe::Scalar, Pipe::Store)};
  return out;
}

ExpandedBody elements() {
  ExpandedBody out;
  out.enter = {flag(Pipe::Vector, Pipe::Scalar), flag(Pipe::Store, Pipe::Scalar),
               flag(Pipe::Load, Pipe::Scalar)};
  out.leave = {flag(Pipe::Scalar, Pipe::Vector), flag(Pipe::Scalar, Pipe::Load),
               flag(Pipe::Scalar, Pipe::Store)};
  return out;
}

ExpandedBody between_tiles() {
  ExpandedBody out;
  out.enter = {flag(Pipe::Load, Pipe::Scalar)};
  out.leave = {flag(Pipe::Scalar, Pipe::Store)};
  return out;
}

// One element is not worth a launch.
ExpandedBody by_lanes(const KernelSpec& spec) {
  const bool is_single = spec.coalesce == Coalesce::Elem && spec.data.vr == 1 && spec.data.vc == 1;
  ExpandedBody out;
  out.means = is_single ? Means::Scalars : Means::Lanes;
  out.enter = {flag(Pipe::Load, Pipe::Vector)};
  if (is_single) out.enter.push_back(flag(Pipe::Vector, Pipe::Scalar));
  if (is_single) out.leave = {flag(Pipe::Scalar, Pipe::Vector)};
  return out;
}

ExpandedBody body_of(const KernelSpec& spec) {
  if (!has_role(spec.op, Role::Table)) return between_tiles();
  if (dialect_of(spec.target).has_lanes) return by_lanes(spec);
  if (spec.coalesce == Coalesce::Elem) return elements();
  return is_tile(written_role(spec.op)) ? gather_rows() : scatter_rows(spec.atomic == Atomic::Add);
}

// What the store path calls the types it adds in.
std::string_view store_mode(DType dtype) {
  constexpr std::array<std::string_view, 12> kModes = {"s8",  "",     "s16", "", "s32", "",
                                                       "f16", "bf16", "f32", "", "",    ""};
  return kModes[static_cast<std::size_t>(dtype)];
}

// The kernel of one part, its counts left to run time.
KernelSpec part_of(const KernelSpec& spec, const SourcePlan& plan) {
  KernelSpec part = spec;
  std::size_t at = 0;
  for (const Operand& operand : operands_of(spec.op)) {
    if (!is_tile(operand.role)) continue;
    const TileType& type = plan.tiles[at++].type;
    const auto valid = [](const Value& value) {
      return value.is_number() ? static_cast<std::int32_t>(value.amount.factor) : kRuntime;
    };
    Tile& tile = tile_of(part, operand.role);
    tile.rows = static_cast<std::int32_t>(type.rows);
    tile.cols = static_cast<std::int32_t>(type.cols);
    tile.vr = valid(type.valid_rows.value);
    tile.vc = valid(type.valid_cols.value);
  }
  return part;
}

void name_extents(const LegalSpec& legal, const SourcePlan& plan, ExpandedBody& body) {
  const ExtentTable extents(legal.spec(), legal.profile());
  for (std::size_t i = 0; i < kDims; ++i) body.extents[i] = {extents.of(static_cast<Dim>(i))};
  std::size_t at = 0;
  for (const Operand& operand : operands_of(legal.spec().op)) {
    if (!is_tile(operand.role)) continue;
    const TileType& type = plan.tiles[at++].type;
    const auto first = static_cast<std::size_t>(first_extent(operand.role));
    body.extents[first] = type.valid_rows.value;
    body.extents[first + 1] = type.valid_cols.value;
  }
}

}  // namespace

bool expand(const LegalSpec& legal, SourcePlan& plan) {
  const KernelSpec& spec = legal.spec();
  if (is_collective(spec.op) || !dialect_of(spec.target).places_tiles) return false;
  const Result<LegalSpec> part = verify(part_of(spec, plan));
  if (!part) return false;
  const Role addressed = has_role(spec.op, Role::Table) ? Role::Table : Role::Store;
  ExpandedBody body = body_of(spec);
  body.walk = make_plan(*part);
  name_extents(legal, plan, body);
  body.tile = operand(spec, Role::Data);
  body.index = operand(spec, Role::Index);
  body.table = operand(spec, addressed);
  body.dtype = spec.data.dtype;
  body.index_dtype = spec.index.dtype;
  body.is_in_memory = addressed == Role::Table;
  body.moves_bytes = operation_of(spec.op).counts_bytes;
  const bool adds = body.means == Means::Bursts && spec.atomic == Atomic::Add;
  if (adds) body.store_mode = store_mode(spec.data.dtype);
  plan.before = {};
  if (!body.is_in_memory || !dialect_of(spec.target).has_lanes) plan.after = {};
  plan.written_out.reset();
  plan.expanded = body;
  return true;
}

}  // namespace pto::jit

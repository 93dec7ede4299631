// Kernels written out in a device's primitives: what they walk. By what means, and what they wait
// for, their target says.
#include "targets/planner.h"
#include "targets/source_parts.h"
#include "targets/words.h"

namespace pto::jit {
namespace {

ExpandedBody between_tiles() {
  ExpandedBody out;
  out.enter = {flag(Pipe::Load, Pipe::Scalar)};
  out.leave = {flag(Pipe::Scalar, Pipe::Store)};
  return out;
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
  const Dialect& dialect = legal.profile().dialect;
  if (is_collective(spec.op) || dialect.body == nullptr) return false;
  const Result<LegalSpec> part = verify(part_of(spec, plan));
  if (!part) return false;
  const bool is_in_memory = family_of(spec.op) == Family::Memory;
  ExpandedBody body = is_in_memory ? dialect.body(spec) : between_tiles();
  body.walk = make_plan(*part);
  name_extents(legal, plan, body);
  body.tile = operand(spec, Role::Data);
  body.index = operand(spec, Role::Index);
  body.table = operand(spec, is_in_memory ? Role::Table : Role::Store);
  body.dtype = spec.data.dtype;
  body.index_dtype = spec.index.dtype;
  body.is_in_memory = is_in_memory;
  body.moves_bytes = operation_of(spec.op).counts_bytes;
  const bool adds = body.means == Means::Bursts && spec.atomic == Atomic::Add;
  if (adds) body.store_mode = store_mode(spec.data.dtype);
  plan.before = {};
  if (!is_in_memory || !dialect.has_lanes) plan.after = {};
  plan.written_out.reset();
  plan.expanded = body;
  return true;
}

}  // namespace pto::jit

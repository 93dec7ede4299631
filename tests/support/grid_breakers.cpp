// Ways to break a spec: one value a target does not offer, or one shape that does not fit.
#include <array>

#include "ir/mnemonic.h"
#include "tests/support/grid_parts.h"

namespace pto::jit::tests {
namespace {

bool is_memory(const KernelSpec& spec) { return has_suffix(spec.op, SuffixKind::Coalesce); }

template <class Enum>
Enum any(Random& random, std::size_t count) {
  return static_cast<Enum>(random.below(count));
}

DType any_dtype(Random& random) { return any<DType>(random, kDTypes.size()); }

// --- values -------------------------------------------------------------------------------------

bool other_target(KernelSpec& spec, Random& random) {
  const Target before = spec.target;
  spec.target = any<Target>(random, kTargets);
  return spec.target != before;
}

bool other_dtype(KernelSpec& spec, Random& random) {
  const DType dtype = any_dtype(random);
  for (const Operand& operand : operands_of(spec.op)) {
    if (operand.role != Role::Index) set_dtype(spec, operand.role, dtype);
  }
  return true;
}

bool unequal_dtypes(KernelSpec& spec, Random& random) {
  set_dtype(spec, operands_of(spec.op).back().role, any_dtype(random));
  return true;
}

bool other_index_dtype(KernelSpec& spec, Random& random) {
  spec.index.dtype = any_dtype(random);
  return has_role(spec.op, Role::Index);
}

bool other_oob(KernelSpec& spec, Random& random) {
  const Oob before = spec.oob;
  spec.oob = any<Oob>(random, 5);
  return spec.oob != before;
}

bool other_atomic(KernelSpec& spec, Random& random) {
  const Atomic before = spec.atomic;
  spec.atomic = any<Atomic>(random, 4);
  return spec.atomic != before;
}

bool other_conflict(KernelSpec& spec, Random& random) {
  spec.conflict = any<Conflict>(random, 3);
  return spec.conflict != Conflict::Unstated;
}

bool audited(KernelSpec& spec, Random&) {
  spec.audit = true;
  return true;
}

bool other_layout(KernelSpec& spec, Random& random) {
  const auto operands = operands_of(spec.op);
  const Role role = operands[random.below(operands.size())].role;
  if (is_tile(role)) {
    tile_of(spec, role).layout = any<TileLayout>(random, 3);
  } else {
    table_of(spec, role).layout = TableLayout::Nz;
  }
  return true;
}

bool other_mode(KernelSpec& spec, Random&) {
  spec.coalesce = spec.coalesce == Coalesce::Row ? Coalesce::Elem : Coalesce::Row;
  return is_memory(spec);
}

bool other_unit(KernelSpec& spec, Random&) {
  spec.unit = spec.unit == Unit::Block ? Unit::Element : Unit::Block;
  return spec.op == Op::TGatherB;
}

bool other_pattern(KernelSpec& spec, Random& random) {
  spec.mask = any<MaskPattern>(random, 7);
  return spec.op == Op::TScatterMask;
}

// --- tiles --------------------------------------------------------------------------------------

Tile* any_tile(KernelSpec& spec, Random& random) {
  const auto operands = operands_of(spec.op);
  const Role role = operands[random.below(operands.size())].role;
  return is_tile(role) ? &tile_of(spec, role) : nullptr;
}

bool ragged_tile(KernelSpec& spec, Random& random) {
  Tile* tile = any_tile(spec, random);
  if (tile == nullptr) return false;
  (tile->layout == TileLayout::ColMajor ? tile->rows : tile->cols) += 1;
  return true;
}

bool overfull_tile(KernelSpec& spec, Random& random) {
  Tile* tile = any_tile(spec, random);
  if (tile == nullptr) return false;
  if (random.below(2) == 0) {
    tile->vr = tile->rows + 1;
  } else {
    tile->vc = tile->cols + 1;
  }
  return true;
}

bool empty_tile(KernelSpec& spec, Random& random) {
  Tile* tile = any_tile(spec, random);
  if (tile == nullptr) return false;
  const std::array sides = {&tile->vr, &tile->vc, &tile->rows, &tile->cols};
  *sides[random.below(sides.size())] = 0;
  return true;
}

bool other_extent(KernelSpec& spec, Random& random) {
  Tile* tile = any_tile(spec, random);
  if (tile == nullptr) return false;
  std::int32_t& side = random.below(2) == 0 ? tile->vr : tile->vc;
  side = side > 1 ? side - 1 : 2;
  return true;
}

bool turned_index(KernelSpec& spec, Random&) {
  std::swap(spec.index.rows, spec.index.cols);
  std::swap(spec.index.vr, spec.index.vc);
  return has_role(spec.op, Role::Index);
}

// --- tables -------------------------------------------------------------------------------------

bool other_table_extent(KernelSpec& spec, Random& random) {
  constexpr std::array<std::int32_t, 3> kExtents = {0, 1, 3};
  if (!has_role(spec.op, Role::Table)) return false;
  spec.table.shape[random.below(5)] = kExtents[random.below(kExtents.size())];
  return true;
}

bool other_width(KernelSpec& spec, Random& random) {
  if (!has_role(spec.op, Role::Table)) return false;
  spec.table.shape[4] += random.below(2) == 0 ? 1 : -1;
  return spec.table.shape[4] > 0;
}

bool other_strides(KernelSpec& spec, Random& random) {
  if (!has_role(spec.op, Role::Table)) return false;
  spec.table.strides = strides_of(spec.table);
  spec.table.strides[random.below(5)] += static_cast<std::int64_t>(1 + random.below(4));
  return true;
}

// --- groups -------------------------------------------------------------------------------------

bool other_group(KernelSpec& spec, Random& random) {
  switch (random.below(6)) {
    case 0: spec.ranks = 0; break;
    case 1: spec.root = spec.ranks; break;
    case 2: spec.ranks += 2; break;
    case 3: spec.peer.shape[random.below(3)] += 1; break;
    case 4: spec.peer.shape[4] += 1; break;
    default: spec.engine = Engine::Ccu; break;
  }
  return spec.op == Op::CommTScatter;
}

constexpr std::array<Breaker, 22> kBreakers = {
    other_target,       other_dtype, unequal_dtypes, other_index_dtype, other_oob,    other_atomic,
    other_conflict,     audited,     other_layout,   other_layout,      other_mode,   other_unit,
    other_pattern,      ragged_tile, overfull_tile,  empty_tile,        other_extent, turned_index,
    other_table_extent, other_width, other_strides,  other_group,
};

}  // namespace

std::span<const Breaker> breakers() { return kBreakers; }

}  // namespace pto::jit::tests

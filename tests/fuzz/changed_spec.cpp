#include "tests/fuzz/changed_spec.h"

#include <array>
#include <string_view>

#include "ir/mnemonic.h"
#include "ir/operands.h"
#include "ir/spec_text.h"
#include "targets/verify.h"

namespace pto::jit::tests {
namespace {

constexpr std::array<std::string_view, 14> kBeginnings = {
    "cpu:mscatter.elem src=f32[8x8] idx=i32[8x8] table=f32[64]",
    "a2a3:mscatter.row src=f32[16x32|9x32] idx=i32[1x16|1x9] table=f32[64x32@40x1]",
    "a5:mscatter.elem src=u32[8x32] idx=i32[8x32] table=u32[256]",
    "a5:mscatter.row src=bf16[8x16|?x16] idx=u32[1x8|1x?] table=bf16[?x16]",
    "a5:mscatter.row.skip src=u8[16x1024|16x?] idx=i32[1x16] table=u8[4x?]",
    "a5:mgather.row.zero dst=f16[16x512|16x?] idx=i32[1x16] table=f16[4x?]",
    "cpu:mgather.elem dst=u8[2x32] idx=i32[2x32] table=u8[4x8]",
    "a2a3:mgather.row dst=f16[32x64]:nz idx=i32[1x32] table=f16[1x4x2x16x16]:nz",
    "a5:mgather.elem dst=i16[4x16|?x?] idx=i32[4x16|?x?] table=i16[?]",
    "a2a3:tscatter src=f32[16x16] idx=i32[16x16] dst=f32[16x16]",
    "a5:tscatter.p1010 src=f16[16x64] dst=f16[16x128]",
    "cpu:tgatherb src=u8[1x256] offset=u32[1x256] dst=u8[1x256]",
    "a2a3:tgatherb.block src=f32[4x64] offset=u32[4x8] dst=f32[4x64]",
    "a5:comm.tscatter src=f32[12x8] dst=f32[3x8] stage=f32[4x8|?x?] ranks=4 root=0",
};

// Around the widths of vectors, blocks, lines and scratch slots.
constexpr std::array<std::int32_t, 28> kExtents = {1,  2,   3,   4,   5,   7,   8,   9,   12, 15,
                                                   16, 17,  24,  31,  32,  33,  48,  63,  64, 65,
                                                   96, 100, 128, 256, 512, 544, 640, 1024};

std::int32_t any_padded(Random& random) {
  if (random.below(50) == 0) return static_cast<std::int32_t>(random.next() >> 33);
  return kExtents[random.below(kExtents.size())];
}
std::int32_t any_extent(Random& random) {
  return random.below(4) == 0 ? kRuntime : any_padded(random);
}

const Operand& any_operand(const KernelSpec& spec, Random& random) {
  const std::span<const Operand> operands = operands_of(spec.op);
  return operands[random.below(operands.size())];
}

DType any_dtype(Random& random) { return kDTypes[random.below(kDTypes.size())].dtype; }

void change_target(KernelSpec& spec, Random& random) {
  spec.target = static_cast<Target>(random.below(kTargets));
}

// A suffix of its own with another value; what has no word is what it is without one.
void change_suffix(KernelSpec& spec, Random& random) {
  const std::span<const Suffix> all = all_suffixes();
  Suffix suffix = all[random.below(all.size())];
  if (!has_suffix(spec.op, suffix.kind)) return;
  if (random.below(3) == 0) suffix.value = 0;
  set_suffix(spec, suffix);
}

// All that is moved has one type; indices have one of theirs.
void change_dtypes(KernelSpec& spec, Random& random) {
  const DType dtype = any_dtype(random);
  for (const Operand& operand : operands_of(spec.op)) {
    if (operand.role != Role::Index) set_dtype(spec, operand.role, dtype);
  }
}
void change_one_dtype(KernelSpec& spec, Random& random) {
  set_dtype(spec, any_operand(spec, random).role, any_dtype(random));
}

void change_tile(Tile& tile, Random& random) {
  switch (random.below(6)) {
    case 0: tile.rows = any_padded(random); break;
    case 1: tile.cols = any_padded(random); break;
    case 2: tile.vr = any_extent(random); break;
    case 3: tile.vc = any_extent(random); break;
    case 4: tile.layout = static_cast<TileLayout>(random.below(3)); break;
    default: tile.vr = tile.rows; tile.vc = tile.cols;
  }
}

void change_strides(Table& table, Random& random) {
  if (random.below(3) == 0) {
    table.strides = {};
    return;
  }
  std::int64_t packed = 1;
  for (std::size_t dim = 5; dim-- > 0;) {
    table.strides[dim] = random.below(5) == 0 ? kRuntime : packed + (random.below(3) == 0 ? 8 : 0);
    packed *= table.shape[dim] > 0 && table.shape[dim] < 4096 ? table.shape[dim] : 16;
  }
}

void change_table(Table& table, Random& random) {
  switch (random.below(8)) {
    case 0: change_strides(table, random); break;
    case 1: table.layout = static_cast<TableLayout>(random.below(2)); break;
    case 2: table.shape[random.below(3)] = static_cast<std::int32_t>(1 + random.below(3)); break;
    default: table.shape[2 + random.below(3)] = any_extent(random); break;
  }
}

void change_operand(KernelSpec& spec, Random& random) {
  const Role role = any_operand(spec, random).role;
  if (is_tile(role)) {
    change_tile(tile_of(spec, role), random);
  } else {
    change_table(table_of(spec, role), random);
  }
}

void change_group(KernelSpec& spec, Random& random) {
  if (!is_collective(spec.op)) return change_operand(spec, random);
  spec.ranks = static_cast<std::int32_t>(1 + random.below(6));
  spec.root = static_cast<std::int32_t>(random.below(static_cast<std::size_t>(spec.ranks)));
}

using Change = void (*)(KernelSpec& spec, Random& random);
constexpr std::array<Change, 10> kChanges = {
    change_target,    change_suffix,  change_suffix,  change_suffix,  change_dtypes,
    change_one_dtype, change_operand, change_operand, change_operand, change_group};

}  // namespace

KernelSpec any_beginning(Random& random) {
  return *parse(kBeginnings[random.below(kBeginnings.size())]);
}

KernelSpec changed(KernelSpec spec, Random& random) {
  for (std::size_t i = 1 + random.below(5); i-- > 0;)
    kChanges[random.below(kChanges.size())](spec, random);
  if (random.below(5) == 0) return spec;
  return nearest_legal(spec).value_or(spec);
}

}  // namespace pto::jit::tests

#include "tests/xbyak/mutant_specs.h"

#include <gtest/gtest.h>

#include <array>
#include <string_view>

#include "ir/operands.h"
#include "ir/spec_text.h"
#include "targets/verify.h"

namespace pto::jit::tests {
namespace {

struct LongCase {
  std::string_view spec;
  std::int64_t slots;  // where the spec leaves them open; extents left open are a tile's own
};

constexpr std::array kLong = {
    // Gathered elements of every size and policy.
    LongCase{"a5:mgather.elem.zero dst=f32[3x176|?x?] idx=i32[3x176|?x?] table=f32[?]", 90},
    LongCase{"a5:mgather.elem.clamp dst=u8[3x192|?x?] idx=i32[3x192|?x?] table=u8[?]", 90},
    LongCase{"a5:mgather.elem.wrap dst=f16[3x176|?x?] idx=i32[3x176|?x?] table=f16[?]", 90},
    LongCase{"a5:mgather.elem dst=f16[3x176|?x?] idx=i32[3x176|?x?] table=f16[?]", 90},
    LongCase{"a5:mgather.elem.zero dst=u8[1x256|1x252] idx=i32[1x256|1x252] table=u8[300]", 0},
    LongCase{"a5:mgather.elem.wrap dst=f32[1x256|1x252] idx=i32[1x256|1x252] table=f32[98]", 0},
    LongCase{"a5:mgather.elem.clamp dst=f32[1x256|1x252] idx=i32[1x256|1x252] table=f32[98]", 0},
    LongCase{"a5:tgatherb src=f32[8x32] offset=u32[1x256|1x252] dst=f32[1x256|1x252]", 0},

    // Tables that fit into registers.
    LongCase{"a5:mgather.elem.zero dst=u8[1x256|1x252] idx=i32[1x256|1x252] table=u8[70]", 0},
    LongCase{"a5:mgather.elem.clamp dst=f16[1x256|1x252] idx=i32[1x256|1x252] table=f16[20]", 0},
    LongCase{"a5:mgather.elem.wrap dst=f32[3x176|?x?] idx=i32[3x176|?x?] table=f32[27]", 0},
    LongCase{"a5:mgather.elem.zero dst=f32[3x176|?x?] idx=i32[3x176|?x?] table=f32[13]", 0},

    // Scattered and combined elements.
    LongCase{"a5:mscatter.elem.skip src=f32[3x176|?x?] idx=i32[3x176|?x?] table=f32[?]", 700},
    LongCase{"a5:mscatter.elem.clamp src=u32[1x64|1x60] idx=i32[1x64|1x60] table=u32[90]", 0},
    LongCase{"a5:mscatter.elem.wrap src=i32[1x64|1x60] idx=i32[1x64|1x60] table=i32[?]", 90},
    LongCase{"a5:mscatter.elem src=f32[1x64|1x60] idx=i32[1x64|1x60] table=f32[90]", 0},
    LongCase{"a5:mscatter.elem.skip.atomic_add src=bf16[3x32|?x?] idx=i32[3x32|?x?] table=bf16[?]",
             200},
    LongCase{
        "a5:mscatter.elem.clamp.atomic_add src=f16[1x64|1x60] idx=i32[1x64|1x60] table=f16[90]", 0},
    LongCase{
        "a5:mscatter.elem.wrap.atomic_add src=bf16[1x64|1x60] idx=i32[1x64|1x60] table=bf16[90]",
        0},

    // Spread elements.
    LongCase{"a5:tscatter.p1000 src=f32[3x128|?x?] dst=f32[3x512|?x?]", 0},
    LongCase{"a5:tscatter.p0100 src=f16[3x256|3x252] dst=f16[3x1024|3x1008]", 0},
    LongCase{"a5:tscatter.p1010 src=f16[3x608|?x?] dst=f16[3x1216|?x?]", 0},
    LongCase{"a5:tscatter.p0101 src=u8[3x1024|3x1000] dst=u8[3x2048|3x2000]", 0},

    // Rows.
    LongCase{"a5:mscatter.row.skip src=f32[16x320|?x?] idx=i32[1x16|1x?] table=f32[?x?]", 20},
    LongCase{"a5:mgather.row.zero dst=f16[16x576|?x?] idx=i32[1x16|1x?] table=f16[?x?]", 20},
    LongCase{"a5:mgather.row.clamp dst=u8[16x704|?x?] idx=i32[1x16|1x?] table=u8[?x?]", 20},
    LongCase{"a5:mgather.row.wrap dst=f32[8x320|?x?] idx=i32[1x8|1x?] table=f32[?x?]", 20},
    LongCase{"a5:mgather.row dst=f16[8x576|?x?] idx=i32[1x8|1x?] table=f16[?x?]", 20},
    LongCase{"a5:mscatter.row src=u16[8x544|?x?] idx=i32[1x8|1x?] table=u16[?x?]", 20},
    LongCase{"a5:mscatter.row.clamp src=u8[16x704|?x?] idx=i32[1x16|1x?] table=u8[?x?]", 20},
    LongCase{"a5:mscatter.row.wrap src=f32[22x32] idx=i32[1x24|1x22] table=f32[30x32]", 0},
    LongCase{"a5:mscatter.row.clamp src=f32[10x336] idx=i32[1x16|1x10] table=f32[?x336]", 30},
    LongCase{"a5:mscatter.row.clamp src=u8[140x32] idx=i32[1x144|1x140] table=u8[100x32]", 0},
    LongCase{"a5:mgather.row dst=f32[22x64|22x63] idx=i32[1x24|1x22] table=f32[30x63]", 0},
    LongCase{"a5:mgather.row dst=f32[14x64|14x63] idx=i32[1x16|1x14] table=f32[30x63]", 0},
    LongCase{"a5:mgather.row.clamp dst=f32[22x64|22x63] idx=i32[1x24|1x22] table=f32[30x63]", 0},
    LongCase{"a5:mgather.row.clamp dst=f32[14x64|14x63] idx=i32[1x16|1x14] table=f32[30x63]", 0},
    LongCase{"a5:mgather.row.wrap dst=f32[22x64|22x63] idx=i32[1x24|1x22] table=f32[30x63]", 0},
    LongCase{"a5:mgather.row.wrap dst=f32[14x64|14x63] idx=i32[1x16|1x14] table=f32[30x63]", 0},
    LongCase{"a5:mgather.row.zero dst=f32[22x64|22x63] idx=i32[1x24|1x22] table=f32[30x63]", 0},
    LongCase{"a5:mgather.row.zero dst=f32[14x64|14x63] idx=i32[1x16|1x14] table=f32[30x63]", 0},
    LongCase{"a5:mscatter.row src=u8[22x96] idx=i32[1x24|1x22] table=u8[30x96]", 0},
};

std::int64_t value_of(const KernelSpec& spec, Dim dim, std::int64_t slots) {
  if (!is_tile(role_of(dim)))
    return dim == Dim::TableD4 && spec.table.shape[3] == kRuntime ? spec.data.cols : slots;
  const Tile& tile = tile_of(spec, role_of(dim));
  return dim == first_extent(role_of(dim)) ? tile.rows : tile.cols;
}

KernelSpec bound_fully(const KernelSpec& spec, std::int64_t slots) {
  KernelSpec out = spec;
  for (std::size_t i = 0; i < kDims; ++i) {
    const Dim dim = static_cast<Dim>(i);
    if (has_role(spec.op, role_of(dim)) && get(spec, dim) == kRuntime)
      set(out, dim, value_of(spec, dim, slots));
  }
  return out;
}

}  // namespace

std::vector<GridCase> long_cases() {
  std::vector<GridCase> out;
  for (const LongCase& entry : kLong) {
    const KernelSpec spec = *parse(entry.spec);
    const KernelSpec bound = bound_fully(spec, entry.slots);
    EXPECT_TRUE(verify(spec) && verify_bound(*verify(spec), bound)) << entry.spec;
    out.push_back({spec, bound});
  }
  return out;
}

}  // namespace pto::jit::tests

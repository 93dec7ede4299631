// The kernels whose text is kept: every operation and policy, both devices, each layout, static and
// runtime extents, whole and in parts.
#pragma once

#include <array>
#include <string_view>

#include "targets/placement.h"

namespace pto::jit::tests {

struct GoldenKernel {
  std::string_view file;  // tests/golden/source/FILE.txt
  std::string_view spec;
  Placement placement = Placement::Manual;
  bool is_expanded = false;
};

inline constexpr std::array kGoldenKernels = {
    GoldenKernel{"a5_row_clamp_f32",
                 "a5:mscatter.row.clamp src=f32[8x32] idx=i32[1x8] table=f32[64x32]"},
    GoldenKernel{"a5_row_clamp_f32_auto",
                 "a5:mscatter.row.clamp src=f32[8x32] idx=i32[1x8] table=f32[64x32]",
                 Placement::Auto},
    GoldenKernel{"a5_row_standing_index_f16",
                 "a5:mscatter.row.clamp src=f16[8x64] idx=i32[16x1|8x1]:cm table=f16[65536x64]"},
    GoldenKernel{"a5_row_atomic_add_bf16",
                 "a5:mscatter.row.wrap.atomic_add src=bf16[16x32|9x32] idx=u32[1x16|1x9] "
                 "table=bf16[64x32]"},
    GoldenKernel{"a5_row_runtime_f32",
                 "a5:mscatter.row.skip src=f32[16x32|?x?] idx=i32[1x16|1x?] table=f32[?x?]"},
    GoldenKernel{"a5_row_mixed_runtime_f32",
                 "a5:mscatter.row src=f32[16x32|?x32] idx=i32[1x16] table=f32[64x?]"},
    GoldenKernel{"a5_row_dynamic_memory_f32",
                 "a5:mscatter.row src=f32[1200x32] idx=i32[1x1200] table=f32[64x32]"},
    GoldenKernel{
        "a5_row_parts_f32",
        "a5:mscatter.row.clamp src=f32[2048x32|?x32] idx=i32[1x2048|1x?] table=f32[64x32]"},
    GoldenKernel{"a5_elem_default_f32",
                 "a5:mscatter.elem.default src=f32[8x32] idx=i32[8x32] table=f32[256]"},
    GoldenKernel{"a5_elem_skip_f32",
                 "a5:mscatter.elem.skip src=f32[8x32] idx=i32[8x32] table=f32[256]"},
    GoldenKernel{"a5_elem_one_f32",
                 "a5:mscatter.elem src=f32[1x8|1x1] idx=i32[1x8|1x1] table=f32[32]"},
    GoldenKernel{"a5_elem_atomic_max_i32",
                 "a5:mscatter.elem.wrap.atomic_max src=i32[16x8|13x5]:cm idx=u32[13x8|13x5] "
                 "table=i32[3x5x7]"},
    GoldenKernel{"a5_elem_columns_in_parts_u8",
                 "a5:mscatter.elem.skip src=u8[1x65536] idx=u32[1x65536] table=u8[4096]"},
    GoldenKernel{"a5_gather_row_zero_f16",
                 "a5:mgather.row.zero dst=f16[32x64|20x64] idx=i32[1x32|1x20] table=f16[128x64]"},
    GoldenKernel{"a5_gather_row_f8",
                 "a5:mgather.row.clamp dst=f8e4m3[8x32] idx=i32[1x8] table=f8e4m3[64x32]"},
    GoldenKernel{
        "a5_gather_elem_column_major_f32",
        "a5:mgather.elem.wrap dst=f32[8x16|7x13]:cm idx=i32[8x13|7x13]:cm table=f32[?x16]"},
    GoldenKernel{"a5_gather_row_parts_f32",
                 "a5:mgather.row.clamp dst=f32[2048x32] idx=i32[1x2048] table=f32[64x32]"},
    GoldenKernel{"a5_tscatter_f32", "a5:tscatter src=f32[16x16] idx=i32[16x16] dst=f32[16x16]"},
    GoldenKernel{"a5_tscatter_padded_u8",
                 "a5:tscatter src=u8[4x32|?x?] idx=u16[4x32|?x?] dst=u8[8x64|8x50]"},
    GoldenKernel{"a5_tscatter_mask_f16", "a5:tscatter.p1010 src=f16[16x64] dst=f16[16x128]"},
    GoldenKernel{"a5_tscatter_mask_f16_auto", "a5:tscatter.p1010 src=f16[16x64] dst=f16[16x128]",
                 Placement::Auto},
    GoldenKernel{"a5_tscatter_mask_padded_u8",
                 "a5:tscatter.p0001 src=u8[4x32|3x10] dst=u8[4x64|3x40]"},
    GoldenKernel{"a5_tscatter_mask_all_f32",
                 "a5:tscatter.p1111 src=f32[4x8|4x5] dst=f32[4x16|4x5]"},
    GoldenKernel{"a5_tscatter_mask_runtime_i16",
                 "a5:tscatter.p0100 src=i16[4x16|?x?] dst=i16[4x64|?x?]"},
    GoldenKernel{"a5_tgatherb_block_f32",
                 "a5:tgatherb.block src=f32[8x32] offset=u32[8x8|8x4] dst=f32[8x32]"},
    GoldenKernel{"a5_tgatherb_element_f16",
                 "a5:tgatherb src=f16[8x32] offset=u32[16x8|16x8] dst=f16[16x8]:cm"},
    GoldenKernel{"a5_comm_single_f32",
                 "a5:comm.tscatter src=f32[64x32] dst=f32[16x32] stage=f32[16x32] ranks=4 root=0"},
    GoldenKernel{"a5_comm_pingpong_f32",
                 "a5:comm.tscatter.pingpong src=f32[64x32] dst=f32[16x32] stage=f32[8x32|?x?] "
                 "ranks=4 root=0"},
    GoldenKernel{"a5_comm_runtime_f32",
                 "a5:comm.tscatter src=f32[?x?] dst=f32[?x?] stage=f32[8x32|?x?] ranks=4 root=1"},
    GoldenKernel{"a5_comm_ccu_f32",
                 "a5:comm.tscatter.ccu src=f32[64x32] dst=f32[16x32] stage=f32[16x32] ranks=4 "
                 "root=0"},
    GoldenKernel{"a2a3_row_padded_table_f32",
                 "a2a3:mscatter.row src=f32[16x32|9x32] idx=i32[1x16|1x9] table=f32[64x32@40x1]"},
    GoldenKernel{
        "a2a3_row_atomic_add_f16",
        "a2a3:mscatter.row.wrap.atomic_add src=f16[8x64] idx=i32[1x8] table=f16[65536x64]"},
    GoldenKernel{"a2a3_row_outer_dimensions_i32",
                 "a2a3:mscatter.row.clamp src=i32[8x16] idx=i32[1x8] table=i32[3x1x4x1x16]"},
    GoldenKernel{"a2a3_row_runtime_strides_f32",
                 "a2a3:mscatter.row.skip src=f32[8x16|?x?] idx=i32[1x8|1x?] table=f32[?x?@?x1]"},
    GoldenKernel{"a2a3_row_nz_f16",
                 "a2a3:mscatter.row.wrap src=f16[32x64|20x64]:nz idx=i32[1x32|1x20] "
                 "table=f16[1x4x2x16x16]:nz"},
    GoldenKernel{"a2a3_row_many_rows_f32",
                 "a2a3:mscatter.row src=f32[8192x8|8190x8] idx=i32[1x8192|1x8190] table=f32[64x8]"},
    GoldenKernel{"a2a3_elem_skip_add_bf16",
                 "a2a3:mscatter.elem.skip.atomic_add src=bf16[8x32|3x17] idx=i32[8x32|3x17] "
                 "table=bf16[?x?]"},
    GoldenKernel{"a2a3_elem_nz_parts_f16",
                 "a2a3:mscatter.elem src=f16[48x1024|40x?]:nz idx=i32[48x1024|40x?] "
                 "table=f16[1x4x2x16x16]:nz"},
    GoldenKernel{"a2a3_gather_row_f32",
                 "a2a3:mgather.row.zero dst=f32[8x32|8x20] idx=i32[1x8] table=f32[64x32]"},
    GoldenKernel{"a2a3_gather_row_nz_zero_f16",
                 "a2a3:mgather.row.zero dst=f16[32x64]:nz idx=i32[1x32] table=f16[1x4x2x16x16]:nz"},
    GoldenKernel{"a2a3_gather_row_nz_parts_f16",
                 "a2a3:mgather.row.zero dst=f16[1024x128|700x128]:nz idx=i32[1x1024|1x700] "
                 "table=f16[1x8x2x16x16]:nz"},
    GoldenKernel{"a2a3_gather_elem_u32",
                 "a2a3:mgather.elem.clamp dst=u32[4x8] idx=u32[4x8] table=u32[?]"},
    GoldenKernel{"a2a3_tscatter_f16", "a2a3:tscatter src=f16[16x16] idx=u16[16x16] dst=f16[16x16]"},
    GoldenKernel{"a2a3_tgatherb_block_u8",
                 "a2a3:tgatherb.block src=u8[1x256] offset=u32[1x8] dst=u8[1x256]"},
    GoldenKernel{"a2a3_tgatherb_element_f32",
                 "a2a3:tgatherb src=f32[8x32] offset=u32[8x32|?x?] dst=f32[8x32|?x?]"},
    GoldenKernel{"a2a3_comm_f32",
                 "a2a3:comm.tscatter src=f32[2x3x40x20] dst=f32[2x3x10x20@800x300x24x1] "
                 "stage=f32[16x24|?x?] ranks=4 root=2"},
    GoldenKernel{"expanded_a5_row_last_f32",
                 "a5:mscatter.row.clamp src=f32[8x32] idx=i32[1x8] table=f32[64x32]",
                 Placement::Manual, true},
    GoldenKernel{"expanded_a5_row_atomic_add_f32",
                 "a5:mscatter.row.skip.atomic_add src=f32[8x128] idx=i32[1x8] table=f32[64x128]",
                 Placement::Manual, true},
    GoldenKernel{"expanded_a5_elem_default_f16",
                 "a5:mscatter.elem.wrap.default src=f16[8x32|7x30] idx=i32[8x32|7x30] "
                 "table=f16[?x16]",
                 Placement::Manual, true},
    GoldenKernel{"expanded_a5_elem_one_f32",
                 "a5:mscatter.elem src=f32[1x8|1x1] idx=i32[1x8|1x1] table=f32[32]",
                 Placement::Manual, true},
    GoldenKernel{"expanded_a5_gather_row_zero_f16",
                 "a5:mgather.row.zero dst=f16[32x64|?x64] idx=i32[1x32|1x?] table=f16[128x64]",
                 Placement::Manual, true},
    GoldenKernel{"expanded_a5_tscatter_mask_f16",
                 "a5:tscatter.p1010 src=f16[16x64] dst=f16[16x128]", Placement::Manual, true},
    GoldenKernel{"expanded_a5_tgatherb_block_f32",
                 "a5:tgatherb.block src=f32[8x32] offset=u32[8x8|8x4] dst=f32[8x32]",
                 Placement::Manual, true},
    GoldenKernel{"expanded_a2a3_row_f32",
                 "a2a3:mscatter.row.clamp src=f32[16x32|9x20] idx=i32[1x16|1x9] "
                 "table=f32[64x32@40x1]",
                 Placement::Manual, true},
    GoldenKernel{"expanded_a2a3_row_nz_add_f16",
                 "a2a3:mscatter.row.skip.atomic_add src=f16[32x64|20x64]:nz idx=i32[1x32|1x20] "
                 "table=f16[2x2x2x16x16]:nz",
                 Placement::Manual, true},
    GoldenKernel{"expanded_a2a3_elem_add_bf16",
                 "a2a3:mscatter.elem.skip.atomic_add src=bf16[8x32|3x17] idx=i32[8x32|3x17] "
                 "table=bf16[?x?]",
                 Placement::Manual, true},
    GoldenKernel{"expanded_a2a3_elem_nz_i32",
                 "a2a3:mscatter.elem.wrap src=i32[16x32|16x20]:nz idx=i32[16x32|16x20] "
                 "table=i32[1x2x2x16x8]:nz",
                 Placement::Manual, true},
    GoldenKernel{"expanded_a2a3_gather_row_zero_f32",
                 "a2a3:mgather.row.zero dst=f32[8x32|8x20] idx=i32[1x8] table=f32[64x32]",
                 Placement::Manual, true},
    GoldenKernel{"expanded_a2a3_gather_row_parts_f32",
                 "a2a3:mgather.row dst=f32[2048x32|?x32] idx=i32[1x2048|1x?] table=f32[64x32]",
                 Placement::Manual, true},
    GoldenKernel{"expanded_a2a3_tscatter_u8",
                 "a2a3:tscatter src=u8[4x32|4x20] idx=u16[4x32|4x20] dst=u8[8x64]",
                 Placement::Manual, true},
    GoldenKernel{"cpu_mscatter_f32",
                 "cpu:mscatter.elem src=f32[16x16] idx=i32[16x16] table=f32[256]"},
    GoldenKernel{"cpu_mgather_f32",
                 "cpu:mgather.elem dst=f32[16x16] idx=i32[16x16] table=f32[16x16]",
                 Placement::Auto},
    GoldenKernel{"cpu_tgatherb_u8", "cpu:tgatherb src=u8[1x256] offset=u32[1x256] dst=u8[1x256]"},
    GoldenKernel{"cpu_tscatter_narrow_i16",
                 "cpu:tscatter src=i16[3x16|3x5] idx=u16[3x5|3x?] dst=i16[4x7]"},
    GoldenKernel{"a2a3_tgatherb_block_ragged_f32",
                 "a2a3:tgatherb.block src=f32[8x64] offset=u32[4x16|4x12] dst=f32[4x96]"},
    GoldenKernel{"a2a3_tgatherb_block_runtime_f16_auto",
                 "a2a3:tgatherb.block src=f16[8x64] offset=u32[4x8|?x?] dst=f16[4x128|?x?]",
                 Placement::Auto},
    GoldenKernel{"expanded_a2a3_elem_add_f16_auto",
                 "a2a3:mscatter.elem.skip.atomic_add src=f16[8x32] idx=i32[8x32] table=f16[256]",
                 Placement::Auto, true},
    GoldenKernel{"expanded_a5_elem_one_add_bf16",
                 "a5:mscatter.elem.atomic_add src=bf16[1x16|1x1] idx=i32[1x8|1x1] table=bf16[64]",
                 Placement::Manual, true},
};

}  // namespace pto::jit::tests

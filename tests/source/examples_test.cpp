// Every C++ example of the instructions' documents has an emitted counterpart with the same call
// and the same tiles.
#include <gtest/gtest.h>

#include <array>
#include <string>

#include "ir/spec_text.h"
#include "jit/text/emit_source.h"

namespace pto::jit::tests {
namespace {

struct Example {
  std::string_view document;
  std::string_view spec;
  std::string_view call;  // as the document has it, with our names and every template argument
  std::string_view tile;  // of the data
  Placement placement = Placement::Manual;
};

constexpr std::array kExamples = {
    // The document pairs float with 16-bit indices, which its own width rule forbids.
    Example{"TSCATTER, Auto", "a5:tscatter src=f32[16x16] idx=u32[16x16] dst=f32[16x16]",
            "TSCATTER(dstTile, srcTile, idxTile);", "Tile<TileType::Vec, float, 16, 16,",
            Placement::Auto},
    Example{"TSCATTER, Manual", "a2a3:tscatter src=f32[16x16] idx=u32[16x16] dst=f32[16x16]",
            "TSCATTER(dstTile, srcTile, idxTile);", "Tile<TileType::Vec, float, 16, 16,"},
    Example{"TSCATTER, Mask Scatter", "a5:tscatter.p1010 src=f16[16x64] dst=f16[16x128]",
            "TSCATTER<MaskPattern::P1010>(dstTile, srcTile);", "Tile<TileType::Vec, half, 16, 64,"},
    Example{"TSCATTER (communication), Basic Scatter",
            "a5:comm.tscatter src=f32[64x32] dst=f32[16x32] stage=f32[8x32|?x?] ranks=4 root=0",
            "comm::TSCATTER(group, srcGm, stageTile);",
            "Tile<TileType::Vec, float, 8, 32, BLayout::RowMajor, -1, -1>"},
    Example{"TSCATTER (communication), Ping-Pong Scatter",
            "a2a3:comm.tscatter.pingpong src=f32[64x32] dst=f32[16x32] stage=f32[8x32|?x?] ranks=4 "
            "root=0",
            "comm::TSCATTER(group, srcGm, pingTile, pongTile);",
            "Tile<TileType::Vec, float, 8, 32, BLayout::RowMajor, -1, -1>"},
    // The document gives every byte an offset; its instruction takes one for 32 bytes.
    Example{"TGATHERB, Auto", "cpu:tgatherb.block src=u8[1x256] offset=u32[1x8] dst=u8[1x256]",
            "TGATHERB(dstTile, srcTile, offsetTile);", "Tile<TileType::Vec, uint8_t, 1, 256,",
            Placement::Auto},
    Example{"TGATHERB, Manual", "a5:tgatherb.block src=u8[1x256] offset=u32[1x8] dst=u8[1x256]",
            "TGATHERB(dstTile, srcTile, offsetTile);", "Tile<TileType::Vec, uint8_t, 1, 256,"},
    Example{"MSCATTER, Auto", "cpu:mscatter.elem src=f32[16x16] idx=i32[16x16] table=f32[256]",
            "MSCATTER(tableGm, srcTile, idxTile);", "Tile<TileType::Vec, float, 16, 16,",
            Placement::Auto},
    Example{"MSCATTER, Embedding Scatter",
            "a2a3:mscatter.row.clamp src=f32[8x32] idx=i32[1x8] table=f32[64x32]",
            "MSCATTER<Coalesce::Row, ScatterAtomicOp::None, ScatterOOB::Clamp>(tableGm, srcTile, "
            "idxTile);",
            "Tile<TileType::Vec, float, 8, 32, BLayout::RowMajor, 8, 32>"},
    Example{"MSCATTER, Atomic-Add Aggregation",
            "a2a3:mscatter.row.wrap.atomic_add src=f32[8x32] idx=i32[1x8] table=f32[64x32]",
            "MSCATTER<Coalesce::Row, ScatterAtomicOp::Add, ScatterOOB::Wrap>(tableGm, srcTile, "
            "idxTile);",
            "Tile<TileType::Vec, float, 8, 32, BLayout::RowMajor, 8, 32>"},
    Example{"MSCATTER, Sparse Update",
            "a2a3:mscatter.elem.skip src=f32[8x32] idx=i32[8x32] table=f32[256]",
            "MSCATTER<Coalesce::Elem, ScatterAtomicOp::None, ScatterOOB::Skip>(tableGm, srcTile, "
            "idxTile);",
            "Tile<TileType::Vec, float, 8, 32, BLayout::RowMajor, 8, 32>"},
    // Its index tile has eight rows of one column, which is padded to a whole burst of rows.
    Example{"MSCATTER, Deterministic Last-Write-Wins",
            "a5:mscatter.row.clamp src=f16[8x64] idx=i32[8x1]:cm table=f16[65536x64]",
            "MSCATTER<Coalesce::Row, ScatterAtomicOp::None, ScatterOOB::Clamp, "
            "ScatterConflict::Last>(tableGm, srcTile, idxTile);",
            "Tile<TileType::Vec, half, 8, 64, BLayout::RowMajor, 8, 64>"},
    Example{"MSCATTER, (1, 1) Degenerate Case",
            "a2a3:mscatter.elem src=f32[1x8|1x1] idx=i32[1x8|1x1] table=f32[32]",
            "MSCATTER<Coalesce::Elem, ScatterAtomicOp::None, ScatterOOB::Undefined>(tableGm, "
            "srcTile, idxTile);",
            "Tile<TileType::Vec, float, 1, 8, BLayout::RowMajor, 1, 1>"},
    Example{"MSCATTER, Dynamic Runtime Shapes",
            "a2a3:mscatter.elem.skip src=f32[1x16|?x?] idx=i32[1x16|?x?] table=f32[?x?]",
            "MSCATTER<Coalesce::Elem, ScatterAtomicOp::None, ScatterOOB::Skip>(tableGm, srcTile, "
            "idxTile);",
            "Tile<TileType::Vec, float, 1, 16, BLayout::RowMajor, -1, -1>"},
};

// Where a line ends is a matter of its length.
std::string on_one_line(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const bool is_gap = c == ' ' || c == '\n';
    if (is_gap && (out.empty() || out.back() == ' ' || out.back() == '(')) continue;
    out += is_gap ? ' ' : c;
  }
  return out;
}

TEST(DocumentedExamples, HaveAnEmittedCounterpart) {
  for (const Example& example : kExamples) {
    const Result<std::string> text =
        emit_source(*parse(example.spec), {.placement = example.placement});
    ASSERT_TRUE(text) << example.document << "\n" << render(text.error());
    const std::string line = on_one_line(*text);
    EXPECT_NE(line.find(" " + std::string(example.call)), std::string::npos)
        << example.document << "\n"
        << *text;
    EXPECT_NE(line.find(example.tile), std::string::npos) << example.document << "\n" << *text;
  }
}

}  // namespace
}  // namespace pto::jit::tests

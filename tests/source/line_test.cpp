// One-line spellings: each line of the instructions' documents has a counterpart, and what a
// document does not spell is refused by name.
#include <gtest/gtest.h>

#include "ir/spec_text.h"
#include "jit/text/assembler/line_text.h"
#include "targets/chunking.h"
#include "tests/support/golden.h"
#include "tests/support/grid.h"
#include "tests/support/tsv.h"

namespace pto::jit::tests {
namespace {

constexpr LineLevel kLevels[] = {LineLevel::Sync, LineLevel::Ssa, LineLevel::Dps};

Result<std::string> line_of(std::string_view text, LineLevel level,
                            Placement placement = Placement::Auto) {
  const Result<KernelSpec> spec = parse(text);
  if (!spec) return spec.error();
  const Result<LegalSpec> legal = verify(*spec);
  if (!legal) return legal.error();
  return assembly_line(*legal, level, placement);
}

// A line with the inside of every type left out, as the documents write them.
std::string elided(std::string_view line) {
  std::string out;
  int depth = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const bool is_arrow = i > 0 && line[i] == '>' && line[i - 1] == '-';
    if (line[i] == '>' && !is_arrow && --depth == 0) out += "...";
    if (depth == 0) out += line[i];
    if (line[i] == '<' && ++depth == 1) continue;
  }
  return out;
}

struct DocumentLine {
  const char* line;  // of the document, continuation joined
  LineLevel level;
  const char* spec;
};

constexpr const char* kScatterRow = "a5:mscatter.row src=f32[8x32] idx=i32[1x8] table=f32[64x32]";
constexpr const char* kGather = "a5:mgather.elem dst=f32[8x32] idx=i32[8x32] table=f32[64x32]";
constexpr const char* kTileScatter = "a5:tscatter src=f32[16x16] idx=i32[16x16] dst=f32[16x16]";
constexpr const char* kOffsets = "a5:tgatherb src=u8[1x256] offset=u32[1x256] dst=u8[1x256]";
constexpr const char* kGroup =
    "a5:comm.tscatter src=f32[64x32] dst=f32[16x32] stage=f32[8x32] ranks=4 root=0";

constexpr DocumentLine kDocuments[] = {
    {"%dst = tscatter %src, %idx : !pto.tile<...>, !pto.tile<...> -> !pto.tile<...>",
     LineLevel::Sync, kTileScatter},
    {"%dst = pto.tscatter %src, %idx : (!pto.tile<...>, !pto.tile<...>) -> !pto.tile<...>",
     LineLevel::Ssa, kTileScatter},
    {"pto.tscatter ins(%src, %idx : !pto.tile_buf<...>, !pto.tile_buf<...>) "
     "outs(%dst : !pto.tile_buf<...>)",
     LineLevel::Dps, kTileScatter},
    {"pto.tscatter %group, %src : (!pto.group<...>, !pto.memref<...>)", LineLevel::Sync, kGroup},
    {"%dst = tgatherb %src, %offsets : !pto.tile<...> -> !pto.tile<...>", LineLevel::Sync,
     kOffsets},
    {"%dst = pto.tgatherb %src, %offsets : (!pto.tile<...>, !pto.tile<...>) -> !pto.tile<...>",
     LineLevel::Ssa, kOffsets},
    {"pto.tgatherb ins(%src, %offsets : !pto.tile_buf<...>, !pto.tile_buf<...>) "
     "outs(%dst : !pto.tile_buf<...>)",
     LineLevel::Dps, kOffsets},
    {"mscatter %src, %mem, %idx : !pto.memref<...>, !pto.tile<...>, !pto.tile<...>",
     LineLevel::Sync, "cpu:mscatter.elem src=f32[16x16] idx=i32[16x16] table=f32[256]"},
    {"mscatter.row %table, %src, %idx : "
     "(!pto.memref<...>, !pto.tile<RxCxT>, !pto.tile<1xRxi32>)",
     LineLevel::Sync, kScatterRow},
    {"mscatter.elem %table, %src, %idx : "
     "(!pto.memref<...>, !pto.tile<RxCxT>, !pto.tile<RxCxi32>)",
     LineLevel::Sync, "a2a3:mscatter.elem src=f32[8x32] idx=i32[8x32] table=f32[256]"},
    {"mscatter.row.clamp.atomic_add %table, %src, %idx : "
     "(!pto.memref<...>, !pto.tile<RxCxT>, !pto.tile<1xRxi32>)",
     LineLevel::Sync,
     "a5:mscatter.row.clamp.atomic_add src=f32[8x32] idx=i32[1x8] table=f32[64x32]"},
    {"mscatter.elem.skip %table, %src, %idx : "
     "(!pto.memref<...>, !pto.tile<RxCxT>, !pto.tile<RxCxi32>)",
     LineLevel::Sync, "a5:mscatter.elem.skip src=f32[8x32] idx=i32[8x32] table=f32[256]"},
    {"pto.mscatter %src, %idx, %mem : "
     "(!pto.tile<...>, !pto.tile<...>, !pto.partition_tensor_view<MxNxdtype>) -> ()",
     LineLevel::Ssa, kScatterRow},
    {"pto.mscatter ins(%src, %idx : !pto.tile_buf<...>, !pto.tile_buf<...>) "
     "outs(%mem : !pto.partition_tensor_view<MxNxdtype>)",
     LineLevel::Dps, kScatterRow},
    {"%dst = mgather %mem, %idx : !pto.memref<...>, !pto.tile<...> -> !pto.tile<...>",
     LineLevel::Sync, kGather},
    {"%dst = pto.mgather %mem, %idx : (!pto.partition_tensor_view<MxNxdtype>, pto.tile<...>) "
     "-> !pto.tile<loc, dtype, rows, cols, blayout, slayout, fractal, pad>",
     LineLevel::Ssa, kGather},
    {"pto.mgather ins(%mem, %idx : !pto.partition_tensor_view<MxNxdtype>, !pto.tile_buf<...>) "
     "outs(%dst : !pto.tile_buf<...>)",
     LineLevel::Dps, kGather},
};

TEST(AssemblyLine, EveryLineOfTheDocumentsHasACounterpart) {
  for (const DocumentLine& document : kDocuments) {
    const Result<std::string> line = line_of(document.spec, document.level);
    ASSERT_TRUE(line) << document.spec << "\n" << render(line.error());
    EXPECT_EQ(elided(*line), elided(document.line) + "\n") << document.spec;
  }
}

constexpr const char* kSpelled[] = {
    kScatterRow,
    "a5:mscatter.elem.wrap.default src=f16[8x64|?x17] idx=u32[8x64|?x17]:cm table=f16[?x?]",
    "a5:mscatter.row.clamp.atomic_add src=f32[8x32]:cm idx=i32[8x1]:cm table=f32[64x32]",
    "a2a3:mscatter.row src=u16[32x64]:nz idx=i32[1x32] table=u16[4x2x16x16]:nz",
    "cpu:mscatter.elem.clamp src=f32[16x16] idx=i32[16x16] table=f32[256]",
    "a2a3:mgather.row.zero dst=bf16[16x32|9x20] idx=i32[1x16|1x9] table=bf16[64x32@40x1]",
    kTileScatter,
    "a5:tscatter.p1010 src=f16[16x64] dst=f16[16x128]",
    kOffsets,
    "a2a3:tgatherb.block src=f32[4x64] offset=u32[2x8] dst=f32[2x64]",
    "a5:comm.tscatter.pingpong.ccu src=hif8[64x32] dst=hif8[16x32] stage=hif8[8x32] ranks=4 "
    "root=0",
    "a5:mscatter.row.audit src=f32[8x32] idx=i32[1x8] table=f32[64x32]",
    "a5:mscatter.elem src=f32[4096x8] idx=i32[4096x8] table=f32[256]",
};

TEST(AssemblyLine, SpellingsMatchTheirGolden) {
  std::string all;
  for (const char* spec : kSpelled) {
    all += std::string(spec) + "\n";
    for (const LineLevel level : kLevels) {
      for (const Placement placement : {Placement::Auto, Placement::Manual}) {
        const Result<std::string> line = line_of(spec, level, placement);
        all += line ? *line : render(line.error());
      }
    }
    all += "\n";
  }
  EXPECT_TRUE(matches_golden("assembler/lines.txt", all));
}

TEST(AssemblyLine, ManualPlacementReachesAsFarAsTheSimulatorsMemory) {
  const auto line = [](std::string_view rows) {
    return line_of("cpu:tscatter src=f32[" + std::string(rows) + "x16] idx=u32[" +
                       std::string(rows) + "x16] dst=f32[16x16]",
                   LineLevel::Sync, Placement::Manual);
  };
  const Result<std::string> placed = line("16");
  ASSERT_TRUE(placed) << render(placed.error());
  EXPECT_TRUE(placed->starts_with("pto.tassign %src, @tile(0x0000)\n")) << *placed;
  const Result<std::string> refused = line("4096");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error()[0].id, "source.placement");
  EXPECT_NE(refused.error()[0].rule.find("524288"), std::string::npos) << refused.error()[0].rule;
}

// Offsets by the rule: in operand order, each tile padded to 32 bytes.
TEST(AssemblyLine, ManualPlacementAssignsTilesInOperandOrder) {
  const Result<std::string> line =
      line_of("a2a3:tgatherb.block src=u8[1x224] offset=u32[1x8|1x7] dst=u8[1x224]", LineLevel::Dps,
              Placement::Manual);
  ASSERT_TRUE(line) << render(line.error());
  const std::vector<std::string> lines = split(*line, '\n');
  ASSERT_GE(lines.size(), 4U);
  EXPECT_EQ(lines[0], "pto.tassign %src, @tile(0x0000)");
  EXPECT_EQ(lines[1], "pto.tassign %offsets, @tile(0x00e0)");
  EXPECT_EQ(lines[2], "pto.tassign %dst, @tile(0x0100)");
  EXPECT_TRUE(lines[3].starts_with("pto.tgatherb ins("));
}

bool has_level(Op op, LineLevel level) {
  return op != Op::TScatterMask && (op != Op::CommTScatter || level == LineLevel::Sync);
}

// The id a refusal must have; empty when there must be a line.
std::string predicted(const KernelSpec& spec, LineLevel level, Placement placement) {
  if (spec.audit) return "source.line.audit";
  if (!has_level(spec.op, level)) return "source.line.level";
  if (placement == Placement::Auto) return "";
  if (spec.target == Target::Cpu) return footprint(spec) > 512 * 1024 ? "source.placement" : "";
  const bool is_whole = chunking_of(spec, profile_of(spec.target))->axis == ChunkAxis::Whole;
  return is_whole ? "" : "source.line.chunks";
}

void expect_line(const LegalSpec& legal, LineLevel level, Placement placement) {
  const Result<std::string> line = assembly_line(legal, level, placement);
  const std::string id = line ? "" : line.error().front().id;
  ASSERT_EQ(id, predicted(legal.spec(), level, placement)) << print(legal.spec());
  if (!line) return;
  EXPECT_EQ(line->find_first_of("{}"), std::string::npos) << *line;
  EXPECT_EQ(line->find("<>"), std::string::npos) << *line;
  EXPECT_EQ(line->back(), '\n');
}

TEST(AssemblyLine, EveryLegalSpecOfTheGridHasItsLinesOrARefusal) {
  for (const KernelSpec& spec : legal_grid()) {
    const Result<LegalSpec> legal = verify(spec);
    ASSERT_TRUE(legal) << print(spec);
    for (const LineLevel level : kLevels) {
      expect_line(*legal, level, Placement::Auto);
      expect_line(*legal, level, Placement::Manual);
    }
    if (HasFailure()) break;
  }
}

TEST(AssemblyLine, AMissingLevelNamesThoseThereAre) {
  const Result<std::string> group = line_of(kGroup, LineLevel::Dps);
  ASSERT_FALSE(group);
  EXPECT_EQ(group.error().front().rule, "its document has: sync");
  const Result<std::string> mask =
      line_of("a5:tscatter.p1010 src=f16[16x64] dst=f16[16x128]", LineLevel::Ssa);
  ASSERT_FALSE(mask);
  EXPECT_EQ(mask.error().front().id, "source.line.level");
}

}  // namespace
}  // namespace pto::jit::tests

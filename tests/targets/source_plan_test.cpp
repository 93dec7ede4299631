// Source plans over the whole grid: where tiles lie, what a launch asks for, what is refused.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "ir/quantity.h"
#include "ir/spec_text.h"
#include "jit/text/emit_source.h"
#include "targets/chunking.h"
#include "targets/source_planner.h"
#include "tests/support/grid.h"

namespace pto::jit::tests {
namespace {

std::int64_t end_of(const SourcePlan& plan) {
  std::int64_t end = 0;
  for (const TilePlan& tile : plan.tiles) {
    EXPECT_EQ(tile.offset % kBlockBytes, 0);
    EXPECT_GE(tile.offset, end) << plan.spec;
    end = tile.offset +
          round_up(tile.type.rows * tile.type.cols * size_of(tile.type.dtype), kBlockBytes);
  }
  return end;
}

TEST(SourcePlan, PlacesTilesApartAndWithinTheBudget) {
  std::map<std::string, std::size_t> refused;
  std::size_t made = 0;
  for (const KernelSpec& spec : legal_grid()) {
    const LegalSpec legal = *verify(spec);
    const Result<SourcePlan> plan = make_source_plan(legal);
    if (!plan) {
      ++refused[plan.error()[0].id];
      continue;
    }
    ++made;
    const Budget& budget = legal.profile().budget;
    if (budget.tile_bytes == 0) continue;
    EXPECT_LE(end_of(*plan), budget.tile_bytes) << plan->spec;
  }
  EXPECT_GT(made, 10000U);
  for (const auto& [id, count] : refused)
    EXPECT_TRUE(id == "source.audit" || id == "source.row_stride") << id << " " << count;
}

TEST(SourcePlan, AsksForLocalMemoryBeyondWhatEveryLaunchGets) {
  const auto bytes = [](std::string_view text) {
    return make_source_plan(*verify(*parse(text)))->dynamic_bytes;
  };
  EXPECT_EQ(bytes("a5:mscatter.row src=f32[992x32] idx=i32[1x992] table=f32[64x32]"), 0);
  EXPECT_EQ(bytes("a5:mscatter.row src=f32[1000x32] idx=i32[1x1000] table=f32[64x32]"),
            1000 * 32 * 4 + 1000 * 4);
  EXPECT_EQ(bytes("a2a3:mscatter.row src=f32[1000x32] idx=i32[1x1000] table=f32[64x32]"), 0);
}

TEST(SourcePlan, TextNamesTheBytesItsLaunchAsksFor) {
  const Result<std::string> text =
      emit_source(*parse("a5:mscatter.row src=f32[1000x32] idx=i32[1x1000] table=f32[64x32]"));
  ASSERT_TRUE(text);
  EXPECT_NE(text->find("constexpr uint32_t dynUBufSize = 132000;"), std::string::npos) << *text;
  EXPECT_NE(text->find("<<<1, dynUBufSize, stream>>>"), std::string::npos) << *text;
}

std::string refusal_of(std::string_view text, std::optional<Placement> placement = {}) {
  const Result<KernelSpec> spec = parse(text);
  const Result<LegalSpec> legal = verify(*spec);
  if (!legal) return legal.error()[0].id;
  const Result<SourcePlan> plan = make_source_plan(*legal, {.placement = placement});
  return plan ? "" : plan.error()[0].id;
}

TEST(SourcePlan, RefusesWhatCannotBePlacedOrMoved) {
  EXPECT_EQ(refusal_of("a5:tscatter src=f32[256x128] idx=i32[256x128] dst=f32[8x8]"),
            "a5.tscatter.ub.budget");
  EXPECT_EQ(refusal_of("a5:mscatter.row src=f32[1x65536] idx=i32[1x8|1x1] table=f32[4x65536]"),
            "a5.scatter.ub.budget");
  EXPECT_EQ(refusal_of("a5:tscatter.p0101 src=u8[4x32] dst=u8[8x64|4x64]", Placement::Auto),
            "source.placement");
  EXPECT_EQ(refusal_of("a5:tscatter.p0101 src=u8[4x32] dst=u8[4x64]", Placement::Auto), "");
  EXPECT_EQ(
      refusal_of("cpu:mgather.elem dst=f32[8x8] idx=i32[8x8] table=f32[64]", Placement::Manual),
      "");
  constexpr std::string_view kLarge =
      "cpu:mgather.elem dst=f32[512x160] idx=i32[512x160] table=f32[64]";
  EXPECT_EQ(refusal_of(kLarge, Placement::Manual), "source.placement");
  EXPECT_EQ(make_source_plan(*verify(*parse(kLarge)))->placement, Placement::Auto);
  EXPECT_EQ(refusal_of("a5:mscatter.row.audit src=f32[8x32] idx=i32[1x8] table=f32[64x32]"),
            "source.audit");
  EXPECT_EQ(refusal_of("a2a3:tscatter src=u8[4x32] idx=u16[4x32] dst=u8[4200x32]"),
            "source.load_rows");
  EXPECT_EQ(refusal_of("a5:comm.tscatter src=f32[8x8@16x2] dst=f32[4x8] stage=f32[4x8] ranks=2 "
                       "root=0"),
            "source.row_stride");
  EXPECT_EQ(refusal_of("cpu:tgatherb src=i32[24x1239313070] offset=u32[1x256] dst=i32[1x256]"),
            "source.tile_elements");
}

TEST(SourcePlan, MakesBothOfAPairRuntimeWhereTheDeviceComparesTypes) {
  const auto types = [](std::string_view text) {
    const SourcePlan plan = *make_source_plan(*verify(*parse(text)));
    return std::array{
        plan.tiles[0].type.valid_rows.is_in_type, plan.tiles[0].type.valid_cols.is_in_type,
        plan.tiles[1].type.valid_cols.is_in_type, plan.tensors[2].shape[4].is_in_type};
  };
  EXPECT_EQ(types("a5:mscatter.row src=f32[8x32|?x32] idx=i32[1x8] table=f32[64x?]"),
            (std::array{false, false, false, false}));
  EXPECT_EQ(types("a2a3:mscatter.row src=f32[8x32|?x32] idx=i32[1x8] table=f32[64x?]"),
            (std::array{false, true, true, false}));
  EXPECT_EQ(types("a5:mscatter.row src=f32[8x32|?x32] idx=i32[1x8|1x?] table=f32[64x32]"),
            (std::array{false, true, false, true}));
}

}  // namespace
}  // namespace pto::jit::tests

// Gathers by byte offsets: the instruction where it is exact, written out where it is not.
#include <gtest/gtest.h>

#include "ir/spec_text.h"
#include "jit/text/emit_source.h"
#include "targets/source_planner.h"
#include "tests/source/sample.h"

namespace pto::jit::tests {
namespace {

constexpr std::uint32_t kSeed = 20260110;

// Rows of a2a3 that are no multiple of 256 bytes: whole and partly valid tiles, offset tiles with
// and without padding, more rows than one instruction takes, extents of run time.
constexpr std::string_view kRagged[] = {
    "a2a3:tgatherb.block src=f32[8x64] offset=u32[4x16|4x12] dst=f32[4x96]",
    "a2a3:tgatherb.block src=f32[8x64] offset=u32[4x8|4x3] dst=f32[4x64|4x24]",
    "a2a3:tgatherb.block src=f32[8x64] offset=u32[4x8|4x3] dst=f32[4x24]",
    "a2a3:tgatherb.block src=i8[8x64] offset=u32[4x8|4x1] dst=i8[4x32]",
    "a2a3:tgatherb.block src=u16[8x64] offset=u32[300x8|300x7] dst=u16[300x112]",
    "a2a3:tgatherb.block src=f32[8x64] offset=u32[4x16|4x?] dst=f32[4x128|4x?]",
    "a2a3:tgatherb.block src=bf16[8x64] offset=u32[4x16|?x?] dst=bf16[4x256|?x?]",
    "a2a3:tgatherb.block src=f16[8x64] offset=u32[4x16|?x12] dst=f16[4x192|?x192]",
};

constexpr std::string_view kExact[] = {
    "a2a3:tgatherb.block src=f32[8x64] offset=u32[4x8|?x8] dst=f32[4x64|?x64]",
    "a2a3:tgatherb.block src=f32[8x64] offset=u32[4x8] dst=f32[4x64]",
    "a2a3:tgatherb.block src=f32[8x64] offset=u32[4x24|4x16] dst=f32[4x192|4x128]",
    "a5:tgatherb.block src=f32[8x64] offset=u32[4x16|4x12] dst=f32[4x96]",
    "cpu:tgatherb.block src=f32[8x64] offset=u32[4x16|4x12] dst=f32[4x96]",
};

constexpr std::string_view kElements[] = {
    "a2a3:tgatherb src=f32[8x32] offset=u32[8x32|?x?] dst=f32[8x32|?x?]",
    "a5:tgatherb src=f16[8x32] offset=u32[16x16|13x5] dst=f16[16x16|13x5]:cm",
    "cpu:tgatherb src=f32[3x5] offset=u32[4x3] dst=f32[4x3]",
    "cpu:tgatherb src=i8[7x3] offset=u32[4x9|?x9] dst=i8[4x9|?x9]",
    "cpu:tgatherb src=u8[1x256] offset=u32[1x256] dst=u8[1x256]",
};

bool calls(std::string_view text) {
  return emit_source(*parse(text))->find("TGATHERB(dstTile") != std::string::npos;
}

void add_cases(std::string_view text, std::vector<EmulatedCase>& cases) {
  const LegalSpec legal = *verify(*parse(text));
  for (const KernelSpec& bound : bindings_for(legal)) {
    for (const Placement placement : {Placement::Manual, Placement::Auto}) {
      const auto seed = static_cast<std::uint32_t>(kSeed + cases.size());
      std::optional<Workload> load = make_workload(legal, bound, Pattern::Random, seed);
      if (load) cases.push_back({.load = std::move(*load), .placement = placement});
    }
  }
}

TEST(ByteGathers, AreCalledWhereTheInstructionIsExact) {
  for (const std::string_view text : kExact) EXPECT_TRUE(calls(text)) << text;
  for (const std::string_view text : kElements) EXPECT_FALSE(calls(text)) << text;
  for (const std::string_view text : kRagged) EXPECT_FALSE(calls(text)) << text;
}

TEST(ByteGathers, AgreeWithTheInterpreterInBothPlacements) {
  std::vector<EmulatedCase> cases;
  for (const std::string_view text : kRagged) add_cases(text, cases);
  for (const std::string_view text : kExact) add_cases(text, cases);
  for (const std::string_view text : kElements) add_cases(text, cases);
  EXPECT_GT(cases.size(), 36U);
  expect_equal(cases);
}

}  // namespace
}  // namespace pto::jit::tests

// The wording of diagnostics and notes, and the generated documentation, compared whole.
#include "tests/support/golden.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "ir/spec_text.h"
#include "targets/report.h"
#include "targets/verify.h"
#include "tests/support/rule_cases.h"

namespace pto::jit::tests {
namespace {

// Texts that name no spec.
constexpr const char* kUnreadable[] = {
    "",
    "a6:tscatter",
    "a5:scatter",
    "a5:mscatter src=f32[8x32] idx=i32[1x8] table=f32[64x32]",
    "a5:mscatter.row.bogus src=f32[8x32] idx=i32[1x8] table=f32[64x32]",
    "a5:mgather.row.atomic_add.zero dst=f32[8x32] idx=i32[1x8] table=f32[64x32]",
    "a5:tscatter src=f32[16x16] idx=i32[16x16]",
    "a5:tscatter src=f32[16x16] index=i32[16x16] dst=f32[16x16]",
    "a5:tscatter src=f64[16x16] idx=i32[16x16] dst=f32[16x16]",
    "a5:tscatter src=f32[?x16] idx=i32[16x16] dst=f32[16x16]",
    "a5:mgather.row dst=f32[8x32] idx=i32[1x8] table=f32[64x32@32]",
    "a5:mgather.row dst=f32[8x32] idx=i32[1x8] table=f32[64x99999999999]",
    "a5:tscatter src=f32[16x16] idx=i32[16x16] dst=f32[16\303\22716]",
};

// Several rules at once.
constexpr const char* kHopeless[] = {
    "cpu:mscatter.row.zero.atomic_max.last src=hif8[9x20|10x20]:nz idx=f32[1x8]:cm "
    "table=u8[2x64x20@2000x30x1]:nz",
    "a2a3:tgatherb.skip.block src=f8e4m3[1x16] offset=i32[4x7|3x7] dst=u16[4x15]:cm",
    "a5:comm.tscatter.atomic_add.audit src=f32[7x30] dst=i32[2x2x31]:nz stage=f16[3x31|4x32]:cm "
    "ranks=4 root=4",
};

constexpr const char* kLegal[] = {
    "cpu:mscatter.elem.clamp src=f32[8x16] idx=i32[8x16] table=f32[256]",
    "cpu:mscatter.elem.wrap.atomic_add src=f32[8x16] idx=i32[8x16] table=f32[8x32@40x1]",
    "cpu:mgather.elem.zero dst=f32[8x16] idx=i32[8x16] table=f32[256]",
    "cpu:tgatherb src=u8[1x256] offset=u32[1x256] dst=u8[1x256]",
    "cpu:tscatter src=f32[16x16] idx=u16[16x16] dst=f32[16x16]",
    "a2a3:mscatter.row.atomic_add src=f32[8x16] idx=i32[1x8] table=f32[16x16]",
    "a2a3:mscatter.elem.skip.atomic_add src=bf16[8x32|3x17] idx=i32[8x32|3x17] table=bf16[?x?]",
    "a2a3:mscatter.elem src=f32[4096x8] idx=i32[4096x8] table=f32[256]",
    "a2a3:mgather.row.zero dst=f16[32x64]:nz idx=i32[1x32] table=f16[4x2x16x16]:nz",
    "a2a3:mgather.elem dst=f32[512x64]:nz idx=i32[512x64] table=f32[8x2x16x8]:nz",
    "a2a3:tgatherb.block src=f32[1x64] offset=u32[1x8|1x7] dst=f32[1x64|1x56]",
    "a5:mscatter.row src=f32[8x16] idx=i32[1x8] table=f32[64x16]",
    "a5:mscatter.row.clamp.default src=f32[8x32|?x32] idx=i32[1x8] table=f32[64x32]",
    "a5:mscatter.elem.atomic_max src=u32[8x32] idx=i32[8x32]:cm table=u32[256]",
    "a5:mscatter.elem src=f32[2304x8] idx=i32[2304x8] table=f32[256]",
    "a5:mscatter.elem src=f32[4096x8] idx=i32[4096x8] table=f32[256]",
    "a5:mgather.elem dst=f32[1x65536] idx=i32[1x65536] table=f32[256]",
    "a5:tscatter.p1010 src=f16[16x64] dst=f16[16x128]",
    "a5:tgatherb src=f32[8x8] offset=u32[8x8] dst=f32[8x8]:cm",
    "a5:comm.tscatter.ccu src=f32[8x32] dst=f32[2x32] stage=f32[2x40|?x?] ranks=4 root=0",
};

std::string answer(const std::string& text) {
  std::string out = "$ ptojit check '" + printable(text, 4096) + "'\n";
  const Result<KernelSpec> spec = parse(text);
  if (!spec) return out + render(spec.error(), text) + "\n";
  const Result<LegalSpec> legal = verify(*spec);
  if (!legal) return out + render(legal.error(), text) + "\n";
  return out + "legal: " + print(*spec) + "\n" + render(notes_on(*legal)) + "\n";
}

std::string without_target(const std::string& id) { return id.substr(id.find('.') + 1); }

// One spec for each rule of each family, the targets taking turns.
std::string answers_by_rule() {
  std::string out;
  std::set<std::string> shown;
  std::size_t turn = 0;
  for (const std::vector<RuleCase>& group : rule_case_groups()) {
    const RuleCase& entry = group[turn++ % group.size()];
    if (shown.insert(without_target(entry.breaks[0])).second) out += answer(entry.broken);
  }
  return out;
}

TEST(Goldens, Diagnostics) {
  std::string text;
  for (const char* spec : kUnreadable) text += answer(spec);
  for (const char* spec : kHopeless) text += answer(spec);
  EXPECT_TRUE(matches_golden("diagnostics.txt", text + answers_by_rule()));
}

TEST(Goldens, Notes) {
  std::string text;
  for (const char* spec : kLegal) text += answer(spec);
  EXPECT_TRUE(matches_golden("notes.txt", text));
}

TEST(Goldens, ADifferenceIsFoundAndShown) {
  EXPECT_EQ(first_difference("one\ntwo\n", "one\ntwo\n"), "");
  EXPECT_EQ(first_difference("one\ntwo\n", "one\n2\n"), "line 2\n  kept: two\n  now:  2");
  EXPECT_EQ(first_difference("one", "one\n"), "line 2\n  kept: (no such line)\n  now:  ");
}

TEST(Docs, TargetsAreCurrent) { EXPECT_TRUE(matches_file("docs/targets.md", report_all())); }

}  // namespace
}  // namespace pto::jit::tests

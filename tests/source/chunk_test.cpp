// Kernels whose tiles do not fit local memory are emitted in parts and mean the same.
#include <gtest/gtest.h>

#include "ir/spec_text.h"
#include "jit/text/emit_source.h"
#include "targets/source_planner.h"
#include "tests/support/emulated.h"

namespace pto::jit::tests {
namespace {

constexpr std::uint32_t kSeed = 20260106;

constexpr std::string_view kBeyondTheBudget[] = {
    "a5:mscatter.row.clamp src=f32[2048x32] idx=i32[1x2048] table=f32[64x32]",
    "a5:mscatter.row.default src=f16[4096x64|4000x64] idx=i32[1x4096|1x4000] table=f16[4096x64]",
    "a5:mscatter.row.atomic_add src=f32[2048x32|?x32] idx=i32[2048x1|?x1]:cm table=f32[?x32]",
    "a5:mscatter.elem.skip src=u8[8192x32|8190x30]:cm idx=u32[8192x30|8190x30]:cm table=u8[512]",
    "a5:mscatter.elem src=f32[1x32768|1x?] idx=i32[1x32768|1x?] table=f32[512]",
    "a5:mscatter.elem.wrap.atomic_max src=i32[4096x8] idx=i32[4096x8] table=i32[100]",
    "a5:mgather.row.zero dst=f32[2048x32|2000x32] idx=i32[1x2048|1x2000] table=f32[64x32]",
    "a5:mgather.elem.clamp dst=f32[64x512|60x511]:cm idx=i32[64x512|60x511] table=f32[512]",
    "a2a3:mscatter.row.skip src=f32[2048x32|2047x20] idx=i32[1x2048|1x2047] table=f32[64x32@40x1]",
    "a2a3:mscatter.row.atomic_add src=f32[2048x32] idx=i32[1x2048] table=f32[64x32]",
    "a2a3:mscatter.elem src=i32[4200x8|4150x5] idx=i32[4200x8|4150x5] table=i32[512]",
    "a2a3:mscatter.elem.atomic_add src=f16[48x1024|?x?]:nz idx=i32[48x1024|?x?] "
    "table=f16[1x4x2x16x16]:nz",
    "a2a3:mscatter.row.wrap src=f16[1024x128|1000x128]:nz idx=i32[1x1024|1x1000] "
    "table=f16[1x8x2x16x16]:nz",
    "a2a3:mgather.row.zero dst=f16[1024x128|700x128]:nz idx=i32[1x1024|1x700] "
    "table=f16[1x8x2x16x16]:nz",
    "a2a3:mgather.row.clamp dst=f16[1024x128|?x?]:nz idx=i32[1x1024|1x?] table=f16[1x8x?x16x16]:nz",
    "a2a3:mgather.elem.zero dst=f16[48x1024|40x1000]:nz idx=i32[48x1024|40x1000] "
    "table=f16[1x4x2x16x16]:nz",
    "a2a3:mgather.elem dst=u8[1x65536|1x65535] idx=u32[1x65536|1x65535] table=u8[999]",
    "a2a3:mscatter.row src=f32[5000x8|4000x8] idx=i32[1x5000|1x4000] table=f32[64x8]",
};

LegalSpec legal(std::string_view text) {
  const Result<LegalSpec> out = verify(*parse(text));
  if (!out) ADD_FAILURE() << render(out.error());
  return *out;
}

TEST(EmittedParts, MeanTheSame) {
  std::vector<EmulatedCase> cases;
  std::uint32_t number = 0;
  for (const std::string_view text : kBeyondTheBudget) {
    const LegalSpec spec = legal(text);
    const SourcePlan plan = *make_source_plan(spec);
    const bool is_trimmed = text.starts_with("a2a3:mscatter.row src=f32[5000x8|4000x8]");
    EXPECT_EQ(plan.loop.has_value(), !is_trimmed) << text;
    const std::vector<KernelSpec> bindings = bindings_for(spec);
    EXPECT_FALSE(bindings.empty()) << text;
    for (const KernelSpec& bound : bindings) {
      const std::optional<Workload> load =
          make_workload(spec, bound, Pattern::Random, kSeed + ++number);
      if (load) cases.push_back({*load});
      if (load) cases.push_back({.load = *load, .is_expanded = true});
    }
  }
  const std::vector<EmulatedRun> runs = run_emulated(cases);
  for (std::size_t i = 0; i < cases.size(); ++i) EXPECT_EQ(difference(cases[i], runs[i]), "");
}

}  // namespace
}  // namespace pto::jit::tests

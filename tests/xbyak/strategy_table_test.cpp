// The strategy of every family of kernels, element width, policy and kind of shape, at each feature
// level, pinned; and where indices are taken one by one, that the documentation says why.
#include <gtest/gtest.h>

#include <set>

#include "ir/spec_text.h"
#include "targets/planner.h"
#include "tests/support/golden.h"
#include "tests/support/tsv.h"
#include "tests/xbyak/code_levels.h"

namespace pto::jit::tests {
namespace {

std::vector<std::string> with_policies(const std::string& op, const std::string& operands) {
  const bool is_gather = op.find("mgather") != std::string::npos;
  std::vector<std::string> out;
  for (const std::string policy : {"", ".clamp", ".wrap", is_gather ? ".zero" : ".skip"})
    out.push_back(op + policy + " " + operands);
  return out;
}

std::string replaced(std::string text, std::string_view type) {
  for (std::size_t at = 0; (at = text.find("$t", at)) != std::string::npos;)
    text.replace(at, 2, type);
  return text;
}

// Specs with $t for an element type.
struct Block {
  std::string_view name;
  std::vector<std::string> specs;
};

std::vector<Block> blocks() {
  std::vector<Block> out;
  const auto add = [&](std::string_view name, const std::string& op, const std::string& operands) {
    out.push_back({name, with_policies(op, operands)});
  };
  add("gathered rows", "a5:mgather.row", "dst=$t[64x32] idx=i32[1x64] table=$t[256x32]");
  add("gathered rows, runtime", "a5:mgather.row",
      "dst=$t[64x32|?x?] idx=i32[1x64|1x?] table=$t[?x?]");
  add("gathered rows of 4 KB", "a5:mgather.row", "dst=$t[8x4096] idx=i32[1x8] table=$t[64x4096]");
  add("gathered column-major rows", "a5:mgather.row",
      "dst=$t[64x32]:cm idx=i32[1x64] table=$t[256x32]");
  add("gathered elements", "a5:mgather.elem", "dst=$t[8x64] idx=i32[8x64] table=$t[4096]");
  add("gathered elements, runtime", "a5:mgather.elem",
      "dst=$t[8x64|?x?] idx=i32[8x64|?x?] table=$t[?x?]");
  add("gathered from a small table", "a5:mgather.elem", "dst=$t[8x64] idx=i32[8x64] table=$t[32]");
  add("gathered by column-major indices", "a5:mgather.elem",
      "dst=$t[8x64] idx=i32[8x64]:cm table=$t[4096]");
  add("scattered rows", "a5:mscatter.row", "src=$t[64x32] idx=i32[1x64] table=$t[256x32]");
  add("scattered rows, runtime", "a5:mscatter.row",
      "src=$t[64x32|?x?] idx=i32[1x64|1x?] table=$t[?x?]");
  add("rows scattered over a large table", "a5:mscatter.row",
      "src=$t[64x64] idx=i32[1x64] table=$t[9000000x64]");
  add("rows scattered over a near table", "a5:mscatter.row",
      "src=$t[64x128] idx=i32[1x64] table=$t[1024x128]");
  add("scattered rows of 4 KB", "a5:mscatter.row",
      "src=$t[64x4096] idx=i32[1x64] table=$t[64x4096]");
  add("rows gathered from a large table", "a5:mgather.row",
      "dst=$t[512x64] idx=i32[1x512] table=$t[9000000x64]");
  add("rows scattered over few slots", "a5:mscatter.row",
      "src=$t[64x512] idx=i32[1x64] table=$t[8x512]");
  add("scattered column-major rows", "a5:mscatter.row",
      "src=$t[64x32]:cm idx=i32[1x64] table=$t[256x32]");
  add("scattered elements", "a5:mscatter.elem", "src=$t[8x64] idx=i32[8x64] table=$t[4096]");
  add("scattered elements, runtime", "a5:mscatter.elem",
      "src=$t[8x64|?x?] idx=i32[8x64|?x?] table=$t[?x?]");
  add("scattered by column-major indices", "a5:mscatter.elem",
      "src=$t[8x64] idx=i32[8x64]:cm table=$t[4096]");
  add("added rows", "a5:mscatter.row", "src=$t[64x32] idx=i32[1x64] table=$t[256x32]");
  for (std::string& spec : out.back().specs) spec.insert(spec.find(' '), ".atomic_add");
  add("added elements", "a5:mscatter.elem", "src=$t[8x64] idx=i32[8x64] table=$t[4096]");
  for (std::string& spec : out.back().specs) spec.insert(spec.find(' '), ".atomic_add");
  add("added rows, runtime", "a5:mscatter.row",
      "src=$t[64x32|?x?] idx=i32[1x64|1x?] table=$t[?x?]");
  for (std::string& spec : out.back().specs) spec.insert(spec.find(' '), ".atomic_add");
  add("added elements, runtime", "a5:mscatter.elem",
      "src=$t[8x64|?x?] idx=i32[8x64|?x?] table=$t[?x?]");
  for (std::string& spec : out.back().specs) spec.insert(spec.find(' '), ".atomic_add");
  add("gathered by column-major indices, runtime", "a5:mgather.elem",
      "dst=$t[8x64|?x?] idx=i32[8x64|?x?]:cm table=$t[?x?]");
  add("scattered by column-major indices, runtime", "a5:mscatter.elem",
      "src=$t[8x64|?x?] idx=i32[8x64|?x?]:cm table=$t[?x?]");
  add("largest elements", "a5:mscatter.elem", "src=$t[8x64] idx=i32[8x64] table=$t[4096]");
  for (std::string& spec : out.back().specs) spec.insert(spec.find(' '), ".atomic_max");
  out.push_back({"tile to tile",
                 {"a5:tscatter src=f32[8x64] idx=i32[8x64] dst=f32[8x64]",
                  "a5:tscatter src=f16[8x64] idx=i16[8x64] dst=f16[8x64]",
                  "a5:tscatter src=i8[8x64] idx=i16[8x64] dst=i8[8x64]",
                  "a5:tscatter src=f32[8x64|?x?] idx=i32[8x64|?x?] dst=f32[8x64]"}});
  out.push_back({"mask",
                 {"a5:tscatter.p0101 src=$t[8x64] dst=$t[8x128]",
                  "a5:tscatter.p0100 src=$t[8x64] dst=$t[8x256]",
                  "a5:tscatter.p1111 src=$t[8x64] dst=$t[8x64]",
                  "a5:tscatter.p1010 src=$t[8x64|?x?] dst=$t[8x128|?x?]"}});
  out.push_back({"byte offsets",
                 {"a5:tgatherb src=$t[8x64] offset=u32[8x64] dst=$t[8x64]",
                  "cpu:tgatherb src=$t[8x64] offset=u32[8x64] dst=$t[8x64]",
                  "a5:tgatherb src=$t[8x64|?x?] offset=u32[8x64|?x?] dst=$t[8x64|?x?]",
                  "a5:tgatherb.block src=$t[8x64] offset=u32[8x8|8x2] dst=$t[8x64]"}});
  out.push_back({"NZ",
                 {"a2a3:mgather.row dst=f16[32x64]:nz idx=i32[1x32] table=f16[1x4x2x16x16]:nz",
                  "a2a3:mgather.elem dst=f16[32x64]:nz idx=i32[32x64] table=f16[1x4x2x16x16]:nz",
                  "a2a3:mscatter.row src=f16[32x64]:nz idx=i32[1x32] table=f16[1x4x2x16x16]:nz",
                  "a2a3:mscatter.elem.skip src=f16[32x64]:nz idx=i32[32x64] "
                  "table=f16[1x4x2x16x16]:nz"}});
  out.push_back({"NZ, runtime",
                 {"a2a3:mgather.row dst=f16[32x64|?x64]:nz idx=i32[1x32|1x?] "
                  "table=f16[1x4x?x16x16]:nz",
                  "a2a3:mgather.elem dst=f16[32x64]:nz idx=i32[32x64] table=f16[?x?x?x16x16]:nz",
                  "a2a3:mscatter.elem.skip src=i8[32x64]:nz idx=i32[32x64] "
                  "table=i8[1x?x2x16x32]:nz"}});
  out.push_back({"group",
                 {"a5:comm.tscatter src=$t[64x32] dst=$t[16x32] stage=$t[16x32] ranks=4 root=0",
                  "a5:comm.tscatter src=$t[?x32] dst=$t[?x32] stage=$t[16x32|?x?] ranks=4 "
                  "root=0"}});
  return out;
}

struct Row {
  KernelSpec spec;
  KernelPlan plan;
};

// Each spec with every element type its target takes there.
std::vector<Row> rows_of(const Block& block) {
  std::vector<Row> out;
  std::set<std::string> seen;
  for (const std::string& text : block.specs) {
    for (const std::string_view type : {"i8", "bf16", "f16", "f32", "i32"}) {
      const std::string spelt = replaced(text, type);
      const Result<KernelSpec> spec = parse(spelt);
      EXPECT_TRUE(spec) << spelt;
      if (!spec || !is_legal(*spec) || !seen.insert(print(*spec)).second) continue;
      out.push_back({*spec, make_plan(*verify(*spec))});
    }
  }
  EXPECT_FALSE(out.empty()) << block.name;
  return out;
}

// Where it is another on a host that differs in one feature.
std::string with_other(const KernelPlan& plan, std::string_view name,
                       bool HostFeatures::* feature) {
  std::string out;
  for (const FeatureLevel level : {FeatureLevel::Avx2, FeatureLevel::Avx512}) {
    HostFeatures host = host_with(level);
    host.*feature = !(host.*feature);
    const Strategy strategy = choose_strategy(plan, host);
    if (strategy == strategy_at(plan, level)) continue;
    out += "  " + std::string(name) + ": " + print(strategy) + "\n";
  }
  return out;
}

TEST(StrategyTable, IsPinned) {
  std::string text;
  for (const Block& block : blocks()) {
    text += "# " + std::string(block.name) + "\n";
    for (const Row& row : rows_of(block)) {
      text += print(row.spec) + "\n";
      for (const FeatureLevel level : kCodeLevels)
        text += "  " + print(strategy_at(row.plan, level)) + "\n";
      text += with_other(row.plan, "slow gathers", &HostFeatures::fast_gather);
      text += with_other(row.plan, "an AMD core", &HostFeatures::amd_core);
      text += with_other(row.plan, "a wide core", &HostFeatures::wide_core);
    }
  }
  EXPECT_TRUE(matches_golden("strategies.txt", text));
}

TEST(StrategyTable, SinglesAreExplained) {
  const std::string documented = read_text("docs/performance.md");
  std::set<std::string_view> reasons;
  for (const Block& block : blocks()) {
    for (const Row& row : rows_of(block)) {
      for (const FeatureLevel level : {FeatureLevel::Avx2, FeatureLevel::Avx512}) {
        const Strategy strategy = strategy_at(row.plan, level);
        if (strategy.group > 1) continue;
        const std::string_view reason = reason_for_singles(row.plan);
        EXPECT_FALSE(reason.empty()) << print(row.spec);
        reasons.insert(reason);
      }
    }
  }
  EXPECT_FALSE(reasons.empty());
  for (const std::string_view reason : reasons)
    EXPECT_NE(documented.find(reason), std::string::npos) << reason;
}

}  // namespace
}  // namespace pto::jit::tests

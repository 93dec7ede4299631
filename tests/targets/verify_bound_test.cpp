// Rules about runtime dimensions wait for their values, and are kept then.
#include <gtest/gtest.h>

#include <string>

#include "ir/mnemonic.h"
#include "ir/operands.h"
#include "ir/spec_text.h"
#include "targets/verify.h"
#include "tests/support/grid.h"
#include "tests/support/tsv.h"

namespace pto::jit::tests {
namespace {

struct Bound {
  std::string_view values;
  std::string_view broken;  // without target and family; empty: legal
};

KernelSpec with_values(KernelSpec spec, std::string_view values) {
  for (const std::string& part : split(values, ' ')) {
    const std::vector<std::string> sides = split(part, '=');
    const std::optional<Dim> dim = dim_named(spec.op, sides.at(0));
    EXPECT_TRUE(dim) << part;
    if (dim) set(spec, *dim, std::stoll(sides.at(1)));
  }
  return spec;
}

std::string tail_of(const std::string& id) {
  const std::size_t family = id.find('.') + 1;
  return id.substr(id.find('.', family) + 1);
}

std::string broken_by(const LegalSpec& legal, std::string_view values) {
  const Result<Done> verdict = verify_bound(legal, with_values(legal.spec(), values));
  std::string out;
  if (verdict) return out;
  for (const Diagnostic& problem : verdict.error()) {
    EXPECT_FALSE(problem.message.empty() || problem.rule.empty() || problem.from.empty());
    out += (out.empty() ? "" : " ") + tail_of(problem.id);
  }
  return out;
}

void expect_verdicts(const std::string& text, std::initializer_list<Bound> cases) {
  const Result<LegalSpec> legal = verify(*parse(text));
  ASSERT_TRUE(legal) << text << "\n" << render(legal.error());
  for (const Bound& entry : cases)
    EXPECT_EQ(broken_by(*legal, entry.values), entry.broken) << text << " " << entry.values;
}

TEST(VerifyBound, KeepsValidRegionsInsideTheirTiles) {
  for (const std::string target : {"cpu", "a2a3", "a5"}) {
    expect_verdicts(target + ":mscatter.elem src=f32[8x16|?x?] idx=i32[8x16|?x?] table=f32[64]",
                    {{"src.vr=8 src.vc=16 idx.vr=8 idx.vc=16", ""},
                     {"src.vr=1 src.vc=1 idx.vr=1 idx.vc=1", ""},
                     {"src.vr=9 src.vc=16 idx.vr=9 idx.vc=16", "valid"},
                     {"src.vr=8 src.vc=17 idx.vr=8 idx.vc=17", "valid"},
                     {"src.vr=8 src.vc=16 idx.vr=8 idx.vc=15", "index.shape"}});
  }
}

TEST(VerifyBound, LetsRuntimeExtentsBeZero) {
  for (const std::string target : {"cpu", "a2a3", "a5"}) {
    expect_verdicts(
        target + ":mgather.elem.zero dst=f32[8x16|?x?] idx=i32[8x16|?x?] table=f32[?x?]",
        {{"dst.vr=0 dst.vc=16 idx.vr=0 idx.vc=16 table.d3=4 table.d4=4", ""},
         {"dst.vr=8 dst.vc=0 idx.vr=8 idx.vc=0 table.d3=4 table.d4=4", ""},
         {"dst.vr=8 dst.vc=16 idx.vr=8 idx.vc=16 table.d3=0 table.d4=4", ""},
         {"dst.vr=8 dst.vc=16 idx.vr=8 idx.vc=16 table.d3=4 table.d4=0", ""},
         {"dst.vr=0 dst.vc=0 idx.vr=0 idx.vc=1 table.d3=4 table.d4=4", "index.shape"},
         {"dst.vr=-2 dst.vc=0 idx.vr=-2 idx.vc=0 table.d3=4 table.d4=4", "extent"}});
  }
}

TEST(VerifyBound, ComparesRowWidths) {
  expect_verdicts("a5:mscatter.row src=f32[8x16|?x?] idx=i32[1x8|1x?] table=f32[?x?]",
                  {{"src.vr=5 src.vc=7 idx.vc=5 table.d3=3 table.d4=7", ""},
                   {"src.vr=5 src.vc=7 idx.vc=5 table.d3=3 table.d4=8", "row.width"},
                   {"src.vr=5 src.vc=0 idx.vc=5 table.d3=3 table.d4=0", ""},
                   {"src.vr=5 src.vc=7 idx.vc=4 table.d3=3 table.d4=7", "index.shape"}});
  expect_verdicts("a2a3:mscatter.row src=f32[8x16|8x?] idx=i32[1x8] table=f32[4x?]",
                  {{"src.vc=7 table.d4=7", ""},
                   {"src.vc=7 table.d4=9", ""},
                   {"src.vc=7 table.d4=6", "row.width"}});
  expect_verdicts("cpu:mscatter.row src=f32[8x16|8x?] idx=i32[8x1] table=f32[4x9]",
                  {{"src.vc=1", ""}, {"src.vc=2", "row.width"}});
}

TEST(VerifyBound, KeepsOuterExtentsOfFlatTablesAtOne) {
  expect_verdicts("a5:mgather.row dst=f32[8x16] idx=i32[1x8] table=f32[?x?x?x?x16]",
                  {{"table.d0=1 table.d1=1 table.d2=1 table.d3=9", ""},
                   {"table.d0=1 table.d1=2 table.d2=1 table.d3=9", "table.flat"}});
  expect_verdicts("a2a3:mgather.row dst=f32[8x16] idx=i32[1x8] table=f32[?x?x?x?x16]",
                  {{"table.d0=2 table.d1=3 table.d2=1 table.d3=9", ""}});
}

TEST(VerifyBound, LooksForPackedStrides) {
  for (const std::string target : {"a2a3", "a5"}) {
    expect_verdicts(target + ":mscatter.elem.skip src=f32[1x16] idx=i32[1x16] table=f32[?x?@?x?]",
                    {{"table.d3=3 table.d4=10 table.s3=10 table.s4=1", ""},
                     {"table.d3=3 table.d4=10 table.s3=12 table.s4=1", "table.packed"},
                     {"table.d3=3 table.d4=10 table.s3=10 table.s4=2", "table.packed"},
                     {"table.d3=1 table.d4=10 table.s3=99 table.s4=1", ""},
                     {"table.d3=3 table.d4=1 table.s3=1 table.s4=99", ""},
                     {"table.d3=3 table.d4=0 table.s3=5 table.s4=1", ""},
                     {"table.d3=0 table.d4=10 table.s3=5 table.s4=3", ""},
                     {"table.d3=3 table.d4=10 table.s3=0 table.s4=1", "stride table.packed"}});
  }
}

TEST(VerifyBound, LooksForEvenlySpacedRows) {
  expect_verdicts("a2a3:mscatter.row src=f32[8x16] idx=i32[1x8] table=f32[?x8x16@?x24x1]",
                  {{"table.d2=2 table.s2=192", ""},
                   {"table.d2=2 table.s2=200", "table.row_spacing"},
                   {"table.d2=1 table.s2=200", ""},
                   {"table.d2=0 table.s2=200", ""}});
  expect_verdicts("a2a3:mscatter.row src=f32[8x16] idx=i32[1x8] table=f32[?x8x16@200x24x1]",
                  {{"table.d2=1", ""}, {"table.d2=2", "table.row_spacing"}});
  expect_verdicts("a2a3:mscatter.row src=f32[8x16] idx=i32[1x8] table=f32[2x?x16@?x?x1]",
                  {{"table.d3=8 table.s2=192 table.s3=24", ""},
                   {"table.d3=1 table.s2=24 table.s3=24", ""},
                   {"table.d3=1 table.s2=192 table.s3=24", "table.row_spacing"}});
  expect_verdicts("a2a3:mscatter.row src=f32[8x16] idx=i32[1x8] table=f32[4x16@24x?]",
                  {{"table.s4=1", ""}, {"table.s4=2", "table.inner_stride"}});
}

TEST(VerifyBound, CountsTheElementsOfATable) {
  expect_verdicts("a5:mgather.elem dst=u8[1x32] idx=i32[1x32] table=u8[?x?]",
                  {{"table.d3=65536 table.d4=65535", ""},
                   {"table.d3=65536 table.d4=65536", "table.elements"},
                   {"table.d3=2147483647 table.d4=2147483647", "size table.elements"}});
}

TEST(VerifyBound, ChecksNzBlocksAndRows) {
  expect_verdicts("a2a3:mgather.row dst=f32[16x32]:nz idx=i32[1x16] table=f32[?x?x?x?x?]:nz",
                  {{"table.d0=2 table.d1=2 table.d2=3 table.d3=16 table.d4=8", ""},
                   {"table.d0=2 table.d1=2 table.d2=0 table.d3=16 table.d4=8", ""},
                   {"table.d0=2 table.d1=3 table.d2=3 table.d3=16 table.d4=8", "nz.row"},
                   {"table.d0=1 table.d1=2 table.d2=3 table.d3=8 table.d4=8", "nz.block"},
                   {"table.d0=1 table.d1=2 table.d2=3 table.d3=16 table.d4=4", "nz.block"}});
}

TEST(VerifyBound, ChecksMaskAndOffsetShapes) {
  expect_verdicts("a5:tscatter.p0001 src=f32[4x8|?x?] dst=f32[4x32|?x?]",
                  {{"src.vr=3 src.vc=5 dst.vr=3 dst.vc=20", ""},
                   {"src.vr=3 src.vc=5 dst.vr=3 dst.vc=10", "store.shape"},
                   {"src.vr=0 src.vc=0 dst.vr=0 dst.vc=0", ""}});
  expect_verdicts("a5:tgatherb.block src=f32[4x8] offset=u32[4x8|?x?] dst=f32[4x32|?x?]",
                  {{"offset.vr=4 offset.vc=4 dst.vr=4 dst.vc=32", ""},
                   {"offset.vr=4 offset.vc=0 dst.vr=4 dst.vc=0", ""},
                   {"offset.vr=4 offset.vc=1 dst.vr=4 dst.vc=12", "block.width index.shape"},
                   {"offset.vr=4 offset.vc=2 dst.vr=4 dst.vc=8", "index.shape"}});
}

TEST(VerifyBound, ChecksGroups) {
  expect_verdicts("a5:comm.tscatter src=f32[?x32] dst=f32[?x?] stage=f32[8x32|?x?] ranks=4 root=0",
                  {{"src.d3=64 dst.d3=16 dst.d4=32", ""},
                   {"src.d3=70 dst.d3=16 dst.d4=32 stage.vr=3 stage.vc=5", ""},
                   {"src.d3=63 dst.d3=16 dst.d4=32", "group.rows"},
                   {"src.d3=64 dst.d3=16 dst.d4=31", "group.shape"},
                   {"src.d3=64 dst.d3=0 dst.d4=32", ""},
                   {"src.d3=0 dst.d3=0 dst.d4=32", ""},
                   {"src.d3=64 dst.d3=16 dst.d4=32 stage.vr=9", "valid"}});
  expect_verdicts("a5:comm.tscatter src=f32[64x32] dst=f32[?x32] stage=f32[8x32] ranks=4 root=0",
                  {{"dst.d3=16", ""}, {"dst.d3=7", ""}, {"dst.d3=12", "stage.divides"}});
}

TEST(VerifyBound, AgreesWithVerifyOnStaticSpecs) {
  int legal = 0;
  for_each_spec([&](const KernelSpec& spec) {
    const Result<LegalSpec> verdict = verify(spec);
    if (!verdict) return;
    for (std::size_t i = 0; i < kDims; ++i) {
      if (get(spec, static_cast<Dim>(i)) == kRuntime) return;
    }
    ++legal;
    ASSERT_TRUE(verify_bound(*verdict, spec)) << print(spec);
  });
  EXPECT_GE(legal, 10000);
}

// The stride of a runtime extent is the kernel's row pitch even where the extent turns out to be
// one; written statically, such a stride is of no account.
bool has_idle_pitch(const GridCase& entry) {
  return entry.spec.table.shape[3] == kRuntime && entry.bound.table.shape[3] == 1 &&
         has_strides(entry.bound.table);
}

// Whatever verify lets through because it must wait is found, or is fine, once all is bound.
TEST(VerifyBound, FindsWhatVerifyWouldHaveFound) {
  int deferred = 0;
  for_each_case([&](const GridCase& entry) {
    const Result<LegalSpec> legal = verify(entry.spec);
    if (!legal) return;
    const bool bound_is_good = verify_bound(*legal, entry.bound).has_value();
    if (is_legal(entry.bound) && !has_idle_pitch(entry)) {
      ASSERT_TRUE(bound_is_good) << print(entry.spec) << "\n" << print(entry.bound);
    }
    deferred += bound_is_good ? 0 : 1;
  });
  EXPECT_GE(deferred, 300);
}

}  // namespace
}  // namespace pto::jit::tests

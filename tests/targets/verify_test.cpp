// The verdicts of the targets on what the instructions' documents show and decide.
#include "targets/verify.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "ir/mnemonic.h"
#include "ir/spec_text.h"
#include "targets/profile.h"
#include "tests/support/tsv.h"

namespace pto::jit::tests {
namespace {

// The broken rules of a spec without its target; empty when it is legal.
std::string broken_rules(const std::string& text) {
  const Result<KernelSpec> spec = parse(text);
  if (!spec) return render(spec.error(), text);
  const Result<LegalSpec> verdict = verify(*spec);
  std::string out;
  if (verdict) return out;
  const std::size_t target = name_of(spec->target).size() + 1;
  for (const Diagnostic& problem : verdict.error())
    out += (out.empty() ? "" : " ") + problem.id.substr(target);
  return out;
}

struct Verdicts {
  std::string_view title;
  std::string_view spec;  // without its target
  std::string_view cpu;   // the rules each target finds broken; empty: legal
  std::string_view a2a3;
  std::string_view a5;
};

void expect_verdicts(const Verdicts& entry) {
  const std::string spec(entry.spec);
  EXPECT_EQ(broken_rules("cpu:" + spec), entry.cpu) << entry.title;
  EXPECT_EQ(broken_rules("a2a3:" + spec), entry.a2a3) << entry.title;
  EXPECT_EQ(broken_rules("a5:" + spec), entry.a5) << entry.title;
}

constexpr Verdicts kExamples[] = {
    {"TSCATTER, Auto and Manual: float with 16-bit indices",
     "tscatter src=f32[16x16] idx=u16[16x16] dst=f32[16x16]", "", "tscatter.index.width",
     "tscatter.index.width"},
    {"TSCATTER, with the indices its width rule asks for",
     "tscatter src=f32[16x16] idx=u32[16x16] dst=f32[16x16]", "", "", ""},
    {"TSCATTER, Mask Scatter", "tscatter.p1010 src=f16[16x64] dst=f16[16x128]", "mask.op",
     "mask.op", ""},
    {"TGATHERB, Auto and Manual", "tgatherb src=u8[1x256] offset=u32[1x256] dst=u8[1x256]", "", "",
     ""},
    {"TSCATTER of the communication set, Basic Scatter",
     "comm.tscatter src=f32[64x32] dst=f32[16x32] stage=f32[8x32|?x?] ranks=4 root=0", "", "", ""},
    {"Basic Scatter with a tile smaller both ways",
     "comm.tscatter src=f32[60x50] dst=f32[15x50] stage=f32[4x16|?x?] ranks=4 root=1", "", "", ""},
    {"Ping-Pong Scatter",
     "comm.tscatter.pingpong src=f16[512x64] dst=f16[256x64] stage=f16[32x64|?x?] ranks=2 root=0",
     "", "", ""},
    {"CollEngine::CCU",
     "comm.tscatter.ccu src=f32[64x32] dst=f32[16x32] stage=f32[8x32|?x?] ranks=4 root=0",
     "comm.engine", "comm.engine", ""},
    {"MSCATTER, Auto and Manual, the default mode of the NPUs",
     "mscatter.row src=f32[16x16] idx=i32[16x16] table=f32[64x16]",
     "scatter.row.width scatter.index.shape", "scatter.index.shape", "scatter.index.shape"},
    {"MSCATTER, Auto and Manual, element by element as the simulator does it",
     "mscatter.elem src=f32[16x16] idx=i32[16x16] table=f32[64x16]", "", "", ""},
    {"Row Coalesce, Embedding Scatter",
     "mscatter.row.clamp src=f32[8x32] idx=i32[1x8] table=f32[64x32]",
     "scatter.row.width scatter.index.shape scatter.index.rows", "", ""},
    {"Row Coalesce, Atomic-Add Aggregation",
     "mscatter.row.wrap.atomic_add src=f32[8x32] idx=i32[1x8] table=f32[64x32]",
     "scatter.row.width scatter.index.shape scatter.index.rows", "", ""},
    {"Element Coalesce, Sparse Update",
     "mscatter.elem.skip src=f32[8x32] idx=i32[8x32] table=f32[256]", "", "", ""},
    {"Deterministic Last-Write-Wins",
     "mscatter.row.clamp.last src=f16[8x64] idx=i32[8x1]:cm table=f16[65536x64]",
     "scatter.conflict scatter.index.layout scatter.row.width",
     "scatter.conflict scatter.index.layout", ""},
    {"Element Coalesce, (1, 1)", "mscatter.elem src=f32[1x8|1x1] idx=i32[1x8|1x1] table=f32[32]",
     "", "", ""},
    {"Dynamic Runtime Shapes",
     "mscatter.elem.skip src=f32[1x16|?x?] idx=i32[1x16|?x?] table=f32[?x?@?x?]", "", "", ""},
    {"Extended per-call memory", "mscatter.elem src=f32[2304x8] idx=i32[2304x8] table=f32[256]", "",
     "", ""},
    {"MGATHER, [N, 1] row-major indices",
     "mgather.row dst=f32[8x8|8x1] idx=i32[8x1] table=f32[64x8]", "",
     "gather.index.shape gather.width", "gather.index.shape gather.row.width gather.width"},
    {"MGATHER, [N, M] indices", "mgather.elem dst=f32[8x8] idx=i32[8x8] table=f32[64x8]", "", "",
     ""},
};

TEST(Verify, JudgesTheExamplesOfTheDocuments) {
  for (const Verdicts& entry : kExamples) expect_verdicts(entry);
}

constexpr Verdicts kDecisions[] = {
    {"Row of the simulator has one valid column, and then it is Elem",
     "mscatter.row src=f32[8x8|8x1] idx=i32[8x1] table=f32[64x8]", "",
     "scatter.index.shape scatter.width", "scatter.index.shape scatter.row.width scatter.width"},
    {"a Row index tile of length 1 has either form",
     "mscatter.row src=f32[1x8] idx=i32[8x8|1x1] table=f32[64x8]",
     "scatter.row.width scatter.index.rows", "", ""},
    {"any index width goes on the simulator", "tscatter src=u8[16x32] idx=i32[16x32] dst=u8[16x32]",
     "", "tscatter.index.width", "tscatter.index.width"},
    {"the simulator pads nothing tile to tile", "tscatter src=u8[3x7] idx=i16[3x7] dst=u8[5x11]",
     "", "tscatter.width", "tscatter.width"},
    {"outer extents count as rows on A2/A3 only",
     "mscatter.row src=f32[8x32] idx=i32[1x8] table=f32[2x3x4x8x32]",
     "scatter.row.width scatter.index.shape scatter.index.rows scatter.table.flat", "",
     "scatter.table.flat"},
    {"Elem counts all five extents, except on the simulator",
     "mgather.elem dst=f32[8x32] idx=i32[8x32] table=f32[2x3x4x8x32]", "gather.table.flat", "", ""},
    {"only A2/A3 Row reads the row stride",
     "mgather.row dst=f32[8x32] idx=i32[1x8] table=f32[64x32@40x1]",
     "gather.row.width gather.index.shape gather.index.rows", "", "gather.table.packed"},
    {"strides of single extents never matter",
     "mgather.row dst=f32[8x32] idx=i32[1x8] table=f32[1x64x32@7x32x1]",
     "gather.row.width gather.index.shape gather.index.rows", "", ""},
    {"2^32 elements are too many for 32-bit offsets, 2^32 less one are not",
     "mgather.elem dst=u8[1x32] idx=i32[1x32] table=u8[65536x65536]", "", "gather.table.elements",
     "gather.table.elements"},
    {"A2/A3 Row has wide offsets",
     "mgather.row dst=u8[1x32] idx=i32[1x8|1x1] table=u8[134217728x32]", "gather.row.width", "",
     "gather.table.elements"},
    {"A2/A3 Row may be narrower than the table",
     "mscatter.row src=f32[8x16] idx=i32[1x8] table=f32[64x32]",
     "scatter.row.width scatter.index.shape scatter.index.rows", "", "scatter.row.width"},
    {"static zeros are refused everywhere",
     "mscatter.elem src=f32[8x16] idx=i32[8x16] table=f32[0x16]", "scatter.extent",
     "scatter.extent", "scatter.extent"},
    {"runtime and static extents may be mixed",
     "mscatter.elem src=f32[8x16|?x16] idx=i32[8x16] table=f32[?x16]", "", "", ""},
    {"NZ belongs to A2/A3",
     "mgather.row.zero dst=f16[32x64]:nz idx=i32[1x32] table=f16[4x2x16x16]:nz",
     "gather.layout gather.table.layout gather.row.width gather.index.shape gather.index.rows "
     "gather.table.flat",
     "", "gather.layout gather.table.layout gather.table.flat gather.row.width"},
    {"an NZ tile may be wider than the table's rows",
     "mscatter.row src=f32[16x64]:nz idx=i32[1x16] table=f32[2x2x1x16x8]:nz",
     "scatter.layout scatter.table.layout scatter.row.width scatter.index.shape scatter.index.rows "
     "scatter.table.flat",
     "", "scatter.layout scatter.table.layout scatter.table.flat scatter.row.width"},
    {"the 8-bit floats are moved on A5, two of them on the simulator",
     "mscatter.elem src=hif8[8x32] idx=i32[8x32] table=hif8[256]", "scatter.dtype", "scatter.dtype",
     ""},
    {"tile to tile nobody moves 8-bit floats",
     "tgatherb src=f8e4m3[1x256] offset=u32[1x256] dst=f8e4m3[1x256]", "tgatherb.dtype",
     "tgatherb.dtype", "tgatherb.dtype"},
    {"column-major data and indices belong to A5",
     "mscatter.elem src=f32[8x16]:cm idx=i32[8x16]:cm table=f32[256]",
     "scatter.layout scatter.index.layout", "scatter.layout scatter.index.layout", ""},
    {"a column-major destination of single elements belongs to A5",
     "tgatherb src=f32[8x8] offset=u32[8x8] dst=f32[8x8]:cm", "tgatherb.layout", "tgatherb.layout",
     ""},
    {"surplus source rows of a group are ignored",
     "comm.tscatter src=f32[70x32] dst=f32[16x32] stage=f32[16x32] ranks=4 root=0", "", "", ""},
    {"a static stage as large as the data need not divide anything",
     "comm.tscatter src=f32[28x24] dst=f32[7x24] stage=f32[8x32] ranks=4 root=0", "", "", ""},
    {"a static stage over outer dimensions divides the rows",
     "comm.tscatter src=f32[2x12x32] dst=f32[2x3x32] stage=f32[4x32] ranks=4 root=0",
     "comm.stage.divides", "comm.stage.divides", "comm.stage.divides"},
};

TEST(Verify, KeepsTheDecisions) {
  for (const Verdicts& entry : kDecisions) expect_verdicts(entry);
}

TEST(Verify, SaysThatTheDocumentsOwnExampleBreaksItsRule) {
  for (const std::string target : {"a2a3", "a5"}) {
    const Result<LegalSpec> verdict =
        verify(*parse(target + ":tscatter src=f32[16x16] idx=u16[16x16] dst=f32[16x16]"));
    ASSERT_FALSE(verdict);
    ASSERT_EQ(verdict.error().size(), 1u);
    const Diagnostic& problem = verdict.error()[0];
    EXPECT_NE(problem.message.find("f32 data with u16 indices"), std::string::npos);
    EXPECT_NE(problem.rule.find("own examples"), std::string::npos);
    EXPECT_EQ(problem.suggestion,
              target + ":tscatter src=f32[16x16] idx=u32[16x16] dst=f32[16x16]");
  }
}

TEST(Verify, NamesThePoliciesAnOperationHas) {
  const auto message = [](const std::string& text) {
    const Result<LegalSpec> verdict = verify(*parse(text));
    return verdict ? "" : verdict.error()[0].message;
  };
  EXPECT_EQ(message("a5:mscatter.row.zero src=f32[8x32] idx=i32[1x8] table=f32[64x32]"),
            "zero is not a policy of mscatter; it has skip clamp wrap");
  EXPECT_EQ(message("a5:mgather.row.skip dst=f32[8x32] idx=i32[1x8] table=f32[64x32]"),
            "skip is not a policy of mgather; it has clamp wrap zero");
  EXPECT_EQ(message("a5:tscatter.skip src=f32[8x8] idx=i32[8x8] dst=f32[8x8]"),
            "skip is not a policy of tscatter; it has no out-of-bounds policy");
}

// The atomics of MSCATTER, written out once more by hand.
TEST(Verify, OffersTheAtomicsOfTheDocument) {
  constexpr std::string_view kOffered[][4] = {
      {"cpu", "i32 u32 f32 f16", "i32 f32", "i32 f32"},
      {"a2a3", "i8 i16 i32 f16 bf16 f32", "", ""},
      {"a5", "i32 u32 f32 f16 bf16", "i32 u32 f32", "i32 u32 f32"}};
  constexpr std::string_view kAtomics[] = {"atomic_add", "atomic_max", "atomic_min"};
  for (const auto& row : kOffered) {
    for (std::size_t atomic = 0; atomic < 3; ++atomic) {
      const std::vector<std::string> list = split(row[1 + atomic], ' ');
      const std::set<std::string> offered(list.begin(), list.end());
      for (const DTypeInfo& info : kDTypes) {
        const std::string dtype(info.name);
        std::string text(row[0]);
        text.append(":mscatter.elem.").append(kAtomics[atomic]).append(" src=").append(dtype);
        text.append("[8x32] idx=i32[8x32] table=").append(dtype).append("[256]");
        EXPECT_EQ(is_legal(*parse(text)), offered.contains(dtype)) << text;
      }
    }
  }
}

TEST(Verify, AnswersForTheCanonicalSpec) {
  const KernelSpec spec =
      *parse("a5:mscatter.row.last src=f32[8x32] idx=i32[1x8] table=f32[64x32@32x1]");
  KernelSpec raw = spec;
  raw.conflict = Conflict::Last;
  raw.table.strides = {9, 9, 9, 32, 1};  // packed, but said
  raw.index.zero = 1;
  const Result<LegalSpec> legal = verify(raw);
  ASSERT_TRUE(legal);
  EXPECT_EQ(legal->spec(), spec);
  EXPECT_EQ(legal->profile().target, Target::A5);
}

}  // namespace
}  // namespace pto::jit::tests

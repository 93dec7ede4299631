// Notes: each has a spec that shows it and one next to it that does not; numbers are worked out
// here.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "ir/spec_text.h"
#include "targets/chunking.h"
#include "targets/verify.h"
#include "tests/support/grid.h"

namespace pto::jit::tests {
namespace {

Diagnostics notes(const std::string& text) {
  const Result<KernelSpec> spec = parse(text);
  EXPECT_TRUE(spec) << render(spec.error(), text);
  const Result<LegalSpec> legal = verify(*spec);
  EXPECT_TRUE(legal) << text << "\n" << (legal ? "" : render(legal.error()));
  return legal ? notes_on(*legal) : Diagnostics{};
}

// The message of a note; empty when the spec does not have it.
std::string note(const std::string& text, std::string_view id) {
  for (const Diagnostic& entry : notes(text)) {
    if (entry.id == id) return entry.message;
  }
  return {};
}

struct NoteCase {
  std::string_view id;
  std::string with;
  std::string without;
};

const NoteCase kCases[] = {
    {"cpu.policy_ignored", "cpu:mscatter.elem.clamp src=f32[8x16] idx=i32[8x16] table=f32[256]",
     "cpu:mscatter.elem src=f32[8x16] idx=i32[8x16] table=f32[256]"},
    {"cpu.policy_ignored", "cpu:mgather.elem.zero dst=f32[8x16] idx=i32[8x16] table=f32[256]",
     "a5:mgather.elem.zero dst=f32[8x16] idx=i32[8x16] table=f32[256]"},
    {"cpu.vendor_policies",
     "cpu:mscatter.elem.atomic_add src=f32[8x16] idx=i32[8x16] table=f32[256]",
     "cpu:mscatter.elem src=f32[8x16] idx=i32[8x16] table=f32[256]"},
    {"cpu.vendor_offsets", "cpu:tgatherb src=u8[1x256] offset=u32[1x256] dst=u8[1x256]",
     "a5:tgatherb src=u8[1x256] offset=u32[1x256] dst=u8[1x256]"},
    {"cpu.strides_ignored", "cpu:mscatter.elem src=f32[8x16] idx=i32[8x16] table=f32[8x32@40x1]",
     "cpu:mscatter.elem src=f32[8x16] idx=i32[8x16] table=f32[8x32]"},
    {"cpu.vendor_nz", "a2a3:mscatter.row src=f16[16x32]:nz idx=i32[1x16] table=f16[1x2x1x16x16]:nz",
     "a2a3:mscatter.row src=f16[16x32] idx=i32[1x16] table=f16[16x32]"},
    {"cpu.vendor_row_capacity", "a2a3:mgather.row dst=f32[8x16] idx=i32[1x8] table=f32[2x16x16]",
     "a2a3:mgather.row dst=f32[8x16] idx=i32[1x8] table=f32[32x16]"},
    {"cpu.vendor_mask_source", "a5:tscatter.p0101 src=u8[4x64|4x32] dst=u8[4x64]",
     "a5:tscatter.p0101 src=u8[4x32] dst=u8[4x64]"},
    {"cpu.vendor_bf16",
     "a2a3:mscatter.row.atomic_add src=bf16[8x16] idx=i32[1x8] table=bf16[16x16]",
     "a2a3:mscatter.row src=bf16[8x16] idx=i32[1x8] table=bf16[16x16]"},
    {"a2a3.elem.scalar", "a2a3:mgather.elem dst=f32[8x16] idx=i32[8x16] table=f32[256]",
     "a2a3:mgather.row dst=f32[8x16] idx=i32[1x8] table=f32[16x16]"},
    {"a2a3.add.collisions",
     "a2a3:mscatter.row.atomic_add src=f32[8x16] idx=i32[1x8] table=f32[16x16]",
     "a2a3:mscatter.row src=f32[8x16] idx=i32[1x8] table=f32[16x16]"},
    {"a2a3.tgatherb.overwrite",
     "a2a3:tgatherb.block src=f32[1x64] offset=u32[1x8|1x7] dst=f32[1x64|1x56]",
     "a2a3:tgatherb.block src=f32[1x64] offset=u32[1x8] dst=f32[1x64]"},
    {"a2a3.tgatherb.overwrite",
     "a2a3:tgatherb.block src=f32[1x64] offset=u32[1x8|1x?] dst=f32[1x64|1x?]",
     "a5:tgatherb.block src=f32[1x64] offset=u32[1x8|1x?] dst=f32[1x64|1x?]"},
    {"a5.last.scan_cost", "a5:mscatter.row src=f32[8x32] idx=i32[1x8] table=f32[64x32]",
     "a5:mscatter.row.default src=f32[8x32] idx=i32[1x8] table=f32[64x32]"},
    {"a5.last.scan_cost", "a5:mscatter.elem src=f32[8x32] idx=i32[8x32] table=f32[64]",
     "a5:mscatter.elem.atomic_add src=f32[8x32] idx=i32[8x32] table=f32[64]"},
    {"a5.row.uncoalesced", "a5:mgather.row dst=f32[8x32|8x31] idx=i32[1x8] table=f32[64x31]",
     "a5:mgather.row dst=f32[8x32] idx=i32[1x8] table=f32[64x32]"},
    {"a5.runtime_pairs", "a5:mscatter.row src=f32[8x32|?x32] idx=i32[1x8] table=f32[64x32]",
     "a5:mscatter.row src=f32[8x32|?x32] idx=i32[1x8|1x?] table=f32[64x32]"},
    {"a5.runtime_pairs", "a5:mscatter.elem src=f32[8x32|8x?] idx=i32[8x32] table=f32[64]",
     "a2a3:mscatter.elem src=f32[8x32|8x?] idx=i32[8x32] table=f32[64]"},
    {"a5.dynub", "a5:mscatter.elem src=f32[2304x8] idx=i32[2304x8] table=f32[256]",
     "a5:mscatter.elem src=f32[2048x8] idx=i32[2048x8] table=f32[256]"},
    {"a5.dynub", "a5:tscatter src=f32[256x64] idx=i32[256x64] dst=f32[8x64]",
     "a5:tscatter src=f32[248x64] idx=i32[248x64] dst=f32[8x64]"},
    {"ub.chunked", "a5:mscatter.elem src=f32[3457x8] idx=i32[3457x8] table=f32[256]",
     "a5:mscatter.elem src=f32[3456x8] idx=i32[3456x8] table=f32[256]"},
    {"ub.chunked", "a2a3:mscatter.row src=u8[4096x32] idx=i32[1x4096] table=u8[16x32]",
     "a2a3:mscatter.row src=u8[4095x32] idx=i32[1x4096|1x4095] table=u8[16x32]"},
    {"pto_as.old_assemblers", "a5:mscatter.row.clamp src=f32[8x32] idx=i32[1x8] table=f32[64x32]",
     "a5:mscatter.row src=f32[8x32] idx=i32[1x8] table=f32[64x32]"},
    {"pto_as.old_assemblers", "a5:mscatter.row.default src=f32[8x32] idx=i32[1x8] table=f32[64x32]",
     "cpu:mscatter.elem.clamp src=f32[8x32] idx=i32[8x32] table=f32[64]"},
    {"comm.stage_overrun",
     "a5:comm.tscatter src=f32[8x32] dst=f32[2x32] stage=f32[2x40|?x?] ranks=4 root=0",
     "a5:comm.tscatter src=f32[8x32] dst=f32[2x32] stage=f32[2x32|?x?] ranks=4 root=0"},
    {"comm.stage_overrun",
     "a2a3:comm.tscatter src=f32[8x?] dst=f32[2x?] stage=f32[2x32|?x?] ranks=4 root=0",
     "a2a3:comm.tscatter src=f32[8x32] dst=f32[2x32] stage=f32[2x32] ranks=4 root=0"},
};

TEST(Notes, EachShowsWhereItAppliesAndNotNextToIt) {
  for (const NoteCase& entry : kCases) {
    EXPECT_NE(note(entry.with, entry.id), "") << entry.id << " is missing: " << entry.with;
    EXPECT_EQ(note(entry.without, entry.id), "") << entry.id << " on " << entry.without;
  }
}

TEST(Notes, AreWellFormedAndEachHasACase) {
  std::set<std::string> shown;
  for (const NoteCase& entry : kCases) shown.emplace(entry.id);
  for (const KernelSpec& spec : legal_grid()) {
    const Result<LegalSpec> legal = verify(spec);
    for (const Diagnostic& entry : notes_on(*legal)) {
      ASSERT_EQ(entry.severity, Severity::Note);
      ASSERT_FALSE(entry.message.empty() || entry.from.empty()) << entry.id;
      ASSERT_TRUE(shown.contains(entry.id)) << entry.id << " has no case";
    }
  }
}

TEST(Notes, SayHowManyBytesTheLaunchMustAskFor) {
  // 2304*8 floats and as many indices; 256 KB cut to 3456 rows of 64 bytes; two stages of 96 KB.
  EXPECT_EQ(note("a5:mscatter.elem src=f32[2304x8] idx=i32[2304x8] table=f32[256]", "a5.dynub"),
            "the tiles take 147456 bytes; the launch must pass dynUBufSize = 147456 or the result "
            "is silently corrupted");
  EXPECT_NE(note("a5:mscatter.elem src=f32[4096x8] idx=i32[4096x8] table=f32[256]", "a5.dynub")
                .find("dynUBufSize = 221184"),
            std::string::npos);
  EXPECT_NE(note("a5:comm.tscatter.pingpong src=f32[8x32] dst=f32[2x32] stage=f32[768x32|?x?] "
                 "ranks=4 root=0",
                 "a5.dynub")
                .find("dynUBufSize = 196608"),
            std::string::npos);
}

struct ChunkCase {
  std::string spec;
  std::string_view words;
};

const ChunkCase kChunks[] = {
    // 216 KB hold 3456 rows of 8 floats and 8 indices.
    {"a5:mscatter.elem src=f32[4096x8] idx=i32[4096x8] table=f32[256]",
     "the tiles take 262144 bytes; emitted text does them in 2 calls of up to 3456 rows, with the "
     "same result"},
    // 192 KB hold 3072 of them.
    {"a2a3:mscatter.elem src=f32[4096x8] idx=i32[4096x8] table=f32[256]",
     "2 calls of up to 3072 rows"},
    // It fits, but a load takes 4095 rows.
    {"a2a3:mscatter.row src=u8[4096x32] idx=i32[1x4096] table=u8[16x32]",
     "2 calls of up to 4095 rows"},
    // Only rows that are valid are counted.
    {"a5:mscatter.elem src=f32[8192x8|100x8] idx=i32[8192x8|100x8] table=f32[256]",
     "1 call of up to 3456 rows"},
    // A row of 8192 floats and one index: 32 KB and 32 bytes at least, six rows.
    {"a5:mgather.row dst=f32[16x8192] idx=i32[1x16] table=f32[4x8192]", "3 calls of up to 6 rows"},
    // One row, column by column: 221184 / 8 columns.
    {"a5:mgather.elem dst=f32[1x65536] idx=i32[1x65536] table=f32[256]",
     "3 calls of up to 27648 columns"},
    // NZ, block column by block column: 512 rows of 8 floats and as many indices are 32 KB.
    {"a2a3:mgather.elem dst=f32[512x64]:nz idx=i32[512x64] table=f32[8x2x16x8]:nz",
     "2 calls of up to 6 block columns"},
    // NZ Row by whole fractal rows.
    {"a2a3:mgather.row dst=f32[1024x64]:nz idx=i32[1x1024] table=f32[8x2x16x8]:nz",
     "2 calls of up to 752 rows"},
};

TEST(Notes, SayHowTheTilesAreCut) {
  for (const ChunkCase& entry : kChunks) {
    const std::string text = note(entry.spec, "ub.chunked");
    EXPECT_NE(text.find(entry.words), std::string::npos) << entry.spec << "\n" << text;
  }
}

TEST(Notes, NoCutExceedsTheBudget) {
  for (const ChunkCase& entry : kChunks) {
    const KernelSpec spec = *parse(entry.spec);
    const Profile& profile = profile_of(spec.target);
    const std::optional<Chunking> chunking = chunking_of(spec, profile);
    ASSERT_TRUE(chunking) << entry.spec;
    const Chunking cut = chunking.value_or(Chunking{});
    EXPECT_LE(cut.bytes, profile.budget.tile_bytes) << entry.spec;
    EXPECT_GT(cut.step, 0) << entry.spec;
  }
}

}  // namespace
}  // namespace pto::jit::tests

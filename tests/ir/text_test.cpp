// The canonical text: what it spells, what else it reads, and that nothing gets lost on the way.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "ir/spec_text.h"
#include "tests/support/grid.h"
#include "tests/support/tsv.h"

namespace pto::jit::tests {
namespace {

constexpr const char* kExamples[] = {
    "a5:mscatter.row.clamp src=f32[8x32] idx=i32[1x8] table=f32[64x32]",
    "a5:mscatter.elem.default src=f32[8x32] idx=i32[8x32] table=f32[256]",
    "a2a3:mscatter.elem.skip.atomic_add src=bf16[8x32|3x17] idx=i32[8x32|3x17] table=bf16[?x?]",
    "a2a3:mscatter.row src=f32[16x32|9x32] idx=i32[1x16|1x9] table=f32[64x32@40x1]",
    "a2a3:mgather.row.zero dst=f16[32x64]:nz idx=i32[1x32] table=f16[4x2x16x16]:nz",
    "a5:tscatter src=f32[16x16] idx=i32[16x16] dst=f32[16x16]",
    "a5:tscatter.p1010 src=f16[16x64] dst=f16[16x128]",
    "cpu:tgatherb src=u8[1x256] offset=u32[1x256] dst=u8[1x256]",
    "a5:tgatherb.block src=f32[8x8]:cm offset=u32[4x8|4x1] dst=f32[4x8]",
    "a5:comm.tscatter.pingpong src=f32[64x32] dst=f32[16x32] stage=f32[8x32|?x?] ranks=4 root=0",
    "a5:comm.tscatter.ccu src=f32[2x1x64x32] dst=f32[2x1x16x32] stage=f32[8x32] ranks=4 root=3",
    "a5:mscatter.row.wrap.atomic_max.audit src=u32[8x8]:cm idx=u32[8x1]:cm table=u32[?x8]",
};

KernelSpec read(const std::string& text) {
  const Result<KernelSpec> spec = parse(text);
  EXPECT_TRUE(spec) << render(spec.error(), text);
  return spec ? *spec : KernelSpec{};
}

TEST(SpecText, ExamplesPrintAsTheyAreWritten) {
  for (const char* text : kExamples) EXPECT_EQ(print(read(text)), text);
}

TEST(SpecText, EveryGridSpecReadsBackAsItself) {
  std::size_t count = 0;
  for_each_spec([&](const KernelSpec& spec) {
    const std::string text = print(spec);
    const Result<KernelSpec> again = parse(text);
    ASSERT_TRUE(again) << render(again.error(), text);
    ASSERT_EQ(*again, spec) << text;
    ASSERT_EQ(print(*again), text);
    ++count;
  });
  EXPECT_GE(count, 20000u);
}

TEST(SpecText, OperandsComeInAnyOrder) {
  for (const std::string text : kExamples) {
    std::vector<std::string> words = split(text, ' ');
    const KernelSpec spec = read(text);
    std::sort(words.begin() + 1, words.end());
    do {
      std::string shuffled = words[0];
      for (std::size_t i = 1; i < words.size(); ++i) shuffled += " " + words[i];
      EXPECT_EQ(read(shuffled), spec) << shuffled;
    } while (std::next_permutation(words.begin() + 1, words.end()));
  }
}

struct Spelling {
  const char* written;
  const char* printed;
};

constexpr Spelling kSpellings[] = {
    {"a2:mscatter.row src=f32[8x32] idx=i32[1x8] table=f32[64x32]",
     "a2a3:mscatter.row src=f32[8x32] idx=i32[1x8] table=f32[64x32]"},
    {"a3:mgather.elem dst=f32[8x32] idx=i32[8x32] table=f32[64]",
     "a2a3:mgather.elem dst=f32[8x32] idx=i32[8x32] table=f32[64]"},
    {"  \t a5:tscatter\tsrc=f32[16x16]   idx=i32[16x16] \t dst=f32[16x16]\t ",
     "a5:tscatter src=f32[16x16] idx=i32[16x16] dst=f32[16x16]"},
    {"a5:mscatter.row.last src=f32[8x32] idx=i32[1x8] table=f32[64x32]",
     "a5:mscatter.row src=f32[8x32] idx=i32[1x8] table=f32[64x32]"},
    {"a5:mscatter.row.atomic_add.default src=f32[8x32] idx=i32[1x8] table=f32[64x32]",
     "a5:mscatter.row.atomic_add src=f32[8x32] idx=i32[1x8] table=f32[64x32]"},
    {"a2a3:mscatter.row.last src=f32[8x32] idx=i32[1x8] table=f32[64x32]",
     "a2a3:mscatter.row.last src=f32[8x32] idx=i32[1x8] table=f32[64x32]"},
    {"a5:mscatter.elem src=f32[8x32|8x32] idx=i32[08x032] table=f32[1x1x1x8x32@256x256x256x32x1]",
     "a5:mscatter.elem src=f32[8x32] idx=i32[8x32] table=f32[8x32]"},
    {"a5:mscatter.elem src=f32[8x32] idx=i32[8x32] table=f32[1x8x32@7x32x1]",
     "a5:mscatter.elem src=f32[8x32] idx=i32[8x32] table=f32[8x32]"},
    {"a5:mscatter.elem src=f32[8x32] idx=i32[8x32] table=f32[8x1x32@40x9x1]",
     "a5:mscatter.elem src=f32[8x32] idx=i32[8x32] table=f32[8x1x32@40x1x1]"},
    {"a5:mscatter.elem src=f32[8x32] idx=i32[8x32] table=f32[?x32@32x1]",
     "a5:mscatter.elem src=f32[8x32] idx=i32[8x32] table=f32[?x32]"},
    {"a5:mscatter.elem src=f32[8x32] idx=i32[8x32] table=f32[1x1]",
     "a5:mscatter.elem src=f32[8x32] idx=i32[8x32] table=f32[1]"},
    {"a2a3:mgather.row.zero dst=f16[32x64]:nz idx=i32[1x32] table=f16[1x4x2x16x16]:nz",
     "a2a3:mgather.row.zero dst=f16[32x64]:nz idx=i32[1x32] table=f16[4x2x16x16]:nz"},
};

TEST(SpecText, OtherSpellingsPrintCanonically) {
  for (const Spelling& spelling : kSpellings)
    EXPECT_EQ(print(read(spelling.written)), spelling.printed) << spelling.written;
}

TEST(SpecText, StridesThatMayMatterStay) {
  for (const std::string table : {"f32[8x32@40x1]", "f32[8x32@32x2]", "f32[?x?@?x1]",
                                  "f32[8x32@?x1]", "f32[8x?@32x1]", "f32[2x8x32@512x32x1]"}) {
    const std::string text = "a5:mscatter.elem src=f32[8x32] idx=i32[8x32] table=" + table;
    EXPECT_EQ(print(read(text)), text);
  }
}

TEST(SpecText, LargestNumbersAreRead) {
  const KernelSpec spec = read(
      "a2a3:mscatter.row src=f32[2147483647x2147483647] idx=i32[1x8] "
      "table=f32[2147483647x2147483647x2147483647x2147483647x2147483647"
      "@140737488355328x140737488355328x140737488355328x140737488355328x1]");
  EXPECT_EQ(spec.table.strides[0], kMaxStride);
  EXPECT_EQ(spec.table.shape[0], 2147483647);
  EXPECT_EQ(read(print(spec)), spec);
}

}  // namespace
}  // namespace pto::jit::tests

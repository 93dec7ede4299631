// Spoiled spec texts: whatever the bytes, the answer is a spec or one diagnostic that explains.
#include <gtest/gtest.h>

#include <iostream>
#include <string>

#include "ir/spec_text.h"
#include "tests/support/deck.h"
#include "tests/support/grid.h"
#include "tests/support/judged_text.h"
#include "tests/support/spoiled_text.h"

namespace pto::jit::tests {
namespace {

constexpr std::uint64_t kSeed = 20240611;
constexpr int kRounds = 6;  // spoiled texts made from each text

TEST(Mutation, EverySpoiledTextIsReadOrExplained) {
  Random random(kSeed);
  int read = 0;
  int refused = 0;
  std::size_t at = 0;
  for_each_spec([&](const KernelSpec& spec) {
    if (at++ % 7 != 0) return;
    for (int round = 0; round < kRounds; ++round) {
      const std::string text = spoiled(print(spec), random);
      ++(parse(text) ? read : refused);
      ASSERT_EQ(complaint_about_text(text), "");
    }
  });
  if (HasFatalFailure()) return;
  std::cout << "seed " << kSeed << ": " << read << " read, " << refused << " refused\n";
  EXPECT_GE(read, 1000);
  EXPECT_GE(refused, 10000);
}

TEST(Mutation, EveryBeginningOfATextIsReadOrExplained) {
  const std::string whole =
      "a5:comm.tscatter.pingpong.ccu src=f32[64x32@40x1] dst=f32[16x32]:nz stage=f32[8x32|?x?] "
      "ranks=4 root=0";
  for (std::size_t length = 0; length < whole.size(); ++length) {
    const std::string text = whole.substr(0, length);
    ASSERT_EQ(complaint_about_text(text), "");
  }
}

TEST(Mutation, EveryByteIsReadOrExplainedEverywhere) {
  const std::string whole = "cpu:mgather.elem.zero dst=u8[1x32] idx=i32[1x32] table=u8[4x8@9x1]";
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (int byte = 0; byte < 256; ++byte) {
      std::string text = whole;
      text[at] = static_cast<char>(byte);
      ASSERT_EQ(complaint_about_text(text), "");
    }
  }
}

TEST(Mutation, BytesAtRandomAreExplained) {
  Random random(kSeed);
  for (int i = 0; i < 20000; ++i) {
    std::string text;
    for (std::size_t length = random.below(80); text.size() < length;) text += any_byte(random);
    ASSERT_FALSE(parse(text)) << printable(text, 4096);
    ASSERT_EQ(complaint_about_text(text), "");
  }
}

}  // namespace
}  // namespace pto::jit::tests

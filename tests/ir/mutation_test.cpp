// Spoiled spec texts: whatever the bytes, the answer is a spec or one diagnostic that explains.
#include <gtest/gtest.h>

#include <iostream>
#include <string>
#include <vector>

#include "ir/spec_text.h"
#include "targets/verify.h"
#include "tests/support/deck.h"
#include "tests/support/grid.h"

namespace pto::jit::tests {
namespace {

constexpr std::uint64_t kSeed = 20240611;
constexpr int kRounds = 6;  // spoiled texts made from each text

// Mostly what the grammar is made of, so that many spoiled texts get far.
char any_byte(Random& random) {
  static constexpr std::string_view kLikely = "0123456789x?|@[]:.= srcidxtabledstf32i8ucmnz_\t";
  if (random.below(4) != 0) return kLikely[random.below(kLikely.size())];
  return static_cast<char>(random.below(256));
}

std::size_t place(const std::string& text, Random& random) { return random.below(text.size() + 1); }

// The digit at or after `at` becomes another one, so that the text stays readable.
void change_digit(std::string& text, std::size_t at, Random& random) {
  const std::size_t digit = text.find_first_of("0123456789", at);
  if (digit == std::string::npos) return;
  if (random.below(3) == 0) text.insert(digit, 1 + random.below(12), text[digit]);
  text[digit] = static_cast<char>('0' + random.below(10));
}

void spoil_once(std::string& text, Random& random) {
  const std::size_t at = place(text, random);
  const std::size_t length = 1 + random.below(6);
  switch (random.below(14)) {
    case 0: text.insert(at, 1, any_byte(random)); break;
    case 1: text.erase(at, length); break;
    case 2:
      if (at < text.size()) text[at] = any_byte(random);
      break;
    case 3: text.insert(at, text.substr(at, length)); break;
    case 4: text.resize(at); break;
    case 5: text.insert(at, std::string(1 + random.below(40), any_byte(random))); break;
    case 6: text.insert(at, text.substr(place(text, random), length)); break;
    default: change_digit(text, at, random); break;
  }
}

std::string spoiled(std::string text, Random& random) {
  const std::size_t times = 1 + random.below(4);
  for (std::size_t i = 0; i < times; ++i) spoil_once(text, random);
  return text;
}

std::string quoted(const std::string& text) { return "'" + printable(text, 4096) + "'"; }

void expect_explained(const std::string& text, const Diagnostics& problems) {
  ASSERT_EQ(problems.size(), 1u) << quoted(text);
  const Diagnostic& problem = problems[0];
  ASSERT_FALSE(problem.id.empty()) << quoted(text);
  ASSERT_FALSE(problem.message.empty()) << quoted(text);
  ASSERT_TRUE(problem.at) << quoted(text);
  const Span at = problem.at.value_or(Span{});
  ASSERT_LE(at.begin, text.size()) << quoted(text);
  ASSERT_GE(at.length, 1u) << quoted(text);
  ASSERT_LE(at.begin + at.length, text.size() + 1) << quoted(text);
  const std::string shown = render(problem, text);
  ASSERT_NE(shown.find('^'), std::string::npos) << shown;
  for (const char c : shown) ASSERT_TRUE(c == '\n' || (c >= 0x20 && c < 0x7f)) << quoted(text);
}

// A spec that was read prints and reads back, and its target has a verdict.
void expect_usable(const std::string& text, const KernelSpec& spec) {
  const Result<KernelSpec> again = parse(print(spec));
  ASSERT_TRUE(again) << quoted(text) << "\n" << print(spec);
  ASSERT_EQ(*again, spec) << quoted(text);
  const Result<LegalSpec> legal = verify(spec);
  if (legal) return;
  for (const Diagnostic& problem : legal.error()) {
    ASSERT_FALSE(problem.id.empty() || problem.message.empty()) << quoted(text);
    ASSERT_FALSE(problem.rule.empty() || problem.from.empty()) << quoted(text);
    const Result<KernelSpec> remedy = parse(problem.suggestion);
    ASSERT_TRUE(remedy && is_legal(*remedy)) << quoted(text) << " " << problem.suggestion;
  }
}

TEST(Mutation, EverySpoiledTextIsReadOrExplained) {
  Random random(kSeed);
  int read = 0;
  int refused = 0;
  std::size_t at = 0;
  for_each_spec([&](const KernelSpec& spec) {
    if (at++ % 7 != 0) return;
    for (int round = 0; round < kRounds; ++round) {
      const std::string text = spoiled(print(spec), random);
      const Result<KernelSpec> result = parse(text);
      ++(result ? read : refused);
      result ? expect_usable(text, *result) : expect_explained(text, result.error());
      if (::testing::Test::HasFatalFailure()) return;
    }
  });
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
    const Result<KernelSpec> result = parse(text);
    if (!result) expect_explained(text, result.error());
  }
}

TEST(Mutation, EveryByteIsReadOrExplainedEverywhere) {
  const std::string whole = "cpu:mgather.elem.zero dst=u8[1x32] idx=i32[1x32] table=u8[4x8@9x1]";
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (int byte = 0; byte < 256; ++byte) {
      std::string text = whole;
      text[at] = static_cast<char>(byte);
      const Result<KernelSpec> result = parse(text);
      result ? expect_usable(text, *result) : expect_explained(text, result.error());
    }
  }
}

TEST(Mutation, BytesAtRandomAreExplained) {
  Random random(kSeed);
  for (int i = 0; i < 20000; ++i) {
    std::string text;
    for (std::size_t length = random.below(80); text.size() < length;) text += any_byte(random);
    const Result<KernelSpec> result = parse(text);
    ASSERT_FALSE(result) << quoted(text);
    expect_explained(text, result.error());
  }
}

}  // namespace
}  // namespace pto::jit::tests

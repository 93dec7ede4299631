// Everything the fuzzers keep, through the same functions as libFuzzer has: corpora and inputs that
// went wrong once. What they are made with is shown to reach far and to find what is planted.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "jit/backends/backend.h"
#include "tests/fuzz/fuzzers.h"
#include "tests/fuzz/plant.h"
#include "tests/support/backends.h"
#include "tests/support/paths.h"
#include "tests/support/tsv.h"

namespace pto::jit::tests {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kSeed = 20261117;

// Paths from the root, sorted; none where there is no such folder.
std::vector<std::string> files_in(const std::string& folder) {
  std::vector<std::string> out;
  std::error_code missing;
  for (const auto& entry : fs::directory_iterator(source_root() + "/" + folder, missing))
    out.push_back(folder + "/" + entry.path().filename().string());
  std::ranges::sort(out);
  return out;
}

class Fuzz : public ::testing::TestWithParam<Fuzzer> {};

TEST_P(Fuzz, FindsNothingWrongWithWhatIsKept) {
  const std::string name(GetParam().name);
  EXPECT_FALSE(files_in("tests/fuzz/corpus/" + name).empty());
  for (const std::string folder : {"tests/fuzz/corpus/", "tests/fuzz/crashes/"}) {
    for (const std::string& path : files_in(folder + name))
      EXPECT_EQ(GetParam().finding(read_text(path)), "") << path;
  }
}

// A chain of changes, each input made of the one before.
template <class Visit>
void for_each_mutated(const Fuzzer& fuzzer, int count, const Visit& visit) {
  Random random(kSeed);
  std::string input;
  for (int i = 0; i < count && !::testing::Test::HasFatalFailure(); ++i) {
    input = fuzzer.mutated(input, random);
    visit(input);
  }
}

TEST_P(Fuzz, FindsNothingWrongWithWhatItMakes) {
  for_each_mutated(GetParam(), 2000, [&](const std::string& input) {
    ASSERT_EQ(GetParam().finding(input), "") << printable(input, 4096);
  });
}

INSTANTIATE_TEST_SUITE_P(All, Fuzz, ::testing::ValuesIn(all_fuzzers().begin(), all_fuzzers().end()),
                         [](const auto& fuzzer) { return std::string(fuzzer.param.name); });

TEST(SpecFuzzer, ReadsMostOfWhatItMakesAndCompilesEveryWord) {
  for_each_mutated(kSpecFuzzer, 6000, [](const std::string& input) {
    ASSERT_EQ(kSpecFuzzer.finding(input), "") << input;
  });
  std::printf("%s", kSpecFuzzer.reached().text.c_str());
  EXPECT_EQ(kSpecFuzzer.reached().falls_short, "");
}

class Planted : public ::testing::Test {
 protected:
  void SetUp() override { PTOJIT_NEEDS(Backend::Xbyak); }
  void TearDown() override { plant(""); }

  static int findings_of(std::string_view name) {
    EXPECT_TRUE(plant(name));
    int findings = 0;
    for_each_mutated(kSpecFuzzer, 6000, [&](const std::string& input) {
      if (findings == 0) findings += !kSpecFuzzer.finding(input).empty();
    });
    return findings;
  }
};

TEST_F(Planted, AWrongResultIsFound) { EXPECT_GT(findings_of("result"), 0); }

TEST_F(Planted, AReadBeyondAnOperandIsFound) { EXPECT_DEATH(findings_of("read"), ""); }

TEST_F(Planted, NothingElseIsTaken) { EXPECT_FALSE(plant("weeds")); }

}  // namespace
}  // namespace pto::jit::tests

// Dumped kernels: names that tell specs apart, files that are whole or not there.
#include "jit/backends/watching/dump.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <vector>

#include "ir/spec_text.h"
#include "jit/backends/watching/disassembly.h"
#include "tests/support/grid.h"

namespace pto::jit::tests {
namespace {

namespace fs = std::filesystem;

constexpr std::array kCode = {std::byte{0x90}, std::byte{0xc3}};
const std::string kSpec = "a2a3:mscatter.elem.atomic_add src=bf16[8x32|?x17] table=bf16[4x?@9x1]";

DumpedKernel example() {
  return {
      .spec = kSpec, .plan = "the plan", .strategy = "one by one", .level = "avx2", .code = kCode};
}

std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::vector<std::string> files_in(const fs::path& directory) {
  std::vector<std::string> out;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory))
    out.push_back(entry.path().filename().string());
  return out;
}

class Dump : public testing::Test {
 protected:
  void SetUp() override { fs::remove_all(folder); }
  void TearDown() override { fs::remove_all(folder); }

  const fs::path folder =
      fs::path(testing::TempDir()) / ("ptojit-dump-" + std::to_string(::getpid()));
};

TEST(DumpName, IsReadable) {
  EXPECT_EQ(dump_name(kSpec),
            "a2a3~mscatter.elem.atomic_add+src=bf16{8x32-Nx17}+table=bf16{4xN@9x1}");
}

TEST(DumpName, TellsTextsApartThatLookAlike) {
  EXPECT_EQ(dump_name("a b"), "a+b");
  EXPECT_EQ(dump_name("a+b"), "a%2bb");
  EXPECT_EQ(dump_name("a%2bb"), "a%252bb");
  EXPECT_EQ(dump_name("?"), "N");
  EXPECT_EQ(dump_name("N/#\n\xff"), "%4e%2f%23%0a%ff");
}

TEST(DumpName, TellsLongTextsApart) {
  const std::string longest(200, 'a');
  EXPECT_EQ(dump_name(longest), longest);
  const std::string cut = dump_name(longest + "b");
  EXPECT_EQ(cut.size(), 200u);
  EXPECT_EQ(cut.substr(0, 183), longest.substr(0, 183));
  EXPECT_EQ(cut[183], '#');
  EXPECT_NE(cut, dump_name(longest + "c"));
}

TEST(DumpName, DiffersForEverySpecOfTheGrid) {
  std::set<std::string> names;
  std::size_t specs = 0;
  for (const KernelSpec& spec : legal_grid()) {
    names.insert(dump_name(print(spec)));
    ++specs;
  }
  EXPECT_EQ(names.size(), specs);
  EXPECT_GT(specs, 1000u);
}

TEST_F(Dump, WritesOneWholeFile) {
  const Result<Done> done = dump_kernel(folder, example());
  ASSERT_TRUE(done) << render(done.error());
  const std::string name = dump_name(kSpec) + ".avx2.txt";
  EXPECT_EQ(files_in(folder), std::vector<std::string>{name});
  EXPECT_EQ(read(folder / name), "spec: " + kSpec +
                                     "\nlevel: avx2\n\n"
                                     "plan:\nthe plan\n\n"
                                     "strategy:\none by one\n\n"
                                     "code: 2 bytes\n" +
                                     disassemble(kCode));
}

TEST_F(Dump, ReplacesAnEarlierFile) {
  DumpedKernel kernel = example();
  ASSERT_TRUE(dump_kernel(folder, kernel));
  kernel.strategy = "eight at a time";
  ASSERT_TRUE(dump_kernel(folder, kernel));
  ASSERT_EQ(files_in(folder).size(), 1u);
  EXPECT_NE(read(folder / files_in(folder)[0]).find("eight at a time"), std::string::npos);
}

TEST_F(Dump, KeepsLevelsApart) {
  DumpedKernel kernel = example();
  ASSERT_TRUE(dump_kernel(folder, kernel));
  kernel.level = "baseline";
  ASSERT_TRUE(dump_kernel(folder, kernel));
  EXPECT_EQ(files_in(folder).size(), 2u);
}

TEST_F(Dump, SaysWhyNothingCouldBeWritten) {
  std::ofstream(folder) << "a file where a directory should be";
  const Result<Done> done = dump_kernel(folder, example());
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error()[0].id, "dump.write");
  EXPECT_NE(done.error()[0].message.find("Not a directory"), std::string::npos)
      << done.error()[0].message;
}

// Where a link leads, nothing is written.
TEST_F(Dump, ReplacesALinkOfThatName) {
  const std::string name = dump_name(kSpec) + ".avx2.txt";
  for (const char* target : {"there", "nowhere"}) {
    fs::remove_all(folder);
    fs::create_directories(folder);
    std::ofstream(folder / "there") << "x";
    fs::create_symlink(target, folder / name);
    ASSERT_TRUE(dump_kernel(folder, example()));
    EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(folder / name))) << target;
    EXPECT_EQ(read(folder / "there"), "x");
    EXPECT_EQ(files_in(folder).size(), 2U);
  }
}

TEST_F(Dump, MakesNoFolderBehindALinkToNothing) {
  const fs::path nowhere = folder.string() + "-nowhere";
  fs::create_symlink(nowhere, folder);
  const Result<Done> done = dump_kernel(folder, example());
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error()[0].id, "dump.write");
  EXPECT_FALSE(fs::exists(nowhere));
}

TEST_F(Dump, LeavesNoTemporaryBehindAFailure) {
  fs::create_directories(folder / (dump_name(kSpec) + ".avx2.txt"));
  const Result<Done> done = dump_kernel(folder, example());
  ASSERT_FALSE(done);
  EXPECT_EQ(files_in(folder).size(), 1u);
}

}  // namespace
}  // namespace pto::jit::tests

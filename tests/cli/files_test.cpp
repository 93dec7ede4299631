// Files written together: where they go, failures, and that a failed write leaves no trace.
#include "jit/files/files.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace pto::jit::cli {
namespace {

namespace fs = std::filesystem;
using Bytes = std::vector<std::byte>;

Bytes to_bytes(std::string_view text) {
  Bytes bytes(text.size());
  std::ranges::transform(text, bytes.begin(), [](char c) { return static_cast<std::byte>(c); });
  return bytes;
}

std::string text_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

template <class T>
std::string message_of(const Result<T>& outcome, const std::string& id) {
  if (outcome) return "accepted";
  EXPECT_EQ(outcome.error().size(), 1U);
  EXPECT_EQ(outcome.error().front().id, id);
  return outcome.error().front().message;
}

// A directory of its own for each test, and what is in it.
class Files : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "ptojit-files-XXXXXX";
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    root = name;
  }
  void TearDown() override { fs::remove_all(root); }

  std::string path(const std::string& name) const { return (root / name).string(); }

  std::string put(const std::string& name, std::string_view text) const {
    std::ofstream(path(name), std::ios::binary) << text;
    return path(name);
  }

  // Every name below the root, with the text of regular files.
  std::map<std::string, std::string> contents() const {
    std::map<std::string, std::string> found;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root)) {
      const bool is_text = entry.symlink_status().type() == fs::file_type::regular;
      found[entry.path().lexically_relative(root).string()] = is_text ? text_of(entry.path()) : "-";
    }
    return found;
  }

  // `bad` fails with `why`; a good new output and a good replacement beside it are not made,
  // whatever their order.
  void expect_nothing_changes(const std::string& bad, const std::string& why) const {
    put("old", "before");
    const auto before = contents();
    std::vector<OutputFile> outputs = {
        {path("new"), to_bytes("n")}, {path("old"), to_bytes("after")}, {bad, to_bytes("b")}};
    for (int turn = 0; turn < 3; ++turn) {
      const std::string message = message_of(write_files(outputs), "file.write");
      EXPECT_NE(message.find(why), std::string::npos) << message;
      EXPECT_EQ(contents(), before);
      std::rotate(outputs.begin(), outputs.begin() + 1, outputs.end());
    }
  }

  fs::path root;
};

TEST_F(Files, WritesNewFilesAndReplacesOldOnes) {
  put("old", "a longer text than its replacement");
  const std::vector<OutputFile> outputs = {
      {path("new"), to_bytes("one")}, {path("old"), to_bytes("two")}, {path("empty"), {}}};
  ASSERT_TRUE(write_files(outputs));
  const std::map<std::string, std::string> expected = {
      {"empty", ""}, {"new", "one"}, {"old", "two"}};
  EXPECT_EQ(contents(), expected);
  EXPECT_TRUE(write_files({}));
}

TEST_F(Files, ANewFileFollowsTheMaskAndAnOldOneKeepsItsMode) {
  const mode_t mask = ::umask(027);
  put("old", "x");
  ASSERT_EQ(::chmod(path("old").c_str(), 0604), 0);
  const Result<Done> outcome = write_files(
      std::vector<OutputFile>{{path("new"), to_bytes("n")}, {path("old"), to_bytes("o")}});
  ::umask(mask);
  ASSERT_TRUE(outcome) << render(outcome.error());
  EXPECT_EQ(fs::status(path("new")).permissions(), fs::perms{0640});
  EXPECT_EQ(fs::status(path("old")).permissions(), fs::perms{0604});
}

TEST_F(Files, FollowsLinksToFiles) {
  fs::create_directory(path("far"));
  put("far/old", "x");
  fs::create_symlink("far/old", path("link"));
  fs::create_symlink("link", path("second"));
  ASSERT_TRUE(write_files(std::vector<OutputFile>{{path("second"), to_bytes("o")}}));
  const std::map<std::string, std::string> expected = {
      {"far", "-"}, {"far/old", "o"}, {"link", "-"}, {"second", "-"}};
  EXPECT_EQ(contents(), expected);
}

// As cp does not: whoever made the link may have meant another file to be there.
TEST_F(Files, ALinkToNothingIsLeftAlone) {
  fs::create_directory(path("far"));
  fs::create_symlink("far/new", path("dangling"));
  fs::create_symlink("dangling", path("second"));
  fs::create_symlink("none/new", path("lost"));
  expect_nothing_changes(path("dangling"),
                         "it is a link to '" + path("far/new") + "', which is not there");
  expect_nothing_changes(path("second"),
                         "it is a link to '" + path("far/new") + "', which is not there");
  expect_nothing_changes(path("lost"), "No such file or directory");
}

// A replacement would leave the other names with the old content, as cp does not.
TEST_F(Files, AFileOfSeveralNamesIsLeftAlone) {
  put("file", "before");
  fs::create_hard_link(path("file"), path("second"));
  fs::create_symlink("second", path("link"));
  expect_nothing_changes(path("second"), "it has 2 names (hard links)");
  expect_nothing_changes(path("link"), "it has 2 names (hard links)");
  fs::remove(path("second"));
  EXPECT_TRUE(write_files(std::vector<OutputFile>{{path("second"), to_bytes("after")}}));
  EXPECT_EQ(text_of(path("file")), "before");
}

TEST_F(Files, WritesTheLongestNameThereIs) {
  const std::string name(255, 'n');
  ASSERT_TRUE(write_files(std::vector<OutputFile>{{path(name), to_bytes("x")}}));
  EXPECT_EQ(text_of(path(name)), "x");
}

TEST_F(Files, ABadDestinationChangesNothing) {
  fs::create_directory(path("dir"));
  put("file", "in the way");
  fs::create_symlink("loop", path("loop"));
  expect_nothing_changes("", "the path is empty");
  expect_nothing_changes(path("dir"), "it is a directory");
  expect_nothing_changes(path("dir") + "/", "it is a directory");
  expect_nothing_changes(path("none") + "/", "it names a directory");
  expect_nothing_changes(path("none/x"), path("none") + "': No such file or directory");
  expect_nothing_changes(path("file/x"), "Not a directory");
  expect_nothing_changes(path(std::string(256, 'n')), "File name too long");
  expect_nothing_changes(path("loop"), "Too many levels of symbolic links");
}

TEST_F(Files, ADirectoryThatCannotBeWrittenChangesNothing) {
  if (::geteuid() == 0) GTEST_SKIP() << "the superuser may write anywhere";
  fs::create_directory(path("locked"));
  fs::permissions(path("locked"), fs::perms::owner_read | fs::perms::owner_exec);
  expect_nothing_changes(path("locked/x"), "Permission denied");
  fs::permissions(path("locked"), fs::perms::owner_all);
}

TEST_F(Files, TwoOutputsAtOnePathChangeNothing) {
  fs::create_symlink("old", path("link"));
  const std::string why = "two outputs go to this path";
  expect_nothing_changes(path("new"), why);
  expect_nothing_changes(path("./old"), why);
  expect_nothing_changes(path("link"), why);
}

TEST_F(Files, AWriteThatFailsHalfwayChangesNothing) {
  put("a", "before");
  const std::vector<OutputFile> outputs = {{path("a"), to_bytes("after")},
                                           {path("b"), Bytes(1 << 20)}};
  rlimit before = {};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit small = {.rlim_cur = 1 << 16, .rlim_max = before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const Result<Done> outcome = write_files(outputs);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  EXPECT_EQ(message_of(outcome, "file.write"), "cannot write '" + path("b") + "': File too large");
  const std::map<std::string, std::string> expected = {{"a", "before"}};
  EXPECT_EQ(contents(), expected);
}

TEST_F(Files, ADeviceIsWrittenInPlace) {
  ASSERT_TRUE(write_files(
      std::vector<OutputFile>{{"/dev/null", to_bytes("x")}, {path("a"), to_bytes("y")}}));
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  EXPECT_EQ(text_of(path("a")), "y");
  expect_nothing_changes("/dev/full", "No space left on device");
}

TEST_F(Files, AnOpenDescriptorIsAppendedTo) {
  const int out = ::open(put("log", "so far, ").c_str(), O_WRONLY);
  const std::string name = "/proc/self/fd/" + std::to_string(out);
  const Result<Done> outcome = write_files(std::vector<OutputFile>{{name, to_bytes("so good")}});
  ::close(out);
  ASSERT_TRUE(outcome) << render(outcome.error());
  EXPECT_EQ(text_of(path("log")), "so far, so good");
}

TEST_F(Files, APipeWithoutAReaderIsAnError) {
  std::array<int, 2> ends = {};
  ASSERT_EQ(::pipe(ends.data()), 0);
  const std::string name = "/dev/fd/" + std::to_string(ends[1]);
  ASSERT_TRUE(write_files(std::vector<OutputFile>{{name, to_bytes("x")}}));
  std::array<char, 2> got = {};
  EXPECT_EQ(::read(ends[0], got.data(), got.size()), 1);
  ::close(ends[0]);
  expect_nothing_changes(name, "Broken pipe");
  ::close(ends[1]);
}

}  // namespace
}  // namespace pto::jit::cli

// Operands read from files and written to them: sizes, failures, and that a failed write leaves no
// trace.
#include "jit/cli/files.h"

#include <dlfcn.h>
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
using Shape = std::vector<std::int64_t>;

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

TEST_F(Files, ReadsAFileWhole) {
  for (const std::size_t size : {0U, 1U, 4096U, 1000003U}) {
    const std::string text(size, 'x');
    const Result<Bytes> outcome = read_file(put("a.bin", text));
    ASSERT_TRUE(outcome) << render(outcome.error());
    EXPECT_EQ(*outcome, to_bytes(text));
  }
}

TEST_F(Files, ReadsAPipeToItsEnd) {
  std::array<int, 2> ends = {};
  ASSERT_EQ(::pipe(ends.data()), 0);
  const std::string text(5000, 'p');
  ASSERT_EQ(::write(ends[1], text.data(), text.size()), 5000);
  ::close(ends[1]);
  const Result<Bytes> outcome = read_file("/dev/fd/" + std::to_string(ends[0]));
  ::close(ends[0]);
  ASSERT_TRUE(outcome) << render(outcome.error());
  EXPECT_EQ(*outcome, to_bytes(text));
}

TEST_F(Files, SaysWhichFileCannotBeReadAndWhy) {
  const auto why = [](const std::string& name) { return message_of(read_file(name), "file.read"); };
  EXPECT_EQ(why(path("none")), "cannot read '" + path("none") + "': No such file or directory");
  EXPECT_EQ(why(root.string()), "cannot read '" + root.string() + "': it is a directory");
  EXPECT_EQ(why(put("f", "") + "/x"), "cannot read '" + path("f") + "/x': Not a directory");
  EXPECT_EQ(why(""), "cannot read '': No such file or directory");
  EXPECT_NE(why("/dev/zero").find("it is a device"), std::string::npos);
}

bool is_sanitized() {
  return ::dlsym(RTLD_DEFAULT, "__asan_init") || ::dlsym(RTLD_DEFAULT, "__tsan_init");
}

// A hole costs no disk, and the limit keeps the system from promising the memory.
TEST_F(Files, AFileBeyondMemoryIsAnError) {
  if (is_sanitized()) GTEST_SKIP() << "a sanitizer ends the process instead";
  const std::string name = put("huge", "");
  if (::truncate(name.c_str(), off_t{1} << 43) != 0) GTEST_SKIP() << "no sparse file of 8 TiB here";
  rlimit before = {};
  ASSERT_EQ(::getrlimit(RLIMIT_AS, &before), 0);
  const rlimit small = {.rlim_cur = rlim_t{1} << 32, .rlim_max = before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_AS, &small), 0);
  const std::string message = message_of(read_file(name), "file.read");
  ASSERT_EQ(::setrlimit(RLIMIT_AS, &before), 0);
  EXPECT_EQ(message, "cannot read '" + name + "': Cannot allocate memory");
}

TEST_F(Files, ARawOperandHasItsExactSize) {
  const auto read = [&](std::size_t size) {
    return read_operand(put("a.bin", std::string(size, 'x')), DType::F16, Shape{3, 4}, false);
  };
  EXPECT_TRUE(read(24));
  for (const std::size_t size : {0U, 23U, 25U, 26U, 48U}) {
    EXPECT_EQ(message_of(read(size), "file.size"), "'" + path("a.bin") + "': the file has " +
                                                       std::to_string(size) +
                                                       " bytes, the operand needs 24");
  }
}

TEST_F(Files, ARawTableMayBeLongerByWholeElements) {
  const auto read = [&](std::size_t size) {
    return read_operand(put("a.bin", std::string(size, 'x')), DType::F32, Shape{3, 2}, true);
  };
  for (const std::size_t size : {24U, 28U, 4000U}) {
    const Result<Bytes> outcome = read(size);
    ASSERT_TRUE(outcome) << render(outcome.error());
    EXPECT_EQ(outcome->size(), size);
  }
  EXPECT_NE(message_of(read(20), "file.size").find("has 20 bytes, the operand needs at least 24"),
            std::string::npos);
  EXPECT_NE(message_of(read(27), "file.size").find("has 27 bytes, the operand needs 24"),
            std::string::npos);
}

TEST_F(Files, TheEndingDecidesTheForm) {
  const Bytes payload = to_bytes("abcdefgh");
  const Shape shape = {2, 2};
  for (const std::string name : {"a.npy", "a.bin", "npy"}) {
    const Bytes bytes = encode_operand(name, payload, DType::I16, shape);
    EXPECT_EQ(bytes == payload, name != "a.npy");
    ASSERT_TRUE(write_files(std::vector<OutputFile>{{path(name), bytes}}));
    const Result<Bytes> outcome = read_operand(path(name), DType::I16, shape, false);
    ASSERT_TRUE(outcome) << render(outcome.error());
    EXPECT_EQ(*outcome, payload);
  }
  EXPECT_NE(message_of(read_operand(path("a.npy"), DType::F16, shape, false), "file.npy")
                .find("'" + path("a.npy") + "': the array has the type"),
            std::string::npos);
}

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

TEST_F(Files, FollowsLinks) {
  fs::create_directory(path("far"));
  put("far/old", "x");
  fs::create_symlink("far/old", path("link"));
  fs::create_symlink("far/new", path("dangling"));
  ASSERT_TRUE(write_files(
      std::vector<OutputFile>{{path("link"), to_bytes("o")}, {path("dangling"), to_bytes("n")}}));
  const std::map<std::string, std::string> expected = {
      {"far", "-"}, {"far/old", "o"}, {"far/new", "n"}, {"link", "-"}, {"dangling", "-"}};
  EXPECT_EQ(contents(), expected);
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

// Files without a name until they are complete.
#include "runtime/staged_file.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <set>

#include "tests/runtime/tiny_kernels.h"

namespace pto::jit::tests {
namespace {

namespace fs = std::filesystem;

class StagedFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = ::testing::TempDir() + "ptojit-staged-XXXXXX";
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    root_ = name;
  }
  void TearDown() override { fs::remove_all(root_); }

  std::string path(const std::string& name) const { return (root_ / name).string(); }

  std::set<std::string> names() const {
    std::set<std::string> out;
    for (const fs::directory_entry& entry : fs::directory_iterator(root_))
      out.insert(entry.path().filename().string());
    return out;
  }

  std::string text_of(const std::string& name) const {
    std::ifstream in(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  fs::path root_;
};

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text));
}

constexpr std::array kKinds = {StagedFile::Kind::Unnamed, StagedFile::Kind::Named};

TEST_F(StagedFiles, HaveTheirNameWhenTheyAreComplete) {
  for (const StagedFile::Kind kind : kKinds) {
    std::ofstream(path("name")) << "before";
    StagedFile file;
    ASSERT_EQ(file.open(root_.string(), 0640, kind), 0);
    ASSERT_EQ(write_all(file.descriptor(), bytes_of("after")), 0);
    EXPECT_EQ(text_of("name"), "before");
    ASSERT_EQ(file.take_name(path("name")), 0);
    EXPECT_EQ(text_of("name"), "after");
    EXPECT_EQ(names(), std::set<std::string>{"name"});
    EXPECT_EQ(fs::status(path("name")).permissions(), fs::perms{0640});
  }
}

TEST_F(StagedFiles, LeaveNothingWhenTheyAreGivenUp) {
  for (const StagedFile::Kind kind : kKinds) {
    StagedFile file;
    ASSERT_EQ(file.open(root_.string(), 0600, kind), 0);
    EXPECT_EQ(names().size(), kind == StagedFile::Kind::Named ? 1U : 0U);
    EXPECT_EQ(file.approach_name(), 0);
    EXPECT_EQ(names().size(), 1U);
    EXPECT_EQ(file.take_name(path("no/such/folder")), ENOENT);
    file = StagedFile();
  }
  EXPECT_EQ(names(), std::set<std::string>{});
}

TEST_F(StagedFiles, SayWhyTheyCannotBeMade) {
  StagedFile file;
  EXPECT_EQ(file.open(path("none"), 0600), ENOENT);
  EXPECT_EQ(replace_file(path("none/name"), bytes_of("x"), 0600), ENOENT);
}

TEST_F(StagedFiles, ThatMayNotGrowAreAnErrorAndNoSignal) {
  EXPECT_TRUE(holds_in_child([this] {
    const rlimit limit = {.rlim_cur = 100, .rlim_max = 100};
    const std::string text(1000, 't');
    return ::setrlimit(RLIMIT_FSIZE, &limit) == 0 &&
           replace_file(path("name"), bytes_of(text), 0600) == EFBIG && names().empty();
  }));
}

TEST_F(StagedFiles, OfAKilledProcessAreGoneBeforeTheyAreComplete) {
  const pid_t child = ::fork();
  if (child == 0) {
    StagedFile file;
    if (file.open(root_.string(), 0600) != 0) ::_exit(1);
    static_cast<void>(::raise(SIGKILL));
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(names(), std::set<std::string>{});
}

// Names are made of this process's number, which a process in another container may have too.
TEST_F(StagedFiles, TakeNoNameThatIsThere) {
  StagedFile first;
  ASSERT_EQ(first.open(root_.string(), 0600, StagedFile::Kind::Named), 0);
  const std::string name = *names().begin();
  const std::size_t dash = name.rfind('-') + 1;
  const int number = std::stoi(name.substr(dash));
  std::set<std::string> taken = {name};
  for (int next = number + 1; next < number + 4; ++next) {
    const std::string other = name.substr(0, dash) + std::to_string(next);
    std::ofstream(path(other)) << "of somebody else";
    taken.insert(other);
  }
  for (const StagedFile::Kind kind : kKinds) {
    StagedFile file;
    ASSERT_EQ(file.open(root_.string(), 0600, kind), 0);
    ASSERT_EQ(file.take_name(path("result")), 0);
  }
  first = StagedFile();
  taken.erase(name);
  for (const std::string& other : taken) EXPECT_EQ(text_of(other), "of somebody else");
  EXPECT_EQ(names().size(), 4U);
}

}  // namespace
}  // namespace pto::jit::tests

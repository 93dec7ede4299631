// Files as memory: nothing that becomes of a file while it is mapped ends the process.
#include "jit/files/mapped_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "runtime/system_calls.h"
#include "tests/cli/tool_fixture.h"

namespace pto::jit::tests {
namespace {

using cli::MappedFile;

class Mapped : public ToolTest {
 protected:
  void SetUp() override {
    ToolTest::SetUp();
    file_ = ::open(put("file", Bytes(3 * page_size(), std::byte{7})).c_str(), O_RDWR | O_CLOEXEC);
    ASSERT_GE(file_, 0);
  }
  void TearDown() override {
    ::close(file_);
    ToolTest::TearDown();
  }

  std::shared_ptr<const MappedFile> map(MappedFile::Use use) const {
    return MappedFile::make(file_, 3 * page_size(), use);
  }

  int file_ = -1;
};

// Read and written as a kernel would, where no compiler knows better.
std::byte at(const MappedFile& file, std::size_t byte) {
  return *static_cast<volatile std::byte*>(file.bytes().data() + byte);
}
void put_at(const MappedFile& file, std::size_t byte) {
  *static_cast<volatile std::byte*>(file.bytes().data() + byte) = std::byte{9};
}

TEST_F(Mapped, HoldsWhatTheFileHolds) {
  for (const auto use : {MappedFile::Use::Read, MappedFile::Use::Change, MappedFile::Use::Share}) {
    const auto mapped = map(use);
    ASSERT_TRUE(mapped);
    EXPECT_EQ(at(*mapped, 0), std::byte{7});
    EXPECT_EQ(at(*mapped, 3 * page_size() - 1), std::byte{7});
    EXPECT_TRUE(mapped->is_whole());
  }
}

TEST_F(Mapped, WritesToTheFileOnlyWhatIsShared) {
  put_at(*map(MappedFile::Use::Change), 0);
  put_at(*map(MappedFile::Use::Share), 1);
  EXPECT_EQ(get("file")[0], std::byte{7});
  EXPECT_EQ(get("file")[1], std::byte{9});
}

TEST_F(Mapped, ReadsZerosWhereTheFileHasEnded) {
  for (const auto use : {MappedFile::Use::Read, MappedFile::Use::Change, MappedFile::Use::Share}) {
    const auto mapped = map(use);
    const auto other = map(use);
    ASSERT_EQ(::ftruncate(file_, static_cast<off_t>(page_size())), 0);
    EXPECT_EQ(at(*mapped, page_size() - 1), std::byte{7});
    EXPECT_TRUE(mapped->is_whole());
    EXPECT_EQ(at(*mapped, page_size() + 5), std::byte{0});
    EXPECT_EQ(at(*mapped, 3 * page_size() - 1), std::byte{0});
    EXPECT_FALSE(mapped->is_whole());
    EXPECT_TRUE(other->is_whole());
    if (use != MappedFile::Use::Read) put_at(*mapped, 2 * page_size());
    put("file", Bytes(3 * page_size(), std::byte{7}));
  }
}

// What is met outside of every mapped file ends the process as it always did.
TEST_F(Mapped, LeavesTheMistakesOfOthersAlone) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::signal(SIGBUS, SIG_DFL);
    const auto mapped = map(MappedFile::Use::Read);
    static_cast<void>(::raise(SIGBUS));
    static_cast<void>(::raise(SIGBUS));
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGBUS) << status;
}

TEST_F(Mapped, RestoresTheHandlerItFound) {
  struct sigaction before = {};
  struct sigaction during = {};
  struct sigaction after = {};
  ::sigaction(SIGBUS, nullptr, &before);
  {
    const auto first = map(MappedFile::Use::Read);
    const auto second = map(MappedFile::Use::Read);
    ::sigaction(SIGBUS, nullptr, &during);
  }
  ::sigaction(SIGBUS, nullptr, &after);
  EXPECT_NE(during.sa_sigaction, before.sa_sigaction);
  EXPECT_EQ(after.sa_sigaction, before.sa_sigaction);
}

}  // namespace
}  // namespace pto::jit::tests

// What ends the tool in the middle of its work leaves the folders it works in as they were.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>

#include "tests/cli/tool_fixture.h"
#include "tests/cli/tool_process.h"

namespace pto::jit::tests {
namespace {

namespace fs = std::filesystem;

using Names = std::set<std::string>;

class Killed : public ToolTest {
 protected:
  // A run that has its first output complete and waits for a reader of its second.
  std::vector<std::string> waiting_run() const {
    return {"run",   "a5:comm.tscatter src=u8[64x32] dst=u8[16x32] stage=u8[16x32] ranks=4 root=0",
            "--in",  "src=" + put("src", Bytes(2048)),
            "--out", "dst.0=" + path("out"),
            "--out", "dst.1=" + path("pipe")};
  }

  // A check whose compiler never comes back.
  std::vector<std::string> waiting_check() const {
    put("compiler",
        "#!/bin/sh\necho > \"$TMPDIR/own\"\necho > '" + path("started") + "'\nexec sleep 20\n");
    fs::permissions(path("compiler"), fs::perms::owner_all);
    fs::create_directory(path("tmp"));
    return {"emit", "a5:mscatter.row src=f32[8x32] idx=i32[1x8] table=f32[64x32]", "--check"};
  }

  std::function<void()> in_own_folder() const {
    return [this] {
      ::setenv("CXX", path("compiler").c_str(), 1);
      ::setenv("TMPDIR", path("tmp").c_str(), 1);
    };
  }

  Names names_in_tmp() const {
    Names out;
    for (const fs::directory_entry& entry : fs::directory_iterator(path("tmp")))
      out.insert(entry.path().filename().string());
    return out;
  }
};

// Whether a process has a file open that no name leads to.
bool holds_unnamed_file(const ToolProcess& process) {
  std::error_code gone;
  for (fs::directory_iterator it("/proc/" + std::to_string(process.id()) + "/fd", gone), end;
       !gone && it != end; it.increment(gone)) {
    const std::string target = fs::read_symlink(it->path(), gone).string();
    if (target.find("ptojit-tool-") != std::string::npos && target.ends_with(" (deleted)"))
      return true;
  }
  return false;
}

constexpr std::array kSignals = {SIGTERM, SIGINT, SIGHUP, SIGKILL};

TEST_F(Killed, ARunLeavesNothing) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  put("out", "before");
  for (const int signal : kSignals) {
    ToolProcess process(waiting_run());
    ASSERT_TRUE(process.reaches([&] { return holds_unnamed_file(process); }));
    process.send(signal);
    EXPECT_EQ(process.wait().signal, signal);
    EXPECT_EQ(names(), (Names{"out", "pipe", "src"})) << signal;
    EXPECT_EQ(get("out").size(), 6U);
  }
}

TEST_F(Killed, ACheckLeavesNothing) {
  const std::vector<std::string> arguments = waiting_check();
  for (const int signal : kSignals) {
    if (signal == SIGKILL) continue;  // leaves the folder
    ToolProcess process(arguments, in_own_folder());
    ASSERT_TRUE(process.reaches([&] { return fs::exists(path("started")); }));
    fs::remove(path("started"));
    EXPECT_EQ(names_in_tmp().size(), 1U);
    process.send(signal);
    EXPECT_EQ(process.wait().signal, signal);
    EXPECT_EQ(names_in_tmp(), Names{}) << signal;
  }
}

}  // namespace
}  // namespace pto::jit::tests

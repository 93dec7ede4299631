// What ends the tool in the middle of its work leaves the folders it works in as they were.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <functional>
#include <vector>

#include "tests/cli/tool_fixture.h"
#include "tests/cli/tool_process.h"
#include "tests/support/paths.h"
#include "tests/support/process_mark.h"
#include "tests/support/sanitized.h"

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

  // A check whose compiler never comes back, nor those it started.
  std::vector<std::string> waiting_check() const {
    put("compiler", "#!/bin/sh\necho > \"$TMPDIR/own\"\necho > '" + path("started") +
                        "'\nsetsid sleep 300 &\nexec sleep 300\n");
    fs::permissions(path("compiler"), fs::perms::owner_all);
    fs::create_directory(path("tmp"));
    return {"emit", "a5:mscatter.row src=f32[8x32] idx=i32[1x8] table=f32[64x32]", "--check"};
  }

  std::function<void()> in_own_folder() const {
    return [this] {
      const rlimit no_core = {0, 0};
      ::setrlimit(RLIMIT_CORE, &no_core);
      ::setenv("CXX", path("compiler").c_str(), 1);
      ::setenv("TMPDIR", path("tmp").c_str(), 1);
    };
  }

  std::string text_of(const std::string& name) const {
    const Bytes bytes = get(name);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
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

// All that end a process unless it says otherwise.
std::vector<int> ending_signals() {
  std::vector<int> out = {SIGHUP,  SIGINT,    SIGQUIT, SIGILL,  SIGTRAP, SIGABRT, SIGBUS,   SIGFPE,
                          SIGKILL, SIGUSR1,   SIGSEGV, SIGUSR2, SIGPIPE, SIGALRM, SIGTERM,  SIGXCPU,
                          SIGXFSZ, SIGVTALRM, SIGPROF, SIGIO,   SIGPWR,  SIGSYS,  SIGSTKFLT};
  out.insert(out.end(), {SIGRTMIN, SIGRTMAX});
  if (kIsSanitized) {
    const auto is_reported = [](int signal) {
      return signal == SIGBUS || signal == SIGFPE || signal == SIGSEGV;
    };
    const std::size_t left = std::erase_if(out, is_reported);
    std::printf("%zu signals left out: a sanitizer answers them itself\n", left);
  }
  return out;
}

TEST_F(Killed, ACheckLeavesNothing) {
  const ProcessMark mark;
  const std::vector<std::string> arguments = waiting_check();
  for (const int signal : ending_signals()) {
    ToolProcess process(arguments, in_own_folder());
    ASSERT_TRUE(process.reaches([&] { return fs::exists(path("started")); }));
    fs::remove(path("started"));
    EXPECT_EQ(names_in_tmp().size(), 1U);
    EXPECT_TRUE(comes_true([&] { return !mark.alive().empty(); }));
    process.send(signal);
    EXPECT_EQ(process.wait().signal, signal);
    EXPECT_TRUE(comes_true([&] { return names_in_tmp().empty() && mark.alive().empty(); }))
        << signal;
  }
}

// The limit of its user: a kernel's text is larger, and so is the answer.
TEST_F(Killed, AFileThatMayNotGrowIsAnError) {
  fs::create_directory(path("tmp"));
  const std::string spec = " 'a5:mscatter.row src=f32[8x32] idx=i32[1x8] table=f32[64x32]'";
  const auto limited = [&](const std::string& arguments) {
    const std::string command = "ulimit -f 1; export TMPDIR='" + path("tmp") + "'; exec '" +
                                tool_path() + "' " + arguments + " 2>'" + path("err") + "'";
    const int status = std::system(command.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  };
  EXPECT_EQ(limited("emit" + spec + " --check >'" + path("out") + "'"), 2);
  EXPECT_NE(text_of("err").find("File too large"), std::string::npos) << text_of("err");
  EXPECT_EQ(names_in_tmp(), Names{});
  EXPECT_EQ(limited("emit" + spec + " >'" + path("out") + "'"), 2);
  EXPECT_NE(text_of("err").find("output.lost"), std::string::npos) << text_of("err");
}

// What looks like a leftover is not for a check to remove.
TEST_F(Killed, ACheckRemovesNothingThatIsNotItsOwn) {
  const std::vector<std::string> arguments = waiting_check();
  put("compiler", "#!/bin/sh\nexit 1\n");
  fs::create_directories(path("tmp/.ptojit-notes/thesis"));
  fs::create_directories(path("tmp/ptojit-check-notes"));
  ToolProcess check(arguments, in_own_folder());
  EXPECT_NE(check.wait().err.find("check.compile"), std::string::npos);
  EXPECT_EQ(names_in_tmp(), (Names{".ptojit-notes", "ptojit-check-notes"}));
}

}  // namespace
}  // namespace pto::jit::tests

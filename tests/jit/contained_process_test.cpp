// Programs that try to outlive, end or mislead whoever runs them: in a namespace, and without one.
#include "jit/checks/emulation/contained_process.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <ostream>

#include "tests/cli/tool_fixture.h"
#include "tests/support/process_mark.h"

namespace pto::jit {

static std::ostream& operator<<(std::ostream& out, const ProcessEnd& end) {
  return out << "end " << static_cast<int>(end.how) << " code " << end.code;
}

static bool operator==(const ProcessEnd& a, const ProcessEnd& b) {
  return a.how == b.how && a.code == b.code;
}

namespace tests {
namespace {

namespace fs = std::filesystem;

class ContainedProcess : public ToolTest, public ::testing::WithParamInterface<Containment> {
 protected:
  void SetUp() override {
    ToolTest::SetUp();
    fs::create_directory(path("tmp"));
    const char* before = std::getenv("TMPDIR");
    if (before != nullptr) before_ = before;
    ::setenv("TMPDIR", path("tmp").c_str(), 1);
  }

  // Whatever a program did, no process and no folder is left.
  void TearDown() override {
    EXPECT_TRUE(mark_.alive().empty());
    EXPECT_TRUE(fs::is_empty(path("tmp")));
    before_.empty() ? ::unsetenv("TMPDIR") : ::setenv("TMPDIR", before_.c_str(), 1);
    ToolTest::TearDown();
  }

  ProcessEnd run(const std::string& script, const Limits& limits = {}) {
    const Result<Scratch> folder = Scratch::make();
    if (!folder) ADD_FAILURE() << render(folder.error());
    if (!folder) return {};
    const ProcessEnd end = run_contained({"/bin/sh", "-c", script}, *folder, limits, GetParam());
    EXPECT_TRUE(mark_.alive().empty()) << "when the program is over";
    printed = folder->read(kOutput, 4096);
    return end;
  }

  bool has_namespace() {
    const std::string here = fs::read_symlink("/proc/self/ns/pid").string() + "\n";
    return run("readlink /proc/self/ns/pid").how == End::Exited && printed != here;
  }

  std::string printed;

 private:
  ProcessMark mark_;
  std::string before_;
};

constexpr const char* kLinger = "setsid sleep 300 & (setsid setsid sleep 300 &) ; sleep 300 & ";

TEST_P(ContainedProcess, SaysHowAProgramEnds) {
  EXPECT_EQ(run("exit 7"), (ProcessEnd{End::Exited, 7}));
  EXPECT_EQ(run("kill -SEGV $$"), (ProcessEnd{End::Killed, SIGSEGV}));
  EXPECT_EQ(run("sleep 300", {.seconds = 1}), (ProcessEnd{End::OutOfTime, 0}));
  EXPECT_EQ(run("echo here"), (ProcessEnd{End::Exited, 0}));
  EXPECT_EQ(printed, "here\n");
}

TEST_P(ContainedProcess, AProgramThatIsNotThereIsNotStarted) {
  const Result<Scratch> folder = Scratch::make();
  ASSERT_TRUE(folder);
  EXPECT_EQ(run_contained({path("none")}, *folder, {}, GetParam()).how, End::NotStarted);
}

TEST_P(ContainedProcess, NobodyOutlivesAProgram) {
  const std::string linger = kLinger;
  EXPECT_EQ(run(linger + "exit 3"), (ProcessEnd{End::Exited, 3}));
  EXPECT_EQ(run(linger + "kill -KILL $$"), (ProcessEnd{End::Killed, SIGKILL}));
  EXPECT_EQ(run(linger + "sleep 300", {.seconds = 1}), (ProcessEnd{End::OutOfTime, 0}));
}

TEST_P(ContainedProcess, NobodyOutlivesTheCaller) {
  const ProcessMark mark;
  const std::string script = kLinger + ("touch '" + path("started") + "'; sleep 300");
  const pid_t caller = ::fork();
  if (caller == 0) {
    run(script);
    ::_exit(0);
  }
  EXPECT_TRUE(comes_true([&] { return fs::exists(path("started")); }));
  EXPECT_TRUE(comes_true([&] { return !mark.alive().empty(); }));
  ::kill(caller, SIGKILL);
  ::waitpid(caller, nullptr, 0);
  EXPECT_TRUE(comes_true([&] { return mark.alive().empty() && fs::is_empty(path("tmp")); }));
}

TEST_P(ContainedProcess, FiftySessionsEndWithTheProgram) {
  const std::string script = "i=0; while [ $i -lt 50 ]; do setsid sleep 300 & i=$((i+1)); done";
  EXPECT_EQ(run(script), (ProcessEnd{End::Exited, 0}));
}

// Without a namespace that is a report about the program; its orphans end all the same.
TEST_P(ContainedProcess, WhoStartedAProgramCanBeEndedAtMost) {
  const bool has_one = has_namespace();
  const std::string linger = kLinger;
  EXPECT_EQ(run(linger + "kill -KILL $PPID; exit 3").how, has_one ? End::Exited : End::Killed);
  EXPECT_EQ(run(linger + "kill -STOP $PPID; exit 3", {.seconds = 2}).how,
            has_one ? End::Exited : End::OutOfTime);
}

class NamespacedProcess : public ContainedProcess {
 protected:
  void SetUp() override {
    ContainedProcess::SetUp();
    if (!has_namespace()) GTEST_SKIP() << "no namespace of processes can be had here";
  }
};

// The program looks for itself before it signals everybody: nobody outside is to be met.
TEST_P(NamespacedProcess, ReachesNobodyElse) {
  const std::string here = fs::read_symlink("/proc/self/ns/pid").string();
  const std::string script =
      "own=$(readlink /proc/self/ns/pid); [ $$ -eq 2 ] || exit 4; "
      "[ $PPID -eq 1 ] || exit 4; [ -n \"$own\" ] || exit 4; "
      "[ \"$own\" != '" +
      here + "' ] || exit 4; ";
  EXPECT_EQ(run(script + kLinger + "kill -KILL -1; exit 3"), (ProcessEnd{End::Exited, 3}));
  EXPECT_EQ(run("kill -0 " + std::to_string(::getpid()) + " && exit 4; exit 3"),
            (ProcessEnd{End::Exited, 3}));
}

TEST_P(ContainedProcess, FilesDoNotGrowWithoutEnd) {
  EXPECT_EQ(run("exec cat /dev/zero > big", {.file_bytes = 1 << 20}),
            (ProcessEnd{End::Killed, SIGXFSZ}));
}

TEST_P(ContainedProcess, NobodyGainsRights) {
  run("grep NoNewPrivs: /proc/self/status");
  EXPECT_EQ(printed, "NoNewPrivs:\t1\n");
}

TEST_P(ContainedProcess, StandardStreamsAreTheOnlyOpenFiles) {
  run("exec ls /proc/self/fd");  // the last is the folder
  EXPECT_EQ(printed, "0\n1\n2\n3\n");
}

TEST_P(ContainedProcess, ItsFolderGoesWhateverIsInIt) {
  put("theirs", "kept");
  const std::string theirs = "'" + path("") + "'";
  run("ln -s " + theirs + " link; ln -s " + theirs +
      "/theirs file; mkdir -p a/b/c 0 1/x; "
      "touch 0/y a/b/z 2; mkfifo pipe; ln -s ../.. a/b/up; ln -s " +
      theirs +
      " a/away; "
      "chmod 000 a/b a 2; chmod 500 1 .");
  EXPECT_EQ(get("theirs").size(), 4U);
}

// Deeper than files can be open.
TEST_P(ContainedProcess, ItsFolderGoesHoweverDeepItIs) {
  rlimit before = {};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  const rlimit low = {128, before.rlim_max};
  ::setrlimit(RLIMIT_NOFILE, &low);
  EXPECT_EQ(run("p=$(printf 'd/%.0s' $(seq 300)); mkdir -p $p"), (ProcessEnd{End::Exited, 0}));
  ::setrlimit(RLIMIT_NOFILE, &before);
}

TEST_P(NamespacedProcess, MountsNothingThatStays) {
  put("theirs", "kept");
  const ProcessEnd end = run("mkdir m; mount --bind '" + path("") + "' m && test -e m/theirs");
  if (end != ProcessEnd{End::Exited, 0}) GTEST_SKIP() << "nothing can be mounted: " << printed;
  EXPECT_EQ(get("theirs").size(), 4U);
}

TEST_P(ContainedProcess, LinksInItsFolderAreNotRead) {
  const Result<Scratch> folder = Scratch::make();
  ASSERT_TRUE(folder);
  run_contained({"/bin/sh", "-c", "rm output; ln -s /etc/passwd output; mkfifo pipe"}, *folder, {},
                GetParam());
  EXPECT_EQ(folder->read(kOutput, 4096), "");
  EXPECT_EQ(folder->read("pipe", 4096), "");
}

std::string name_of(const ::testing::TestParamInfo<Containment>& each) {
  return each.param == Containment::Namespace ? "Namespace" : "Watched";
}

INSTANTIATE_TEST_SUITE_P(Each, ContainedProcess,
                         ::testing::Values(Containment::Namespace, Containment::Watched), name_of);
INSTANTIATE_TEST_SUITE_P(Own, NamespacedProcess, ::testing::Values(Containment::Namespace),
                         name_of);

}  // namespace
}  // namespace tests
}  // namespace pto::jit

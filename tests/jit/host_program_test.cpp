// Kernels that misbehave are something to report, and nothing else: within a time limit, with
// nothing left in the file system, and no process either.
#include "jit/checks/emulation/host_program.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "jit/checks/emulation/harness_text.h"
#include "tests/cli/tool_fixture.h"
#include "tests/support/process_mark.h"

namespace pto::jit::tests {
namespace {

namespace fs = std::filesystem;

// Kernels that misbehave, and how: `data` has eight floats.
struct Body {
  const char* name;
  const char* text;
};
constexpr std::array kBodies = {
    Body{"nothing", ""},
    Body{"segfault", "*(volatile int*)8 = 1;"},
    Body{"give_up", "std::fputs(\"lost\", stderr); std::abort();"},
    Body{"exit_0", "std::exit(0);"},
    Body{"exit_127", "::_exit(127);"},
    Body{"print", "std::puts(\"hello\");"},
    Body{"print_for_ever", "for (;;) std::puts(\"and again\");"},
    Body{"run_for_ever", "for (volatile int i = 0;; i = 1) {}"},
    Body{"hog", "for (std::vector<std::vector<char>> all;;) all.emplace_back(1 << 24, 1);"},
    Body{"start_another", "if (::fork() == 0) for (;;) ::pause();"},
    Body{"start_sessions",
         "for (int i = 0; i < 50; ++i) if (::fork() == 0) for (::setsid();;) ::pause();"},
    Body{"stop_its_starter", "::kill(::getppid(), SIGSTOP);"},
    Body{"kill_its_starter", "::kill(::getppid(), SIGKILL);"},
    Body{"write_for_ever", "for (std::ofstream out(\"big\");;) out << std::string(1 << 16, 'x');"},
    Body{"fill_its_folder",
         "for (const char* name : {\"0\", \"0/1\", \"0/1/2\"}) ::mkdir(name, 0700);"
         "::symlink(std::getenv(\"THEIRS\"), \"0/1/link\"); ::symlink(\"..\", \"up\");"
         "::chmod(\"0/1\", 0); ::chmod(\"0\", 0);"},
};

HostUnit unit_of_all() {
  std::string text = source::harness_head() +
                     "#include <pto/pto-inst.hpp>\n#include <cstdio>\n#include <cstdlib>\n"
                     "#include <fstream>\n#include <vector>\n#include <csignal>\n"
                     "#include <sys/stat.h>\n#include <unistd.h>\n";
  for (const Body& body : kBodies) {
    const std::string name = body.name;
    text += "static void " + name + "(float* data) { (void)data; " + body.text +
            " }\nstatic const pto::emulation::Entry entry_" + name + "(\"" + name +
            "\", {pto::kTarget, 0, false}, [](pto::emulation::Call& call) { " + name +
            "((float*)call.pointer(0)); });\n";
  }
  return {.text = text, .flags = "-DREGISTER_BASE", .may_warn = true};
}

// Temporary folders of runs go below a folder of the test's own, which must be empty in the end.
class HostProgramTest : public ToolTest {
 protected:
  // Compiled once for all tests.
  static const Result<HostProgram>& program() {
    static const Result<HostProgram> kept = HostProgram::build(unit_of_all());
    return kept;
  }

  void SetUp() override {
    ToolTest::SetUp();
    ASSERT_TRUE(program()) << render(program().error());
    const char* old = std::getenv("TMPDIR");
    if (old != nullptr) old_ = old;
    ::setenv("TMPDIR", path("").c_str(), 1);
  }
  void TearDown() override {
    EXPECT_TRUE(names().empty());
    old_.empty() ? ::unsetenv("TMPDIR") : ::setenv("TMPDIR", old_.c_str(), 1);
    ToolTest::TearDown();
  }

  static std::string reports_of(const std::string& kernel, std::int64_t seconds = 60) {
    std::vector<float> data(8, 1.0F);
    const Result<RunRecord> record =
        program()->run({.kernel = kernel,
                        .buffers = {{"data", std::as_writable_bytes(std::span(data))}},
                        .extents = {},
                        .seconds = seconds});
    EXPECT_EQ(data, std::vector<float>(8, 1.0F));
    return record ? record->reports : render(record.error());
  }

 private:
  std::string old_;
};

TEST_F(HostProgramTest, AKernelThatDoesNothingHasNothingToReport) {
  EXPECT_EQ(reports_of("nothing"), "");
}

TEST_F(HostProgramTest, ATextThatIsRefusedLeavesNothingBehind) {
  EXPECT_FALSE(HostProgram::build({.text = "no text", .flags = "-DREGISTER_BASE"}));
}

TEST_F(HostProgramTest, ACompilerThatCannotBeStartedIsNamed) {
  const Result<HostProgram> program =
      HostProgram::build({.text = "", .flags = "", .setting = {put("no-compiler", "")}});
  ASSERT_FALSE(program);
  EXPECT_EQ(program.error()[0].id, "check.compiler");
  fs::remove(path("no-compiler"));
}

TEST_F(HostProgramTest, ATextThatTakesForEverIsGivenUp) {
  std::string text = "#define A0 x\n";
  for (int i = 1; i < 60; ++i) {
    const std::string before = " A" + std::to_string(i - 1);
    text += "#define A" + std::to_string(i) + before + before + "\n";
  }
  const Result<HostProgram> program =
      HostProgram::build({.text = text + "A59\n", .flags = "-DREGISTER_BASE", .seconds = 1});
  ASSERT_FALSE(program);
  EXPECT_NE(program.error()[0].message.find("takes more than 1 seconds"), std::string::npos)
      << program.error()[0].message;
}

TEST_F(HostProgramTest, ACrashIsReported) {
  EXPECT_EQ(reports_of("segfault"),
            "crash: the kernel is ended by signal 11, Segmentation fault\n");
  EXPECT_EQ(reports_of("give_up"),
            "crash: the kernel is ended by signal 6, Aborted, having printed 'lost'\n");
}

TEST_F(HostProgramTest, EndingTheProgramIsReported) {
  EXPECT_EQ(reports_of("exit_0"), "exit: the kernel ends the program, with code 0\n");
  EXPECT_EQ(reports_of("exit_127"), "exit: the kernel ends the program, with code 127\n");
}

TEST_F(HostProgramTest, PrintingIsReported) {
  EXPECT_EQ(reports_of("print"), "output: the kernel prints 'hello', which no device can\n");
}

TEST_F(HostProgramTest, NotEndingIsReportedInTime) {
  const auto begin = std::chrono::steady_clock::now();
  const std::string reports = reports_of("run_for_ever", 1);
  EXPECT_EQ(reports, "time: the kernel does not end within 1 seconds\n");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(40));
}

TEST_F(HostProgramTest, EatingMemoryIsReported) {
  EXPECT_EQ(reports_of("hog"), "memory: the kernel asks for more than it is allowed\n");
}

TEST_F(HostProgramTest, PrintingWithoutEndIsReported) {
  const std::string reports = reports_of("print_for_ever");
  EXPECT_TRUE(reports.starts_with("crash: the kernel is ended by signal 25, File size limit"))
      << reports;
}

TEST_F(HostProgramTest, WhatAKernelStartsEndsWithIt) {
  const ProcessMark mark;
  for (const char* kernel : {"start_another", "start_sessions"}) {
    EXPECT_EQ(reports_of(kernel), "");
    EXPECT_TRUE(mark.alive().empty()) << kernel;
  }
}

// Where there is no namespace, whoever started it can be ended, but nobody else is.
TEST_F(HostProgramTest, AKernelThatSignalsWhoStartedItEndsNobodyElse) {
  const std::string killed = reports_of("kill_its_starter");
  EXPECT_TRUE(killed.empty() || killed == "crash: the kernel is ended by signal 9, Killed\n")
      << killed;
  const std::string stopped = reports_of("stop_its_starter", 2);
  EXPECT_TRUE(stopped.empty() || stopped == "time: the kernel does not end within 2 seconds\n")
      << stopped;
}

TEST_F(HostProgramTest, WritingWithoutEndIsReported) {
  const std::string reports = reports_of("write_for_ever");
  EXPECT_TRUE(reports.starts_with("crash: the kernel is ended by signal 25, File size limit"))
      << reports;
}

TEST_F(HostProgramTest, AFileLimitOfTheUsersIsNotTheKernelsFault) {
  rlimit before = {};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit low = {1 << 20, before.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &low);
  const std::string found = reports_of("write_for_ever");
  ::setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_NE(found.find("raise 'ulimit -f'"), std::string::npos) << found;
}

TEST_F(HostProgramTest, WhatAKernelPutsIntoItsFolderGoesAndNothingElse) {
  put("theirs", "kept");
  ::setenv("THEIRS", path("").c_str(), 1);
  EXPECT_EQ(reports_of("fill_its_folder"), "");
  ::unsetenv("THEIRS");
  EXPECT_EQ(names(), std::set<std::string>{"theirs"});
  fs::remove(path("theirs"));
}

}  // namespace
}  // namespace pto::jit::tests

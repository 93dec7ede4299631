// The package from outside: what is installed, and every way in which other projects use it.
#include <gtest/gtest.h>

#include <array>
#include <set>
#include <string>
#include <vector>

#include "jit/version.h"
#include "tests/package/installed.h"
#include "tests/support/paths.h"
#include "tests/support/sample_size.h"
#include "tests/support/tsv.h"

namespace pto::jit::tests {
namespace {

namespace fs = std::filesystem;
using style::quoted;

using Package = Installed;

std::set<std::string> names_in(const fs::path& folder) {
  std::set<std::string> out;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    out.insert(entry.path().filename().string());
  return out;
}

bool has_command(const std::string& name) {
  return style::run("command -v " + name).exit_code == 0;
}

// Whether this build has the Python package.
bool has_python() { return fs::exists(build_root() + "/python"); }

// And ptojit::mpi.
bool has_mpi() { return fs::exists(build_root() + "/lib/libptojit_mpi.a"); }

TEST_F(Package, PutsEverythingInItsPlace) {
  const std::string version = PTOJIT_VERSION;
  const std::string soname = version.substr(0, version.rfind('.'));
  EXPECT_EQ(names_in(prefix() / "include"), std::set<std::string>{"ptojit"});
  EXPECT_EQ(names_in(prefix() / "bin"), std::set<std::string>{"ptojit"});
  std::set<std::string> libraries = {"cmake",
                                     "libptojit.a",
                                     "libptojit.so",
                                     "libptojit.so." + soname,
                                     "libptojit.so." + version,
                                     "pkgconfig"};
  if (has_python()) libraries.insert("python3");
  if (has_mpi()) libraries.insert("libptojit_mpi.a");
  EXPECT_EQ(names_in(prefix() / "lib"), libraries);
  const style::Outcome told = style::run(quoted(prefix() / "bin/ptojit") + " --version");
  EXPECT_EQ(told.output, "ptojit " + version + "\n");
}

TEST_F(Package, IsImportedByPythonFromWhereverItIsMoved) {
  if (!has_python()) GTEST_SKIP() << "this build has no Python package; cmake says why";
  fs::rename(prefix() / "lib/python3", root() / "moved");
  EXPECT_TRUE(works("cd / && PYTHONPATH=" + quoted(root() / "moved/dist-packages") +
                    " /usr/bin/python3 -c \"import numpy, ptojit; t = numpy.arange(6, dtype='i4'); "
                    "assert list(ptojit.gather(t, numpy.array([5, 0]))) == [5, 0]\""));
  fs::rename(root() / "moved", prefix() / "lib/python3");
}

TEST(PublicHeaders, AreAllInThePageOfTheInterface) {
  const std::string page = read_text("docs/api.md");
  const std::set<std::string> headers = names_in(build_root() + "/include/ptojit");
  EXPECT_GE(headers.size(), 20u);
  for (const std::string& name : headers)
    EXPECT_NE(page.find("`" + name + "`"), std::string::npos) << name;
}

// --- headers ------------------------------------------------------------------------------------

struct Language {
  std::string compilers;  // any one of them is there, or the test says so
  std::string flags;
  std::string headers;  // empty: all
};

// Where <mpi.h> is.
const std::string kMpiRoots =
    " -DOMPI_SKIP_MPICXX $(mpicxx --showme:incdirs | sed 's/[^ ][^ ]*/-isystem &/g') -";

void compile_headers(const Language& language, const fs::path& include) {
  if (!has_command(language.compilers)) {
    std::printf("%s is not installed: headers not tried with it\n", language.compilers.c_str());
    return;
  }
  std::vector<std::string> headers;
  for (const std::string& name : names_in(include / "ptojit")) {
    if (language.headers.empty() || name == language.headers) headers.push_back(name);
  }
  ASSERT_FALSE(headers.empty());
  for (const std::string& name : sampled(headers, 4, "headers for " + language.compilers)) {
    const style::Outcome outcome =
        style::run("printf '#include <ptojit/" + name + ">\\n' | " + language.compilers + " " +
                   language.flags +
                   " -fsyntax-only -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -I " +
                   quoted(include) + (name == "mpi.h" ? kMpiRoots : " -"));
    EXPECT_EQ(outcome.exit_code, 0) << name << " by " << language.compilers << "\n"
                                    << outcome.output;
  }
}

TEST_F(Package, HeadersCompileAloneWithoutAWarning) {
  const std::array<Language, 4> languages = {{{"g++", "-std=c++20 -x c++", ""},
                                              {"clang++-19", "-std=c++20 -x c++", ""},
                                              {"gcc", "-std=c11 -x c", "c.h"},
                                              {"clang-19", "-std=c11 -x c", "c.h"}}};
  for (const Language& language : languages) compile_headers(language, prefix() / "include");
}

// --- ways to use it -----------------------------------------------------------------------------

TEST_F(Package, IsFoundByFindPackageAndTheExamplesRun) {
  ASSERT_TRUE(builds("docs/examples/programs", "static", ""));
  EXPECT_TRUE(passes("static"));
}

TEST_F(Package, OffersTheSharedLibraryToTheExamplesToo) {
  ASSERT_TRUE(builds("docs/examples/programs", "shared", "-DBUILD_SHARED_LIBS=ON"));
  EXPECT_TRUE(passes("shared"));
}

TEST_F(Package, APluginMayBeUnloadedBeforeThreadsThatUsedItEnd) {
  ASSERT_TRUE(builds("tests/package/consumers/plugin", "plugin", ""));
  EXPECT_TRUE(passes("plugin"));
}

TEST_F(Package, OffersMpiAsAComponent) {
  if (!has_mpi()) GTEST_SKIP() << "this build has no MPI; cmake says why";
  ASSERT_TRUE(builds("tests/package/consumers/mpi", "mpi", ""));
  EXPECT_TRUE(passes("mpi"));
}

// The second time in a copy of the prefix elsewhere, and without the shared library.
TEST_F(Package, IsFoundByPkgConfig) {
  if (!has_command("pkg-config")) GTEST_SKIP() << "pkg-config is not installed";
  const std::string source = quoted(source_root() + "/docs/examples/programs/kv_cache_write");
  const std::string program = quoted(root() / "program");
  const auto config = [](const fs::path& where, const std::string& what) {
    return "$(PKG_CONFIG_PATH=" + quoted(where / "lib/pkgconfig") + " pkg-config " + what +
           " ptojit)";
  };
  EXPECT_TRUE(works("gcc -std=c11 " + source + ".c -o " + program + " " +
                    config(prefix(), "--cflags --libs") +
                    " && LD_LIBRARY_PATH=" + quoted(prefix() / "lib") + " " + program));
  const fs::path moved = root() / "moved";
  fs::copy(prefix(), moved, fs::copy_options::recursive | fs::copy_options::copy_symlinks);
  for (const std::string& name : names_in(moved / "lib")) {
    if (name.starts_with("libptojit.so")) fs::remove(moved / "lib" / name);
  }
  EXPECT_TRUE(works("g++ -std=c++20 " + source + ".cpp -o " + program + " " +
                    config(moved, "--static --cflags --libs") + " && " + program));
}

// --- inside another project ---------------------------------------------------------------------

// Without optimization: it is the project around it that is looked at.
std::string inside(const std::string& way, const std::string& llvm = "OFF") {
  return "-DWAY=" + way + " -DPTOJIT=" + quoted(source_root()) + " -DPTOJIT_LLVM=" + llvm +
         " -DPTOJIT_XBYAK=OFF -DCMAKE_CXX_FLAGS=-fno-exceptions -DCMAKE_CXX_COMPILER_LAUNCHER=" +
         (has_command("ccache") ? "ccache" : "");
}

TEST_F(Package, LeavesAProjectAroundItAlone) {
  const std::string project = "tests/package/consumers/subproject";
  EXPECT_TRUE(builds(project, "fetched", inside("FetchContent"), "user bystander"));
  const bool is_whole = takes_full_samples();
  std::printf("inside another project: %s\n", is_whole ? "built and run" : "its user compiled");
  ASSERT_TRUE(
      builds(project, "added", inside("add_subdirectory"), is_whole ? "all" : "user bystander"));
  if (is_whole) {
    EXPECT_TRUE(works(quoted(root() / "added/program")));
  }
}

// LLVM's own package asks for a C compiler where it finds libedit.
TEST_F(Package, SearchesForNothingThatLlvmWasBuiltWith) {
  const fs::path stub = root() / "libedit";
  ASSERT_TRUE(works("mkdir -p " + quoted(stub / "include") + " " + quoted(stub / "lib") +
                    " && touch " + quoted(stub / "include/histedit.h") +
                    " && echo | g++ -shared -x c++ - -o " + quoted(stub / "lib/libedit.so")));
  const std::string both =
      " -DCMAKE_PREFIX_PATH=" + quoted(prefix().string() + ";" + stub.string());
  EXPECT_TRUE(builds("tests/package/consumers/plugin", "found", both, "help"));
  EXPECT_TRUE(builds("tests/package/consumers/subproject", "around",
                     inside("add_subdirectory", "AUTO") + both, "help"));
}

}  // namespace
}  // namespace pto::jit::tests

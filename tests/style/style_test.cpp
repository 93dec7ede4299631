// The checks and the compilers, turned on this very tree.
#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <string>
#include <vector>

#include "tests/style/checks.h"
#include "tests/style/tree.h"
#include "tests/support/paths.h"

namespace pto::jit::style {
namespace {

const std::string kRoot = tests::source_root();

std::vector<SourceFile> cpp_files() { return select(read_tree(kRoot), is_cpp); }
std::vector<SourceFile> headers() { return select(read_tree(kRoot), is_header); }

const bool kHasMpi = run("command -v mpicxx").exit_code == 0;
const std::string kMpiRoots =
    kHasMpi ? " $(mpicxx --showme:incdirs | sed 's/[^ ][^ ]*/-isystem &/g')" : "";

// What only a build with MPI compiles.
bool needs_mpi(const SourceFile& file) {
  return file.path.starts_with("jit/calls/mpi/") || file.path.starts_with("bench/ranks/") ||
         file.path.starts_with("tests/mpi/programs/");
}

// The emulation of the device's library is compiled for one device or another, hence the macro.
Outcome compile(const std::string& text) {
  return run("printf '%s' " + quoted(text) + " | " + quoted(tests::compiler_path()) +
             " -std=c++20 -fsyntax-only -x c++ -DREGISTER_BASE -I " + quoted(kRoot) + " -I " +
             quoted(kRoot + "/jit/checks/emulation/include") + " -I " +
             quoted(tests::build_root() + "/generated") + kMpiRoots + " -");
}

// Included twice, so that the guard is put to use. One header of the emulation refuses to come
// first, as it does in the device's library.
Outcome compile_alone(const SourceFile& header) {
  const bool is_second = header.path.ends_with("pto/common/constants.hpp");
  const std::string before = is_second ? "#include \"pto/pto-inst.hpp\"\n" : "";
  const std::string line = "#include \"" + header.path + "\"\n";
  return compile(before + line + line);
}

bool has_formatter() { return run("command -v clang-format-19").exit_code == 0; }

const std::string kFormatCheck =
    "cd " + quoted(kRoot) + " && clang-format-19 --dry-run --Werror --ferror-limit=20 ";

TEST(Style, FilesAreFormatted) {
  if (!has_formatter()) GTEST_SKIP() << "clang-format-19 is not installed";
  const std::vector<SourceFile> files = cpp_files();
  ASSERT_FALSE(files.empty());
  std::string arguments;
  for (const SourceFile& file : files) arguments += " " + quoted(file.path);
  const Outcome outcome = run(kFormatCheck + arguments);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output << "remedy: ./dev format\n";
}

TEST(Style, AnUnformattedFileIsFound) {
  if (!has_formatter()) GTEST_SKIP() << "clang-format-19 is not installed";
  const std::string check = kFormatCheck + "--assume-filename=ir/snippet.h";
  EXPECT_EQ(run("printf 'int* a;\\n' | { " + check + "; }").exit_code, 0);
  EXPECT_NE(run("printf 'int  *a;\\n' | { " + check + "; }").exit_code, 0);
}

TEST(Style, IncludesFollowTheLayers) {
  const std::vector<SourceFile> files = cpp_files();
  ASSERT_FALSE(files.empty());
  Findings findings = check_emitter_reach(files);
  append(findings, check_llvm_spread(files));
  for (const SourceFile& file : files) append(findings, check_includes(file));
  std::printf("%s", layers_text().c_str());
  EXPECT_EQ(render(findings), "");
}

TEST(Style, HeadersAreGuarded) {
  Findings findings;
  for (const SourceFile& header : headers()) append(findings, check_pragma_once(header));
  EXPECT_EQ(render(findings), "");
}

TEST(Style, OnlyKnownFoldersAtTheRoot) {
  EXPECT_EQ(render(check_top_level_folders(top_level_folders(kRoot))), "");
}

TEST(Style, EveryHeaderCompilesAlone) {
  std::vector<SourceFile> files = headers_left_to_compile(cpp_files());
  ASSERT_FALSE(files.empty());
  if (!kHasMpi) {
    const std::size_t skipped = std::erase_if(files, needs_mpi);
    std::printf("%zu headers skipped: there is no mpicxx\n", skipped);
  }
  std::vector<Outcome> outcomes(files.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < files.size(); i = next++)
      outcomes[i] = compile_alone(files[i]);
  };
  std::future<void> other = std::async(std::launch::async, work);
  work();
  other.get();
  for (std::size_t i = 0; i < files.size(); ++i) {
    EXPECT_EQ(outcomes[i].exit_code, 0) << files[i].path << '\n' << outcomes[i].output;
  }
}

TEST(Style, AHeaderThatNeedsAnotherDoesNotCompileAlone) {
  EXPECT_EQ(compile("#include <string>\ninline std::string name;\n").exit_code, 0);
  EXPECT_NE(compile("inline std::string name;\n").exit_code, 0);
}

TEST(Style, AtomicsOfTheRuntimeNameTheirOrders) {
  Findings findings;
  for (const SourceFile& file : read_tree(kRoot)) append(findings, check_orders(file));
  EXPECT_EQ(render(findings), "");
}

TEST(Style, TreeSpeaksOfItselfOnly) {
  Findings findings;
  for (const SourceFile& file : read_tree(kRoot)) append(findings, check_wording(file));
  EXPECT_EQ(render(findings), "");
}

}  // namespace
}  // namespace pto::jit::style

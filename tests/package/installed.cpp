#include "tests/package/installed.h"

#include <unistd.h>

#include "tests/support/paths.h"
#include "tests/support/sanitized.h"

namespace pto::jit::tests {
namespace {

namespace fs = std::filesystem;

fs::path scratch;

}  // namespace

const fs::path& Installed::root() { return scratch; }

void Installed::TearDownTestSuite() {
  if (!scratch.empty()) fs::remove_all(scratch);
}

void Installed::SetUp() {
  if (kIsSanitized) GTEST_SKIP() << "a sanitized library is not for other programs to link";
  if (!scratch.empty()) return;
  scratch = fs::temp_directory_path() / ("ptojit_package_" + std::to_string(getpid()));
  fs::create_directories(scratch);
  ASSERT_TRUE(works("cmake --install " + style::quoted(build_root()) + " --prefix " +
                    style::quoted(prefix())));
}

::testing::AssertionResult Installed::works(const std::string& command) {
  const style::Outcome outcome = style::run(command);
  if (outcome.exit_code == 0) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << command << "\n" << outcome.output;
}

::testing::AssertionResult Installed::builds(const std::string& project, const std::string& folder,
                                             const std::string& options,
                                             const std::string& target) {
  const std::string build = style::quoted(root() / folder);
  return works("cmake -G Ninja -S " + style::quoted(source_root() + "/" + project) + " -B " +
               build + " -DCMAKE_PREFIX_PATH=" + style::quoted(prefix()) +
               " -DCMAKE_CXX_COMPILER=" + style::quoted(compiler_path()) + " " + options +
               " && cmake --build " + build + " --target " + target);
}

::testing::AssertionResult Installed::passes(const std::string& folder) {
  return works("ctest --output-on-failure --no-tests=error --test-dir " +
               style::quoted(root() / folder));
}

}  // namespace pto::jit::tests

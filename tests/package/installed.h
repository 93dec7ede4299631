// The package as a user gets it: installed from this build into a folder of its own.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "tests/style/tree.h"

namespace pto::jit::tests {

class Installed : public ::testing::Test {
 protected:
  // Installs before the first test, as a part of it: tests of a suite that cannot be set up are
  // skipped, and those who run them take that for well.
  void SetUp() override;
  static void TearDownTestSuite();

  // A scratch folder; the package is below it in "prefix".
  static const std::filesystem::path& root();
  static std::filesystem::path prefix() { return root() / "prefix"; }

  // Whether a shell command ends well; what it printed otherwise.
  static ::testing::AssertionResult works(const std::string& command);

  // Configures a project below the root of the sources and builds `target` in a folder of that
  // name; `options` go to cmake.
  static ::testing::AssertionResult builds(const std::string& project, const std::string& folder,
                                           const std::string& options,
                                           const std::string& target = "all");

  // Runs the tests of what was built there.
  static ::testing::AssertionResult passes(const std::string& folder);
};

}  // namespace pto::jit::tests

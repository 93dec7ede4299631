// The shared library as the loader sees it: its names, and what it asks for.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include "jit/version.h"
#include "tests/style/tree.h"
#include "tests/support/paths.h"
#include "tests/support/sanitized.h"

namespace pto::jit::tests {
namespace {

namespace fs = std::filesystem;

std::string told_of_library(const std::string& command) {
  return style::run(command + " " + style::quoted(build_root() + "/lib/libptojit.so")).output;
}

std::set<std::string> matches(const std::string& text, const char* pattern) {
  const std::regex expression(pattern);
  std::set<std::string> out;
  for (std::sregex_iterator at(text.begin(), text.end(), expression), end; at != end; ++at)
    out.insert((*at)[1].str());
  return out;
}

// Of all public headers but that of a library of its own.
std::string documented() {
  std::ostringstream out;
  for (const fs::directory_entry& header :
       fs::directory_iterator(build_root() + "/include/ptojit")) {
    if (header.path().filename() != "mpi.h") out << "\n" << std::ifstream(header.path()).rdbuf();
  }
  return out.str();
}

TEST(SharedLibrary, ShowsItsInterfaceAndNothingElse) {
  std::istringstream lines(told_of_library("nm -DC --defined-only"));
  const std::set<std::string> words = matches(documented(), "([A-Za-z_][A-Za-z_0-9]*)");
  const std::regex shown(
      "[0-9a-f]+ [TW] (?:pto::jit::([A-Za-z_0-9]+)[^A-Za-z_0-9].*|(ptojit_\\w+))");
  std::size_t count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    std::smatch found;
    ASSERT_TRUE(std::regex_match(line, found, shown)) << line;
    EXPECT_TRUE(words.contains(found[found[1].matched ? 1 : 2].str())) << line;
  }
  EXPECT_GE(count, 60u);
}

TEST(SharedLibrary, ShowsEveryFunctionOfThePublicHeaders) {
  const std::string shown = told_of_library("nm -DC --defined-only");
  const std::set<std::string> names =
      matches(documented(),
              "\n(?!inline|constexpr|consteval|using|typedef|static)"
              "[A-Za-z][A-Za-z0-9_:<>, ]*[ &*]([a-z_0-9]+)\\([^{]*?\\);");
  EXPECT_GE(names.size(), 60u);
  for (const std::string& name : names) {
    const bool is_there = shown.find("::" + name + "(") != std::string::npos ||
                          shown.find("::" + name + "[abi:cxx11](") != std::string::npos ||
                          shown.find(" T " + name + "\n") != std::string::npos;
    EXPECT_TRUE(is_there) << name;
  }
}

// A library that is loaded late gets but 512 bytes in each thread that its code may rely on.
TEST(SharedLibrary, StaysLoadedAndAsksLittleOfEachThread) {
  const std::string version = PTOJIT_VERSION;
  const std::string dynamic = told_of_library("readelf -dW");
  EXPECT_NE(dynamic.find("[libptojit.so." + version.substr(0, version.rfind('.')) + "]"),
            std::string::npos)
      << dynamic;
  EXPECT_NE(dynamic.find("NODELETE"), std::string::npos) << dynamic;
  EXPECT_NE(dynamic.find("STATIC_TLS"), std::string::npos) << dynamic;
  if (kIsSanitized) GTEST_SKIP() << "a sanitizer adds to what each thread has";
  std::smatch found;
  const std::string segments = told_of_library("readelf -lW");
  ASSERT_TRUE(std::regex_search(segments, found,
                                std::regex("TLS +0x\\S+ 0x\\S+ 0x\\S+ 0x\\S+ 0x([0-9a-f]+)")))
      << segments;
  EXPECT_LE(std::stoul(found[1].str(), nullptr, 16), 256u);
}

}  // namespace
}  // namespace pto::jit::tests

#include "jit/options/environment.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <utility>

#include "jit/backends/objects/object_cache.h"
#include "jit/compile/compile.h"
#include "tests/support/paths.h"

namespace pto::jit {
namespace {

// What the variables of the test in progress hold.
std::map<std::string, std::string>& held() {
  static std::map<std::string, std::string> values;
  return values;
}

Result<Environment> read(std::map<std::string, std::string> values) {
  held() = std::move(values);
  return read_environment([](const char* name) -> const char* {
    const auto found = held().find(name);
    return found == held().end() ? nullptr : found->second.c_str();
  });
}

std::string id_of(const char* name, const char* value) {
  const Result<Environment> result = read({{name, value}});
  if (result) return "";
  const Diagnostic& diagnostic = result.error().front();
  EXPECT_NE(diagnostic.message.find(name), std::string::npos) << diagnostic.message;
  EXPECT_NE(diagnostic.message.find("'" + std::string(value) + "'"), std::string::npos)
      << diagnostic.message;
  return diagnostic.id;
}

TEST(Environment, WithoutVariablesIsTheDefault) {
  const Result<Environment> result = read({});
  ASSERT_TRUE(result);
  EXPECT_EQ(*result, Environment{});
  EXPECT_EQ(result->cache, CacheLimits{});
}

TEST(Environment, ReadsEveryVariable) {
  const Result<Environment> result = read({{"PTOJIT_CACHE_ENTRIES", "12"},
                                           {"PTOJIT_CACHE_BYTES", "3M"},
                                           {"PTOJIT_ARENA_BYTES", "65536"},
                                           {"PTOJIT_BACKEND", "llvm"},
                                           {"PTOJIT_FEATURES", "baseline"},
                                           {"PTOJIT_STRATEGY", "form=lanes,group=4"},
                                           {"PTOJIT_BIND_AFTER", "12"},
                                           {"PTOJIT_DUMP", "out/kernels"},
                                           {"PTOJIT_DISK_CACHE", "out/objects"},
                                           {"PTOJIT_DISK_CACHE_BYTES", "5M"},
                                           {"PTOJIT_PERF", "1"},
                                           {"PTOJIT_GDB", "1"}});
  ASSERT_TRUE(result);
  Environment expected;
  expected.cache = {.entries = 12, .bytes = std::size_t{3} << 20};
  expected.arena_bytes = 65536;
  expected.backend = Backend::Llvm;
  expected.features = FeatureLevel::Baseline;
  expected.strategy = {.form = UnitForm::Lanes, .group = 4};
  expected.bind_after = 12;
  expected.dump = "out/kernels";
  expected.disk_cache = "out/objects";
  expected.disk_cache_bytes = std::size_t{5} << 20;
  expected.tools = {.perf_map = true, .gdb = true};
  EXPECT_EQ(*result, expected);
}

TEST(Environment, SizesTakeUnits) {
  EXPECT_EQ(read({{"PTOJIT_CACHE_BYTES", "7"}})->cache.bytes, 7U);
  EXPECT_EQ(read({{"PTOJIT_CACHE_BYTES", "7K"}})->cache.bytes, 7U << 10);
  EXPECT_EQ(read({{"PTOJIT_ARENA_BYTES", "2G"}})->arena_bytes, std::size_t{2} << 30);
}

TEST(Environment, AMalformedValueIsNeverIgnored) {
  for (const char* value :
       {"", "0", "-1", "ten", "1.5", "12K", "4096 ", " 1", "0x10", "99999999999999999999"}) {
    EXPECT_EQ(id_of("PTOJIT_CACHE_ENTRIES", value), "env.cache_entries") << value;
  }
  for (const char* value : {"", "0", "0M", "M", "5T", "5KB", "5 K", "18446744073709551615G"}) {
    EXPECT_EQ(id_of("PTOJIT_CACHE_BYTES", value), "env.cache_bytes") << value;
    EXPECT_EQ(id_of("PTOJIT_ARENA_BYTES", value), "env.arena_bytes") << value;
  }
  for (const char* value : {"", "XBYAK", "asmjit"}) {
    EXPECT_EQ(id_of("PTOJIT_BACKEND", value), "env.backend") << value;
    EXPECT_EQ(id_of("PTOJIT_FEATURES", value), "env.features") << value;
  }
  EXPECT_EQ(read({{"PTOJIT_BIND_AFTER", "0"}})->bind_after, 0U);
  for (const char* value : {"", "-1", "1K", "65536"})
    EXPECT_EQ(id_of("PTOJIT_BIND_AFTER", value), "env.bind_after") << value;
  EXPECT_EQ(id_of("PTOJIT_DUMP", ""), "env.dump");
  for (const char* value : {"", "form", "form=quick", "group=17"})
    EXPECT_EQ(id_of("PTOJIT_STRATEGY", value), "env.strategy") << value;
  EXPECT_EQ(id_of("PTOJIT_DISK_CACHE", ""), "env.disk_cache");
  EXPECT_EQ(id_of("PTOJIT_DISK_CACHE_BYTES", "0"), "env.disk_cache_bytes");
}

TEST(Environment, AnEmptyValueIsNamed) {
  for (const Variable& variable : variables()) {
    EXPECT_TRUE(id_of(variable.name, "").starts_with("env.")) << variable.name;
    EXPECT_EQ(read({{variable.name, ""}}).error()[0].message,
              std::string(variable.name) + " is '', not " + std::string(variable.values));
  }
}

TEST(Environment, SaysWhatIsAccepted) {
  const Result<Environment> result = read({{"PTOJIT_FEATURES", "sse9"}});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().front().message,
            "PTOJIT_FEATURES is 'sse9', not native, avx512, avx2 or baseline; on aarch64 native, "
            "sve2, sve, neon or baseline");
}

TEST(Environment, LevelsOfAnotherArchitectureAreNotAccepted) {
  const bool is_arm = host_features().neon;
  EXPECT_EQ(id_of("PTOJIT_FEATURES", is_arm ? "avx2" : "sve"), "env.features");
  EXPECT_EQ(id_of("PTOJIT_FEATURES", is_arm ? "neon" : "avx2"), "");
}

TEST(Environment, ReportsAllThatIsWrong) {
  const Result<Environment> result =
      read({{"PTOJIT_CACHE_ENTRIES", "none"}, {"PTOJIT_BACKEND", "x"}, {"PTOJIT_DUMP", "d"}});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().size(), 2U);
}

TEST(Environment, OfTheProcessIsReadOnce) { EXPECT_EQ(&environment(), &environment()); }

TEST(Environment, AnUnknownNameIsNotedWithTheNearest) {
  const char* const entries[] = {
      "PATH=/bin",          "PTOJIT_CACHE_ENTRYS=5", "PTOJIT_DUMP=d", "PTOJITTER=1",
      "PTOJIT_disk_cache=", "PTOJIT_TESTS=all",      "PTOJIT_=",      nullptr};
  const Diagnostics notes = unknown_variables(entries);
  ASSERT_EQ(notes.size(), 3U);
  EXPECT_EQ(render(notes[0]),
            "note[env.unknown]: PTOJIT_CACHE_ENTRYS means nothing; the nearest that does is "
            "PTOJIT_CACHE_ENTRIES\n");
  EXPECT_NE(notes[1].message.find("PTOJIT_disk_cache means"), std::string::npos);
  EXPECT_NE(notes[2].message.find("PTOJIT_ means"), std::string::npos);
  EXPECT_EQ(unknown_variables(nullptr), Diagnostics{});
}

TEST(Environment, OfAProgramIsHeldToTheSameValues) {
  const auto id = [](const auto& spoil) {
    Environment wanted;
    spoil(wanted);
    const Result<Done> used = use_environment(wanted);
    return used ? "" : used.error()[0].id + " " + used.error()[0].message;
  };
  using E = Environment;
  EXPECT_EQ(id([](E& e) { e.cache.entries = 0; }), "env.value cache.entries is 0, not at least 1");
  EXPECT_EQ(id([](E& e) { e.cache.bytes = 0; }), "env.value cache.bytes is 0, not at least 1");
  EXPECT_EQ(id([](E& e) { e.arena_bytes = 0; }), "env.value arena_bytes is 0, not at least 1");
  EXPECT_EQ(id([](E& e) { e.disk_cache_bytes = 0; }),
            "env.value disk_cache_bytes is 0, not at least 1");
  EXPECT_EQ(id([](E& e) { e.backend = Backend{9}; }),
            "env.value backend is 9; its values run from 0 to 3");
  EXPECT_EQ(id([](E& e) { e.features = FeatureLevel{200}; }),
            "env.value features is 200; its values run from 0 to 6");
  const bool is_arm = host_features().neon;
  EXPECT_EQ(id([&](E& e) { e.features = is_arm ? FeatureLevel::Avx2 : FeatureLevel::Sve2; }),
            is_arm ? "env.value features: avx2 is a level of x86-64, and this host is aarch64"
                   : "env.value features: sve2 is a level of aarch64, and this host is x86-64");
  EXPECT_TRUE(id([](E& e) { e.strategy.group = 3; }).starts_with("option.strategy"));
}

// In a process of its own, where nothing has asked yet: the program's word stands in for every
// variable, and comes too late once a kernel was made.
TEST(EnvironmentDeathTest, OfAProgramNeedsNoVariables) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) /
                                       ("ptojit-environment-" + std::to_string(::getppid()));
  const auto program = [&] {
    ::setenv("PTOJIT_BACKEND", "nonsense", 1);
    Environment wanted;
    wanted.backend = Backend::Interpreter;
    wanted.cache = {.entries = 1};
    wanted.disk_cache = folder.string();
    const bool is_taken = use_environment(wanted).has_value();
    const bool is_used = environment() && *environment() == wanted;
    for (const char* rows : {"16", "32"}) {
      const std::string text = "a5:tscatter src=f32[" + std::string(rows) + "x16] idx=i32[" + rows +
                               "x16] dst=f32[16x16]";
      const Result<Kernel> kernel = compile(text);
      if (!kernel || kernel->backend() != Backend::Interpreter) std::exit(1);
    }
    const bool is_bounded = cache_statistics().entries == 1;
    const bool is_kept = object_cache().options().directory == wanted.disk_cache;
    const Result<Done> late = use_environment(wanted);
    std::fprintf(stderr, "%d%d%d%d %s\n", is_taken, is_used, is_bounded, is_kept,
                 late ? "" : late.error()[0].id.c_str());
    std::exit(0);
  };
  EXPECT_EXIT(program(), testing::ExitedWithCode(0), "1111 env.late");
}

// Sources of the project name no variable that the table does not have.
TEST(Environment, HasEveryVariableThatSourcesName) {
  std::set<std::string> known;
  for (const Variable& variable : variables()) known.insert(variable.name);
  std::set<std::string> named;
  for (const char* folder : {"ir", "targets", "runtime", "jit", "tests", "bench"}) {
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(tests::source_root() + "/" + folder)) {
      const std::string extension = entry.path().extension().string();
      if (extension != ".cpp" && extension != ".h") continue;
      std::ifstream file(entry.path());
      const std::string text{std::istreambuf_iterator<char>(file), {}};
      const std::regex name("getenv\\(\"(PTOJIT_\\w+)\"\\)|= \"(PTOJIT_[A-Z_]+)\";");
      for (std::sregex_iterator at(text.begin(), text.end(), name), end; at != end; ++at)
        named.insert((*at)[1].str() + (*at)[2].str());
    }
  }
  EXPECT_GE(named.size(), 4U);
  for (const std::string& name : named) EXPECT_TRUE(known.contains(name)) << name;
}

}  // namespace
}  // namespace pto::jit

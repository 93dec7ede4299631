#include "jit/environment.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>

namespace pto::jit {
namespace {

// What the variables of the test in progress hold.
std::map<std::string, std::string>& variables() {
  static std::map<std::string, std::string> values;
  return values;
}

Result<Environment> read(std::map<std::string, std::string> values) {
  variables() = std::move(values);
  return read_environment([](const char* name) -> const char* {
    const auto found = variables().find(name);
    return found == variables().end() ? nullptr : found->second.c_str();
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
                                           {"PTOJIT_FEATURES", "avx2"},
                                           {"PTOJIT_STRATEGY", "form=lanes,group=4"},
                                           {"PTOJIT_DUMP", "out/kernels"},
                                           {"PTOJIT_DISK_CACHE", "out/objects"},
                                           {"PTOJIT_DISK_CACHE_BYTES", "5M"}});
  ASSERT_TRUE(result);
  Environment expected;
  expected.cache = {.entries = 12, .bytes = std::size_t{3} << 20};
  expected.arena_bytes = 65536;
  expected.backend = Backend::Llvm;
  expected.features = FeatureLevel::Avx2;
  expected.strategy = {.form = UnitForm::Lanes, .group = 4};
  expected.dump = "out/kernels";
  expected.disk_cache = "out/objects";
  expected.disk_cache_bytes = std::size_t{5} << 20;
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
  EXPECT_EQ(id_of("PTOJIT_DUMP", ""), "env.dump");
  for (const char* value : {"", "form", "form=quick", "group=17"})
    EXPECT_EQ(id_of("PTOJIT_STRATEGY", value), "env.strategy") << value;
  EXPECT_EQ(id_of("PTOJIT_DISK_CACHE", ""), "env.disk_cache");
  EXPECT_EQ(id_of("PTOJIT_DISK_CACHE_BYTES", "0"), "env.disk_cache_bytes");
}

TEST(Environment, SaysWhatIsAccepted) {
  const Result<Environment> result = read({{"PTOJIT_FEATURES", "sse9"}});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().front().message,
            "PTOJIT_FEATURES is 'sse9', not native, avx512, avx2 or baseline");
}

TEST(Environment, ReportsAllThatIsWrong) {
  const Result<Environment> result =
      read({{"PTOJIT_CACHE_ENTRIES", "none"}, {"PTOJIT_BACKEND", "x"}, {"PTOJIT_DUMP", "d"}});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().size(), 2U);
}

TEST(Environment, OfTheProcessIsReadOnce) { EXPECT_EQ(&environment(), &environment()); }

}  // namespace
}  // namespace pto::jit

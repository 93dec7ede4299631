// The C++ lines of the README, compiled and run. The test beside it says that the README has them.
#include <gtest/gtest.h>

#include <fstream>
#include <numeric>
#include <sstream>
#include <vector>

#include "tests/support/paths.h"

// readme: begin
#include <ptojit/ptojit.h>

// Adds each row of `grad` to the row of `table` that `ids` names.
pto::jit::Result<pto::jit::Done> add_rows(std::vector<float>& table, const std::vector<float>& grad,
                                          const std::vector<std::int32_t>& ids) {
  using namespace pto::jit;
  const auto spec = parse(
      "a5:mscatter.row.skip.atomic_add src=f32[64x32|?x32] idx=i32[1x64|1x?] table=f32[?x32]");
  if (!spec) return spec.error();
  const std::int64_t shape[] = {static_cast<std::int64_t>(table.size()) / 32, 32};
  const BufferView buffers[] = {view_of("src", grad), view_of("idx", ids),
                                view_of("table", table, shape)};
  const Binding rows[] = {{Dim::DataVr, static_cast<std::int64_t>(ids.size())}};
  return call(*spec, {.buffers = buffers, .bindings = rows});  // checked; compiled once, then found
}
// readme: end

namespace pto::jit::tests {
namespace {

std::string read(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(ReadmeExample, ExampleAddsRows) {
  std::vector<float> table(100 * 32, 1.0f);
  std::vector<float> grad(64 * 32, 2.0f);
  std::vector<std::int32_t> ids(64, 7);
  ids[63] = 1000;
  const Result<Done> done = add_rows(table, grad, ids);
  ASSERT_TRUE(done) << render(done.error());
  EXPECT_EQ(table[7 * 32], 1.0f + 63 * 2.0f);
  EXPECT_EQ(std::accumulate(table.begin(), table.end(), 0.0f), 100 * 32 + 63 * 32 * 2.0f);
}

// It states no size, so what is too small is found.
TEST(ReadmeExample, ExampleRefusesWhatIsTooSmall) {
  std::vector<float> table(100 * 32, 1.0f);
  const std::vector<std::int32_t> ids(64, 7);
  const Result<Done> refused = add_rows(table, std::vector<float>(63 * 32), ids);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error()[0].id, "call.size");
  EXPECT_EQ(table, std::vector<float>(100 * 32, 1.0f));
}

TEST(ReadmeExample, ShowsTheExampleAsItIsTested) {
  const std::string root = source_root();
  const std::string source = read(root + "/tests/docs/example_test.cpp");
  const std::string mark = "// readme: begin\n";
  const std::size_t begin = source.find(mark) + mark.size();
  const std::string lines = source.substr(begin, source.find("// readme: end", begin) - begin);
  EXPECT_NE(read(root + "/README.md").find("```cpp\n" + lines + "```"), std::string::npos);
}

}  // namespace
}  // namespace pto::jit::tests

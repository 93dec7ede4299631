// ptojit run on tables far larger than what is moved: only what is touched is read or written.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>

#include "tests/cli/tool_fixture.h"
#include "tests/cli/tool_process.h"
#include "tests/support/sanitized.h"

namespace pto::jit::tests {
namespace {

constexpr std::int64_t kRows = 37'500'000;  // of 128 bytes: 4.8 GB
constexpr std::int64_t kRow = 128;
constexpr std::int64_t kMost = 100'000'000;  // bytes resident
const std::string kTable = "f32[" + std::to_string(kRows) + "x32]";
const std::string kGather = "a5:mgather.row dst=f32[8x32] idx=i32[1x8] table=" + kTable;
const std::string kScatter = "a5:mscatter.row src=f32[8x32] idx=i32[1x8] table=" + kTable;

class RunHuge : public ToolTest {
 protected:
  void SetUp() override {
    ToolTest::SetUp();
    if (::truncate(put("table", Bytes()).c_str(), kRows * kRow) != 0)
      GTEST_SKIP() << "no sparse file of 4.8 GB here";
    for (std::size_t i = 0; i < rows_.size(); ++i) put_row("table", rows_[i], std::byte(i + 1));
    Bytes index(rows_.size() * 4);
    std::memcpy(index.data(), rows_.data(), index.size());
    put("idx", index);
    Bytes src;
    for (int row = 0; row < 8; ++row) src.insert(src.end(), kRow, std::byte(row + 100));
    put("src", src);
  }

  void put_row(const std::string& name, std::int64_t row, std::byte value) const {
    const Bytes bytes(kRow, value);
    const int file = ::open(path(name).c_str(), O_WRONLY | O_CLOEXEC);
    EXPECT_EQ(::pwrite(file, bytes.data(), bytes.size(), row * kRow), kRow);
    ::close(file);
  }

  Bytes row_of(const std::string& name, std::int64_t row) const {
    Bytes bytes(kRow);
    const int file = ::open(path(name).c_str(), O_RDONLY | O_CLOEXEC);
    EXPECT_EQ(::pread(file, bytes.data(), bytes.size(), row * kRow), kRow);
    ::close(file);
    return bytes;
  }

  struct stat facts_of(const std::string& name) const {
    struct stat facts = {};
    EXPECT_EQ(::stat(path(name).c_str(), &facts), 0);
    return facts;
  }

  // In a process of its own: what it takes, and that it is little.
  void expect_done_with_little(const std::vector<std::string>& arguments) const {
    const ToolProcess::End end = ToolProcess(arguments).wait();
    EXPECT_EQ(end.exit, 0) << end.err << " signal " << end.signal;
    std::printf("%s: %.3f s, %.1f MB\n", arguments[1].c_str(), end.cpu_seconds,
                static_cast<double>(end.bytes) / 1e6);
    if (kIsSanitized) return;
    EXPECT_LT(end.bytes, kMost);
    EXPECT_LT(end.cpu_seconds, 0.5);
  }

  const std::vector<std::int32_t> rows_ = {0, 12345678, 37499999, 5, 20000000, 1, 30000001, 777};
};

TEST_F(RunHuge, GathersEightRowsWithoutReadingTheOthers) {
  expect_done_with_little({"run", kGather, "--in", "table=" + path("table"), "--in",
                           "idx=" + path("idx"), "--out", "dst=" + path("dst")});
  const Bytes dst = get("dst");
  ASSERT_EQ(dst.size(), 8U * kRow);
  for (std::size_t row = 0; row < 8; ++row) EXPECT_EQ(dst[row * kRow + 5], std::byte(row + 1));
}

TEST_F(RunHuge, AuditsWithoutReadingTheTable) {
  expect_done_with_little(
      {"audit", kGather, "--in", "table=" + path("table"), "--in", "idx=" + path("idx")});
}

TEST_F(RunHuge, ScattersEightRowsAndKeepsTheHoles) {
  for (const std::string out : {"out", "table"}) {
    expect_done_with_little({"run", kScatter, "--in", "table=" + path("table"), "--in",
                             "src=" + path("src"), "--in", "idx=" + path("idx"), "--out",
                             "table=" + path(out)});
    EXPECT_EQ(facts_of(out).st_size, kRows * kRow);
    EXPECT_LT(facts_of(out).st_blocks * 512, 4'000'000);
    for (std::size_t i = 0; i < rows_.size(); ++i)
      EXPECT_EQ(row_of(out, rows_[i]), Bytes(kRow, std::byte(i + 100)));
    EXPECT_EQ(row_of(out, 2), Bytes(kRow));
    if (out != "table") {
      EXPECT_EQ(row_of("table", rows_[1]), Bytes(kRow, std::byte{2}));
    }
  }
}

TEST_F(RunHuge, ScattersIntoZerosThatNobodyWrote) {
  expect_done_with_little({"run", kScatter, "--in", "src=" + path("src"), "--in",
                           "idx=" + path("idx"), "--out", "table=" + path("out")});
  EXPECT_EQ(facts_of("out").st_size, kRows * kRow);
  EXPECT_LT(facts_of("out").st_blocks * 512, 4'000'000);
  EXPECT_EQ(row_of("out", rows_[2]), Bytes(kRow, std::byte{102}));
}

TEST_F(RunHuge, AnOutputBeyondTheLimitOfFilesIsAnError) {
  const std::set<std::string> before = names();
  const std::vector<std::string> arguments = {"run",   kScatter,
                                              "--in",  "src=" + path("src"),
                                              "--in",  "idx=" + path("idx"),
                                              "--out", "table=" + path("out")};
  ToolProcess process(arguments, [] {
    const rlimit small = {.rlim_cur = 1 << 20, .rlim_max = 1 << 20};
    ::setrlimit(RLIMIT_FSIZE, &small);
  });
  const ToolProcess::End end = process.wait();
  EXPECT_EQ(end.exit, 2);
  EXPECT_NE(end.err.find("File too large"), std::string::npos) << end.err;
  EXPECT_EQ(names(), before);
}

}  // namespace
}  // namespace pto::jit::tests

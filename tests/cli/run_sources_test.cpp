// Where the operands of ptojit run may come from, and what may become of their files meanwhile: a
// result or a diagnostic, never a signal.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "tests/cli/tool_fixture.h"
#include "tests/cli/tool_process.h"

namespace pto::jit::tests {
namespace {

constexpr std::size_t kRows = 1024;
constexpr std::size_t kRow = 128;
const std::string kGather = "a5:mgather.row dst=f32[8x32] idx=i32[1x8] table=f32[1024x32]";
const std::string kScatter = "a5:mscatter.row src=f32[8x32] idx=i32[1x8] table=f32[1024x32]";
const std::string kHeader = "{'descr': '<f4', 'fortran_order': False, 'shape': (1024, 32), }";

class RunSources : public ToolTest {
 protected:
  void SetUp() override {
    ToolTest::SetUp();
    put("table", numbered(kRows * kRow / 4, 4));
    put("table.npy", npy(kHeader, numbered(kRows * kRow / 4, 4)));
    put("src", numbered(8 * kRow / 4, 4));
    put("idx", indices({1023, 0, 512, 7, 7, 1, 2, 3}));
    ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  }

  std::vector<std::string> gather(const std::string& table, const std::string& idx) const {
    return {"run",  kGather,      "--in",  "table=" + table,
            "--in", "idx=" + idx, "--out", "dst=" + path("dst")};
  }

  // To a process that waits for it.
  void put_into_pipe(const Bytes& bytes) const {
    std::ofstream out(path("pipe"), std::ios::binary);
    out.write(reinterpret_cast<const char*>(bytes.data()),
              static_cast<std::streamsize>(bytes.size()));
  }

  Bytes expected() const {
    ToolProcess process(gather(path("table"), path("idx")));
    EXPECT_EQ(process.wait().exit, 0);
    return get("dst");
  }
};

TEST_F(RunSources, AnyOperandMayComeThroughAPipe) {
  const Bytes right = expected();
  for (const std::string piped : {"table", "idx"}) {
    ToolProcess process(
        gather(path(piped == "table" ? "pipe" : "table"), path(piped == "idx" ? "pipe" : "idx")));
    put_into_pipe(get(piped));
    const ToolProcess::End end = process.wait();
    EXPECT_EQ(end.exit, 0) << end.err;
    EXPECT_EQ(get("dst"), right) << piped;
  }
}

TEST_F(RunSources, AWrittenOperandMayComeThroughAPipe) {
  const Bytes table = get("table");
  ToolProcess process({"run", kScatter, "--in", "table=" + path("pipe"), "--in",
                       "src=" + path("src"), "--in", "idx=" + path("idx"), "--out",
                       "table=" + path("out.npy")});
  put_into_pipe(table);
  const ToolProcess::End end = process.wait();
  EXPECT_EQ(end.exit, 0) << end.err;
  const Bytes out = get("out.npy");
  ASSERT_EQ(out.size(), 128 + table.size());
  const Bytes src = get("src");
  EXPECT_TRUE(std::equal(src.begin(), src.begin() + kRow, out.end() - kRow));  // row 1023
  EXPECT_TRUE(std::equal(out.begin() + 128 + 100 * kRow, out.begin() + 128 + 101 * kRow,
                         table.begin() + 100 * kRow));
}

// The writer of the pipe is gone before the tool looks at it.
TEST_F(RunSources, StandardInputIsAFileOrAPipe) {
  const Bytes right = expected();
  for (const std::string from : {"idx", "pipe"}) {
    const int file = ::open(path(from).c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (from == "pipe") put_into_pipe(get("idx"));
    ToolProcess process(gather(path("table"), "/dev/stdin"), [&] { ::dup2(file, 0); });
    ::close(file);
    const ToolProcess::End end = process.wait();
    EXPECT_EQ(end.exit, 0) << end.err;
    EXPECT_EQ(get("dst"), right) << from;
  }
}

// The table is opened first; while the tool waits for the indices, it is cut.
TEST_F(RunSources, ATableThatShrinksMeanwhileIsADiagnostic) {
  for (const std::string table : {"table", "table.npy"}) {
    for (const off_t left : {0, 1, 4096, 70000, 131000}) {
      const Bytes before = get(table);
      ToolProcess process(gather(path(table), path("pipe")));
      const int pipe = ::open(path("pipe").c_str(), O_WRONLY | O_CLOEXEC);
      ASSERT_EQ(::truncate(path(table).c_str(), left), 0);
      const Bytes idx = get("idx");
      EXPECT_EQ(::write(pipe, idx.data(), idx.size()), 32);
      ::close(pipe);
      const ToolProcess::End end = process.wait();
      EXPECT_EQ(end.exit, 2) << end.signal << " " << end.err;
      EXPECT_NE(end.err.find("it became shorter while it was in use"), std::string::npos)
          << end.err;
      EXPECT_FALSE(names().contains("dst"));
      put(table, before);
    }
  }
}

TEST_F(RunSources, ASourceOrAWrittenTableThatShrinksMeanwhileIsADiagnostic) {
  for (const std::string cut : {"src", "table"}) {
    for (const off_t left : {0, 100}) {
      const Bytes before = get(cut);
      ToolProcess process({"run", kScatter, "--in", "table=" + path("table"), "--in",
                           "src=" + path("src"), "--in", "idx=" + path("pipe"), "--out",
                           "table=" + path("out")});
      const int pipe = ::open(path("pipe").c_str(), O_WRONLY | O_CLOEXEC);
      ASSERT_EQ(::truncate(path(cut).c_str(), left), 0);
      const Bytes idx = get("idx");
      EXPECT_EQ(::write(pipe, idx.data(), idx.size()), 32);
      ::close(pipe);
      const ToolProcess::End end = process.wait();
      EXPECT_EQ(end.exit, 2) << end.signal << " " << end.err;
      EXPECT_NE(end.err.find(path(cut) + "': it became shorter"), std::string::npos) << end.err;
      EXPECT_FALSE(names().contains("out"));
      put(cut, before);
    }
  }
}

TEST_F(RunSources, OneFileMayBeReadAndReplaced) {
  const Bytes table = get("table");
  Bytes expected = table;
  const Bytes src = get("src");
  const std::int32_t rows[] = {1023, 0, 512, 7, 7, 1, 2, 3};
  for (std::size_t i = 0; i < 8; ++i)
    std::copy_n(src.begin() + static_cast<std::ptrdiff_t>(i * kRow), kRow,
                expected.begin() + rows[i] * static_cast<std::ptrdiff_t>(kRow));
  const ToolRun done =
      tool({"run", kScatter, "--in", "table=" + path("table"), "--in", "src=" + path("src"), "--in",
            "idx=" + path("idx"), "--out", "table=" + path("table")});
  EXPECT_EQ(done.exit, 0) << done.err;
  EXPECT_EQ(get("table"), expected);
}

TEST_F(RunSources, AReplacedFileStaysAsItWasWhereItIsStillOpen) {
  const int old = ::open(path("table").c_str(), O_RDONLY | O_CLOEXEC);
  const Bytes before = get("table");
  EXPECT_EQ(tool({"run", kScatter, "--in", "table=" + path("table"), "--in", "src=" + path("src"),
                  "--in", "idx=" + path("idx"), "--out", "table=" + path("table")})
                .exit,
            0);
  Bytes still(before.size());
  EXPECT_EQ(::pread(old, still.data(), still.size(), 0), static_cast<ssize_t>(still.size()));
  ::close(old);
  EXPECT_EQ(still, before);
  EXPECT_NE(get("table"), before);
}

}  // namespace
}  // namespace pto::jit::tests

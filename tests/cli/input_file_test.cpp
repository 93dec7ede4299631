// Files given as inputs: what is read of them, and what is said about those that cannot be.
#include "jit/files/input_file.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include "tests/cli/tool_fixture.h"
#include "tests/support/sanitized.h"

namespace pto::jit::tests {
namespace {

using cli::InputFile;

constexpr std::array kUses = {InputFile::Use::Map, InputFile::Use::Change, InputFile::Use::Read};

class InputFiles : public ToolTest {
 protected:
  static std::string refusal(const std::string& path, const std::string& id = "file.read") {
    const Result<InputFile> file = InputFile::open(path, InputFile::Use::Map);
    if (file) return "accepted";
    EXPECT_EQ(file.error().size(), 1U);
    EXPECT_EQ(file.error().front().id, id);
    return file.error().front().message;
  }
};

Bytes contents(const InputFile& file) {
  const Storage payload = file.payload();
  return {payload.bytes.begin(), payload.bytes.end()};
}

TEST_F(InputFiles, HoldTheFileWhole) {
  for (const std::size_t size : {0U, 1U, 4096U, 1000003U}) {
    const Bytes bytes = numbered(size, 1);
    for (const InputFile::Use use : kUses) {
      const Result<InputFile> file = InputFile::open(put("a.bin", bytes), use);
      ASSERT_TRUE(file) << render(file.error());
      EXPECT_EQ(contents(*file), bytes);
      EXPECT_EQ(file->range()->bytes, static_cast<off_t>(size));
      EXPECT_TRUE(file->check());
    }
  }
}

TEST_F(InputFiles, HoldAPipeToItsEnd) {
  for (const InputFile::Use use : kUses) {
    std::array<int, 2> ends = {};
    ASSERT_EQ(::pipe(ends.data()), 0);
    const Bytes bytes = numbered(5000, 1);
    ASSERT_EQ(::write(ends[1], bytes.data(), bytes.size()), 5000);
    ::close(ends[1]);
    const Result<InputFile> file = InputFile::open("/dev/fd/" + std::to_string(ends[0]), use);
    ::close(ends[0]);
    ASSERT_TRUE(file) << render(file.error());
    EXPECT_EQ(contents(*file), bytes);
    EXPECT_FALSE(file->range());
  }
}

TEST_F(InputFiles, SayWhichFileCannotBeReadAndWhy) {
  const std::string root = path(".");
  EXPECT_EQ(refusal(path("none")), "cannot read '" + path("none") + "': No such file or directory");
  EXPECT_EQ(refusal(root), "cannot read '" + root + "': it is a directory");
  EXPECT_EQ(refusal(put("f", "") + "/x"), "cannot read '" + path("f") + "/x': Not a directory");
  EXPECT_EQ(refusal(""), "cannot read '': No such file or directory");
  EXPECT_NE(refusal("/dev/zero").find("it is a device"), std::string::npos);
}

// A hole costs no disk, and the limit keeps the system from promising the memory.
TEST_F(InputFiles, BeyondMemoryAreAnError) {
  if (kIsSanitized) GTEST_SKIP() << "a sanitizer ends the process instead";
  const std::string name = put("huge", "");
  if (::truncate(name.c_str(), off_t{1} << 43) != 0) GTEST_SKIP() << "no sparse file of 8 TiB here";
  rlimit before = {};
  ASSERT_EQ(::getrlimit(RLIMIT_AS, &before), 0);
  const rlimit small = {.rlim_cur = rlim_t{1} << 32, .rlim_max = before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_AS, &small), 0);
  const std::string message = refusal(name);
  const Result<InputFile> read = InputFile::open(name, InputFile::Use::Read);
  ASSERT_EQ(::setrlimit(RLIMIT_AS, &before), 0);
  EXPECT_EQ(message, "cannot read '" + name + "': Cannot allocate memory");
  EXPECT_FALSE(read);
}

TEST_F(InputFiles, AreArraysByTheirEnding) {
  const Bytes image =
      npy("{'descr': '<i2', 'fortran_order': False, 'shape': (2, 2), }", numbered(4, 2));
  const Result<InputFile> array = InputFile::open(put("a.npy", image), InputFile::Use::Map);
  ASSERT_TRUE(array) << render(array.error());
  EXPECT_EQ(array->array()->header.shape, (std::vector<std::int64_t>{2, 2}));
  EXPECT_EQ(contents(*array), numbered(4, 2));
  EXPECT_EQ(array->range()->begin, static_cast<off_t>(image.size() - 8));
  for (const std::string name : {"a.bin", "npy"}) {
    const Result<InputFile> raw = InputFile::open(put(name, image), InputFile::Use::Map);
    ASSERT_TRUE(raw);
    EXPECT_FALSE(raw->array());
    EXPECT_EQ(contents(*raw), image);
  }
  EXPECT_EQ(refusal(put("b.npy", "not"), "file.npy"),
            "'" + path("b.npy") + "': the file does not begin like a .npy file");
}

TEST_F(InputFiles, KeepToThemselvesWhatIsChanged) {
  const std::string name = put("a.bin", Bytes(100));
  const Result<InputFile> file = InputFile::open(name, InputFile::Use::Change);
  ASSERT_TRUE(file);
  file->payload().bytes[7] = std::byte{1};
  EXPECT_EQ(get("a.bin"), Bytes(100));
}

TEST_F(InputFiles, NoticeThatTheFileBecameShorter) {
  const std::string name = put("a.bin", Bytes(100));
  const Result<InputFile> mapped = InputFile::open(name, InputFile::Use::Map);
  const Result<InputFile> read = InputFile::open(name, InputFile::Use::Read);
  ASSERT_TRUE(mapped && read);
  ASSERT_EQ(::truncate(name.c_str(), 99), 0);
  const Result<Done> kept = mapped->check();
  ASSERT_FALSE(kept);
  EXPECT_EQ(kept.error()[0].message,
            "cannot read '" + name + "': it became shorter while it was in use");
  EXPECT_TRUE(read->check());
}

}  // namespace
}  // namespace pto::jit::tests

// Objects on disk: found again under their key alone, never when a byte of them changed, bounded,
// and no reason for a compile to fail.
#include "jit/backends/objects/object_cache.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>

#include "jit/backends/objects/object_file.h"

namespace pto::jit::tests {
namespace {

namespace fs = std::filesystem;
using Object = std::vector<std::byte>;

Object object_of(std::size_t bytes, int value) {
  return Object(bytes, static_cast<std::byte>(value));
}

class ObjectCacheTest : public ::testing::Test {
 protected:
  void SetUp() override {
    root_ = fs::temp_directory_path() / ("ptojit_objects_" + std::to_string(getpid()));
    fs::remove_all(root_);
  }
  void TearDown() override { fs::remove_all(root_); }

  std::string directory() const { return (root_ / "objects").string(); }
  fs::path file_of(const std::string& key) const {
    return fs::path(directory()) / object_file_name(key);
  }
  static std::string content_of(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  static void overwrite(const fs::path& path, const std::string& content) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << content;
  }
  std::size_t files() const {
    std::error_code none;
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(directory(), none), fs::directory_iterator()));
  }

  fs::path root_;
};

TEST_F(ObjectCacheTest, WithoutADirectoryIsOff) {
  ObjectCache cache;
  EXPECT_FALSE(cache.is_on());
  cache.keep("key", object_of(10, 1));
  EXPECT_FALSE(cache.find("key"));
  EXPECT_EQ(cache.statistics(), ObjectCacheStatistics{});
}

TEST_F(ObjectCacheTest, FindsWhatWasKeptInAnotherProcessToo) {
  ObjectCache({.directory = directory()}).keep("key", object_of(100, 7));
  ObjectCache later({.directory = directory()});
  EXPECT_EQ(later.find("key"), object_of(100, 7));
  EXPECT_FALSE(later.find("another key"));
  EXPECT_EQ(later.statistics().hits, 1u);
  EXPECT_EQ(later.statistics().misses, 1u);
  EXPECT_EQ(files(), 1u) << "no temporary is left";
}

TEST_F(ObjectCacheTest, RejectsAnEntryWithAnyByteChanged) {
  ObjectCache cache({.directory = directory()});
  cache.keep("key", object_of(64, 7));
  const std::string whole = content_of(file_of("key"));
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    overwrite(file_of("key"), damaged);
    EXPECT_FALSE(cache.find("key")) << at;
  }
  EXPECT_EQ(cache.statistics().rejected, whole.size());
  overwrite(file_of("key"), whole);
  EXPECT_TRUE(cache.find("key"));
}

TEST_F(ObjectCacheTest, RejectsAnEntryThatIsTooShortOrTooLong) {
  ObjectCache cache({.directory = directory()});
  cache.keep("key", object_of(64, 7));
  const std::string whole = content_of(file_of("key"));
  for (std::size_t length = 0; length < whole.size(); ++length) {
    overwrite(file_of("key"), whole.substr(0, length));
    EXPECT_FALSE(cache.find("key")) << length;
  }
  overwrite(file_of("key"), whole + "x");
  EXPECT_FALSE(cache.find("key"));
}

TEST_F(ObjectCacheTest, RejectsTheEntryOfAnotherKey) {
  ObjectCache cache({.directory = directory()});
  cache.keep("one", object_of(64, 1));
  cache.keep("two", object_of(64, 2));
  fs::copy_file(file_of("one"), file_of("two"), fs::copy_options::overwrite_existing);
  EXPECT_FALSE(cache.find("two"));
  EXPECT_EQ(cache.find("one"), object_of(64, 1));
}

TEST_F(ObjectCacheTest, RejectsWhatOthersMayWriteTo) {
  ObjectCache cache({.directory = directory()});
  cache.keep("key", object_of(64, 1));
  EXPECT_EQ(fs::status(file_of("key")).permissions(),
            fs::perms::owner_read | fs::perms::owner_write);
  ::chmod(file_of("key").c_str(), 0622);
  EXPECT_FALSE(cache.find("key"));
  ::chmod(file_of("key").c_str(), 0600);
  EXPECT_TRUE(cache.find("key"));
  fs::rename(file_of("key"), root_ / "elsewhere");
  fs::create_symlink(root_ / "elsewhere", file_of("key"));
  EXPECT_FALSE(cache.find("key")) << "links are not followed";
  fs::remove(file_of("key"));
  fs::create_directory(file_of("key"));
  EXPECT_FALSE(cache.find("key"));
}

TEST_F(ObjectCacheTest, StaysWithinItsBytesAndDropsTheOldest) {
  const std::size_t each = object_file_bytes("key 00", object_of(1000, 0));
  ObjectCache cache({.directory = directory(), .bytes = 5 * each});
  const auto key = [](int i) {
    return "key " + std::string(i < 10 ? "0" : "") + std::to_string(i);
  };
  for (int i = 0; i < 20; ++i) {
    cache.keep(key(i), object_of(1000, i));
    fs::last_write_time(file_of(key(i)),
                        fs::file_time_type::clock::now() - std::chrono::seconds(100 - i));
    EXPECT_LE(files(), 5u);
  }
  for (int i = 0; i < 20; ++i) EXPECT_EQ(cache.find(key(i)).has_value(), i >= 15) << i;
  EXPECT_EQ(cache.statistics().removed, 15u);
  cache.keep("too large", object_of(6 * each, 0));
  EXPECT_FALSE(cache.find("too large"));
  EXPECT_EQ(files(), 5u);
}

// Files that only have a name like an entry's, or a link to one.
TEST_F(ObjectCacheTest, DropsNothingButItsEntries) {
  const std::size_t each = object_file_bytes("key 0", object_of(1000, 0));
  ObjectCache cache({.directory = directory(), .bytes = 2 * each});
  cache.keep("key", object_of(1000, 0));
  const std::string text(4 * each, 't');
  const std::string digits(32, 'a');
  for (const std::string name : {"notes.ptojit", ".ptojit-1-0", ".ptojit-x.bin"})
    overwrite(fs::path(directory()) / name, text);
  overwrite(fs::path(directory()) / (digits + ".ptojit"), text);
  fs::create_directories(fs::path(directory()) / ".ptojit-notes");
  overwrite(fs::path(directory()) / ".ptojit-notes/thesis", text);
  fs::create_directories(fs::path(directory()) / ("b" + digits.substr(1) + ".ptojit"));
  fs::copy_file(file_of("key"), root_ / "elsewhere");
  fs::create_symlink(root_ / "elsewhere",
                     fs::path(directory()) / ("c" + digits.substr(1) + ".ptojit"));
  const auto long_ago = fs::file_time_type::clock::now() - std::chrono::hours(1);
  for (const fs::directory_entry& entry : fs::directory_iterator(directory()))
    if (!entry.is_symlink()) fs::last_write_time(entry.path(), long_ago);
  const std::size_t others = files() - 1;
  for (int i = 0; i < 8; ++i) {
    const std::string key = "key " + std::to_string(i);
    cache.keep(key, object_of(1000, i));
    fs::last_write_time(file_of(key), long_ago + std::chrono::seconds(1 + i));
  }
  EXPECT_EQ(files(), others + 2);
  EXPECT_FALSE(cache.find("key"));
  EXPECT_TRUE(cache.find("key 7"));
  EXPECT_EQ(cache.statistics().removed, 7U);
  EXPECT_EQ(content_of(fs::path(directory()) / ".ptojit-notes/thesis"), text);
}

TEST_F(ObjectCacheTest, ADirectoryThatCannotBeIsNoMoreThanAFailure) {
  fs::create_directories(root_);
  overwrite(root_ / "file", "not a directory");
  ObjectCache cache({.directory = (root_ / "file").string()});
  cache.keep("key", object_of(10, 1));
  EXPECT_FALSE(cache.find("key"));
  EXPECT_EQ(cache.statistics().failures, 1u);
}

}  // namespace
}  // namespace pto::jit::tests

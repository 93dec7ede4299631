#include "jit/backends/objects/object_cache.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

#include "jit/backends/objects/object_file.h"
#include "jit/options/environment.h"
#include "runtime/made_once.h"

namespace pto::jit {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEnding = ".ptojit";
constexpr std::size_t kDigits = 32;  // before it

struct Entry {
  fs::path path;
  ObjectFacts facts;
};

// As object_file_name has them.
bool is_entry_name(std::string_view name) {
  return name.size() == kDigits + kEnding.size() && name.ends_with(kEnding) &&
         name.find_first_not_of("0123456789abcdef") == kDigits;
}

// This user's entries in a directory, oldest first. Nothing else there is counted or removed.
std::vector<Entry> entries_in(const std::string& directory) {
  std::vector<Entry> out;
  std::error_code problem;
  for (fs::directory_iterator it(directory, problem), end; !problem && it != end;
       it.increment(problem)) {
    if (!is_entry_name(it->path().filename().string())) continue;
    if (const auto facts = facts_of_own(it->path())) out.push_back({it->path(), *facts});
  }
  std::ranges::sort(out, {}, [](const Entry& entry) { return entry.facts.written; });
  return out;
}

std::size_t bytes_of(const std::vector<Entry>& entries) {
  std::size_t out = 0;
  for (const Entry& entry : entries) out += entry.facts.bytes;
  return out;
}

}  // namespace

// FNV-1a twice, from two starts: a name only has to be rare, the entry knows its whole key.
std::string object_file_name(std::string_view key) {
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%016llx%016llx",
                static_cast<unsigned long long>(checksum(key, 1)),
                static_cast<unsigned long long>(checksum(key, 2)));
  return text.data() + std::string(kEnding);
}

ObjectCache::ObjectCache(ObjectCacheOptions options)
    : is_on_(!options.directory.empty()), options_(std::move(options)) {
  watch_forks(*this);
}

ObjectCache::~ObjectCache() { unwatch_forks(*this); }

ObjectCacheOptions ObjectCache::options() const {
  const std::lock_guard lock(mutex_);
  return options_;
}

void ObjectCache::use(ObjectCacheOptions options) {
  const std::lock_guard lock(mutex_);
  is_on_ = !options.directory.empty();
  options_ = std::move(options);
  is_counted_ = false;
}

std::optional<std::vector<std::byte>> ObjectCache::find(std::string_view key) {
  const std::string directory = options().directory;
  if (directory.empty()) return std::nullopt;
  FoundObject found = read_object(fs::path(directory) / object_file_name(key), key);
  const std::lock_guard lock(mutex_);
  ++(found.object ? statistics_.hits : statistics_.misses);
  if (found.is_wrong) ++statistics_.rejected;
  return std::move(found.object);
}

void ObjectCache::keep(std::string_view key, std::span<const std::byte> object) {
  const ObjectCacheOptions now = options();
  const std::size_t bytes = object_file_bytes(key, object);
  if (now.directory.empty() || bytes > now.bytes) return;
  std::error_code problem;
  fs::create_directories(now.directory, problem);
  const bool is_written =
      write_object(fs::path(now.directory) / object_file_name(key), key, object);
  const std::lock_guard lock(mutex_);
  ++(is_written ? statistics_.writes : statistics_.failures);
  if (is_written) make_room(now, bytes);
}

// The directory is read only when it may have grown too large.
void ObjectCache::make_room(const ObjectCacheOptions& now, std::size_t more) {
  held_ += more;
  if (is_counted_ && held_ <= now.bytes) return;
  const std::vector<Entry> entries = entries_in(now.directory);
  held_ = bytes_of(entries);
  is_counted_ = true;
  for (const Entry& entry : entries) {
    if (held_ <= now.bytes) return;
    std::error_code problem;
    if (!fs::remove(entry.path, problem)) continue;
    held_ -= entry.facts.bytes;
    ++statistics_.removed;
  }
}

ObjectCacheStatistics ObjectCache::statistics() const {
  const std::lock_guard lock(mutex_);
  return statistics_;
}

ObjectCache& object_cache() {
  static constinit MadeOnce<ObjectCache> cache;
  return cache.get([] {
    const Result<Environment>& given = environment();
    return std::make_unique<ObjectCache>(
        given ? ObjectCacheOptions{given->disk_cache, given->disk_cache_bytes}
              : ObjectCacheOptions{});
  });
}

}  // namespace pto::jit

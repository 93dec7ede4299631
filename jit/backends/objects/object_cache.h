// ObjectCache: objects of LLVM kernels kept in a directory from one process to the next. Off until
// a directory is given. Nothing that goes wrong with it fails a compile.
//
// Whoever can write to the directory decides what runs: entries that another user owns or may write
// to are passed over. An entry holds its whole key and a checksum of everything, is written under a
// temporary name and renamed, and counts only when all of it is as it was written.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/fork_watch.h"

namespace pto::jit {

struct ObjectCacheOptions {
  std::string directory;                       // made when it is not there; empty: off
  std::size_t bytes = std::size_t{256} << 20;  // beyond them the entries written first go

  bool operator==(const ObjectCacheOptions&) const = default;
};

struct ObjectCacheStatistics {
  std::uint64_t hits = 0;
  std::uint64_t misses = 0;
  std::uint64_t rejected = 0;  // of the misses: an entry was there, but not as it was written
  std::uint64_t writes = 0;
  std::uint64_t failures = 0;  // entries that could not be written
  std::uint64_t removed = 0;   // to stay within the bytes

  bool operator==(const ObjectCacheStatistics&) const = default;
};

class ObjectCache final : ForkParticipant {
 public:
  explicit ObjectCache(ObjectCacheOptions options = {});
  ~ObjectCache();

  bool is_on() const { return is_on_.load(std::memory_order_relaxed); }
  ObjectCacheOptions options() const;
  void use(ObjectCacheOptions options);

  std::optional<std::vector<std::byte>> find(std::string_view key);
  void keep(std::string_view key, std::span<const std::byte> object);

  ObjectCacheStatistics statistics() const;

 private:
  void before_fork() override { mutex_.lock(); }
  void after_fork_in_parent() override { mutex_.unlock(); }
  void after_fork_in_child() override { mutex_.unlock(); }
  void make_room(const ObjectCacheOptions& options, std::size_t more);

  mutable std::mutex mutex_;
  std::atomic<bool> is_on_;
  ObjectCacheOptions options_;
  ObjectCacheStatistics statistics_;
  std::size_t held_ = 0;  // bytes in the directory, as far as this process knows
  bool is_counted_ = false;
};

// The process's, as its environment has it until `use` says otherwise.
ObjectCache& object_cache();

// Where the entry of a key is, below the directory.
std::string object_file_name(std::string_view key);

}  // namespace pto::jit

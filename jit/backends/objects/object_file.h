// One entry of the object cache as a file: a mark, sizes, the key, the object, a checksum of all of
// it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pto::jit {

struct FoundObject {
  std::optional<std::vector<std::byte>> object;
  bool is_wrong = false;  // there was a file, but it is not this key's, or not as it was written
};

// A file that somebody else owns or may write to counts as wrong.
FoundObject read_object(const std::string& path, std::string_view key);

// Complete before it has its name; whether it worked. A file of that name is replaced.
bool write_object(const std::string& path, std::string_view key, std::span<const std::byte> object);

struct ObjectFacts {
  std::int64_t written = 0;  // when, in nanoseconds
  std::size_t bytes = 0;     // of the file
};

// Of an entry that this user's processes have written, of whatever key; other files have none.
std::optional<ObjectFacts> facts_of_own(const std::string& path);

std::size_t object_file_bytes(std::string_view key, std::span<const std::byte> object);

// 64 bits of FNV-1a. Two texts of one length that differ in one byte have different ones.
std::uint64_t checksum(std::string_view text, std::uint64_t start = 0);

}  // namespace pto::jit

// StagedFile: a file that has no name until it is complete, so that nobody meets a part of it and
// a killed process leaves nothing. Nothing but its own temporary name is ever removed: a file of
// another process cannot be told from a user's. Codes are those of errno, 0 for success.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

namespace pto::jit {

class StagedFile {
 public:
  // Named: under a temporary name from the start, as where a file system knows no other way.
  enum class Kind : std::uint8_t { Unnamed, Named };

  StagedFile() = default;
  ~StagedFile();
  StagedFile(StagedFile&& other) noexcept { *this = std::move(other); }
  StagedFile& operator=(StagedFile&& other) noexcept;
  StagedFile(const StagedFile&) = delete;
  StagedFile& operator=(const StagedFile&) = delete;

  // In the directory where it will have its name.
  int open(const std::string& directory, mode_t mode, Kind kind = Kind::Unnamed);

  int descriptor() const { return descriptor_; }

  // A name is taken in two steps: what the file system may refuse is in the first, so that of
  // several files all or none get their names. What has the name is replaced.
  int approach_name();
  int take_name(const std::string& path);

 private:
  int open_named(mode_t mode);

  int descriptor_ = -1;
  std::string directory_;
  std::string temporary_;  // empty while there is no name
};

// No signal is sent for a pipe without a reader or a file at its limit.
int write_all(int descriptor, std::span<const std::byte> bytes);

// All of a file at once.
int replace_file(const std::string& path, std::span<const std::byte> bytes, mode_t mode);

// "." for a path without one.
std::string parent_of(const std::string& path);

}  // namespace pto::jit

// Scratch: a temporary folder, gone with everything in it when the object is or its process,
// whatever ended that. What runs in it may have done to it what it likes.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "ir/result.h"

namespace pto::jit {

class Scratch {
 public:
  static Result<Scratch> make();

  std::filesystem::path operator/(std::string_view name) const { return path() / name; }
  const std::filesystem::path& path() const;

  // Folders on the way are made.
  Result<Done> write(std::string_view name, std::string_view text) const;

  // At most `limit` bytes of a file; nothing when there is none, or no plain file.
  std::string read(std::string_view name, std::size_t limit) const;

 private:
  struct Folder;
  explicit Scratch(std::shared_ptr<const Folder> folder) : folder_(std::move(folder)) {}

  std::shared_ptr<const Folder> folder_;
};

}  // namespace pto::jit

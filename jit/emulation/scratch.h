// Scratch: a temporary folder, gone with everything in it when the object is, also when a signal
// ends the process. Of a process that is killed it stays: nobody removes what somebody else made.
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

  // Whether it could be written; folders on the way are made.
  bool write(std::string_view name, std::string_view text) const;

  // At most `limit` bytes of a file; nothing when there is none.
  std::string read(std::string_view name, std::size_t limit) const;

 private:
  struct Folder;
  explicit Scratch(std::shared_ptr<const Folder> folder) : folder_(std::move(folder)) {}

  std::shared_ptr<const Folder> folder_;
};

}  // namespace pto::jit

// MappedFile: a file as memory, which takes none until it is touched. Where the file ends sooner
// than it did, or its disk is full or fails, the system sends a signal; here zeros are read, and
// the owner can ask.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace pto::jit::cli {

class MappedFile {
 public:
  enum class Use : std::uint8_t {
    Read,
    Change,  // what is written stays in memory
    Share,   // what is written goes to the file
  };

  // Null when there is no room for it; errno says why. One byte at least.
  static std::shared_ptr<const MappedFile> make(int descriptor, std::size_t bytes, Use use);

  explicit MappedFile(std::span<std::byte> bytes);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  MappedFile(MappedFile&&) = delete;
  MappedFile& operator=(MappedFile&&) = delete;

  std::span<std::byte> bytes() const { return bytes_; }

  // False once a part of it was asked for and not there.
  bool is_whole() const { return is_whole_; }

  // For the handler: puts zeros from `at` on, when that is a place of this file.
  bool patch(const std::byte* at);

  MappedFile* next() const { return next_; }

 private:
  const std::span<std::byte> bytes_;
  std::atomic<bool> is_whole_ = true;
  MappedFile* next_ = nullptr;
};

}  // namespace pto::jit::cli

#include "jit/backends/objects/object_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "runtime/staged_file.h"

namespace pto::jit {
namespace {

constexpr std::string_view kMark = "ptojit object 1\n";
constexpr mode_t kOwnerOnly = 0600;
constexpr off_t kMost = off_t{1} << 30;

class Descriptor {
 public:
  explicit Descriptor(const std::string& path)
      : number_(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  Descriptor(Descriptor&&) = delete;
  Descriptor& operator=(Descriptor&&) = delete;

  bool is_open() const { return number_ >= 0; }
  int operator*() const { return number_; }

 private:
  const int number_;
};

std::string number_text(std::uint64_t number) {
  std::string out(sizeof number, '\0');
  std::memcpy(out.data(), &number, sizeof number);
  return out;
}

std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// All that comes before the object.
std::string head_of(std::string_view key, std::size_t object_bytes) {
  return std::string(kMark) + number_text(key.size()) + number_text(object_bytes) +
         std::string(key);
}

bool is_trusted(const struct stat& facts) {
  return S_ISREG(facts.st_mode) && facts.st_uid == ::geteuid() &&
         (facts.st_mode & (S_IWGRP | S_IWOTH)) == 0 && facts.st_size <= kMost;
}

// The first `most` bytes of a file that others have no hand in, or all where there are fewer.
std::optional<std::string> read_trusted(int descriptor, off_t most, struct stat& facts) {
  if (::fstat(descriptor, &facts) != 0 || !is_trusted(facts)) return std::nullopt;
  std::string out(static_cast<std::size_t>(std::min(facts.st_size, most)), '\0');
  std::size_t at = 0;
  while (at < out.size()) {
    const ssize_t got = ::read(descriptor, out.data() + at, out.size() - at);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return std::nullopt;
    at += static_cast<std::size_t>(got);
  }
  return out;
}

// The object within a file's content, when every byte is in order.
std::optional<std::vector<std::byte>> object_in(std::string_view content, std::string_view key) {
  const std::size_t around = head_of(key, 0).size() + sizeof(std::uint64_t);
  if (content.size() < around) return std::nullopt;
  const std::size_t bytes = content.size() - around;
  const std::string head = head_of(key, bytes);
  if (!content.starts_with(head)) return std::nullopt;
  const std::string_view summed = content.substr(0, head.size() + bytes);
  if (content.substr(summed.size()) != number_text(checksum(summed))) return std::nullopt;
  const auto* first = reinterpret_cast<const std::byte*>(content.data()) + head.size();
  return std::vector<std::byte>(first, first + bytes);
}

}  // namespace

std::uint64_t checksum(std::string_view text, std::uint64_t start) {
  std::uint64_t hash = 0xcbf29ce484222325 + start;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

std::size_t object_file_bytes(std::string_view key, std::span<const std::byte> object) {
  return head_of(key, object.size()).size() + object.size() + sizeof(std::uint64_t);
}

FoundObject read_object(const std::string& path, std::string_view key) {
  const Descriptor file(path);
  if (!file.is_open()) return {std::nullopt, errno != ENOENT};
  struct stat facts{};
  const std::optional<std::string> content = read_trusted(*file, kMost, facts);
  if (!content) return {std::nullopt, true};
  std::optional<std::vector<std::byte>> object = object_in(*content, key);
  const bool is_wrong = !object;
  return {std::move(object), is_wrong};
}

std::optional<ObjectFacts> facts_of_own(const std::string& path) {
  const Descriptor file(path);
  struct stat facts{};
  if (!file.is_open() || read_trusted(*file, kMark.size(), facts) != kMark) return std::nullopt;
  const std::int64_t seconds = facts.st_mtim.tv_sec;
  return ObjectFacts{seconds * 1'000'000'000 + facts.st_mtim.tv_nsec,
                     static_cast<std::size_t>(facts.st_size)};
}

bool write_object(const std::string& path, std::string_view key,
                  std::span<const std::byte> object) {
  std::string content = head_of(key, object.size()) + std::string(text_of(object));
  content += number_text(checksum(content));
  return replace_file(path, std::as_bytes(std::span(content)), kOwnerOnly) == 0;
}

}  // namespace pto::jit

#include <elf.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <optional>

#include "jit/backends/objects/object_cache.h"
#include "jit/backends/objects/object_file.h"
#include "runtime/code/elf_image.h"
#include "tests/fuzz/fuzzers.h"

namespace pto::jit::tests {
namespace {

namespace fs = std::filesystem;
using Bytes = std::vector<std::byte>;

std::uint64_t inputs = 0;
std::uint64_t entries = 0;

constexpr std::string_view kMark = "ptojit object 1\n";
constexpr std::size_t kHead = kMark.size() + 16;  // the mark and two sizes
constexpr std::size_t kSum = 8;

std::uint64_t number_at(std::string_view text, std::size_t at) {
  std::uint64_t out = 0;
  std::memcpy(&out, text.data() + at, sizeof out);
  return out;
}

std::string number_text(std::uint64_t number) {
  return {reinterpret_cast<const char*>(&number), sizeof number};
}

struct Entry {
  std::string_view key;
  std::string_view object;
};

// An entry as its format is written down, without the cache's own reader.
std::optional<Entry> entry_in(std::string_view file) {
  if (!file.starts_with(kMark) || file.size() < kHead + kSum) return std::nullopt;
  const std::uint64_t room = file.size() - kHead - kSum;
  const std::uint64_t key = number_at(file, kMark.size());
  const std::uint64_t object = number_at(file, kMark.size() + 8);
  if (key > room || object != room - key) return std::nullopt;
  const std::size_t summed = file.size() - kSum;
  if (number_at(file, summed) != checksum(file.substr(0, summed))) return std::nullopt;
  return Entry{file.substr(kHead, key), file.substr(kHead + key, object)};
}

// A folder of this process, gone with it.
class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / ("ptojit_fuzz_" + std::to_string(getpid()))) {
    fs::create_directories(path_);
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  Folder(Folder&&) = delete;
  Folder& operator=(Folder&&) = delete;

  std::string path() const { return path_.string(); }
  void put(const std::string& name, std::string_view content) const {
    const int file = ::open((path_ / name).c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (file < 0 ||
        ::write(file, content.data(), content.size()) != static_cast<ssize_t>(content.size()))
      std::perror("the fuzzer's folder");
    ::close(file);
  }

 private:
  fs::path path_;
};

// Found when every byte is in order and not otherwise, and kept again as the same.
std::string complaint_about_entry(std::string_view file) {
  static const Folder folder;
  const std::optional<Entry> entry = entry_in(file);
  entries += entry.has_value();
  const std::string key(entry ? entry->key : file.substr(0, 16));
  folder.put(object_file_name(key), file);
  ObjectCache cache({.directory = folder.path()});
  const std::optional<Bytes> found = cache.find(key);
  fs::remove(fs::path(folder.path()) / object_file_name(key));
  if (found.has_value() != entry.has_value())
    return entry ? "an entry in order is not found" : "found, though not as it was written";
  if (!found) return cache.statistics().rejected == 1 ? "" : "what was wrong was not counted";
  const auto object = std::as_bytes(std::span(entry->object.data(), entry->object.size()));
  if (!std::ranges::equal(*found, object)) return "another object than the entry's";
  return cache.find(key + "x") ? "found under another key" : "";
}

template <class Part>
std::optional<Part> part_at(const Bytes& image, std::uint64_t offset) {
  if (offset > image.size() || sizeof(Part) > image.size() - offset) return std::nullopt;
  Part out{};
  std::memcpy(&out, image.data() + offset, sizeof out);
  return out;
}

// An image whose symbol has this name, followed from the header on.
bool is_image_of(const Bytes& image, std::string_view name) {
  const auto head = part_at<Elf64_Ehdr>(image, 0);
  if (!head || std::memcmp(head->e_ident, ELFMAG, SELFMAG) != 0) return false;
  for (unsigned i = 0; i < head->e_shnum; ++i) {
    const auto section = part_at<Elf64_Shdr>(image, head->e_shoff + i * sizeof(Elf64_Shdr));
    if (!section) return false;
    if (section->sh_type != SHT_SYMTAB) continue;
    const auto symbol = part_at<Elf64_Sym>(image, section->sh_offset + sizeof(Elf64_Sym));
    const auto strings =
        part_at<Elf64_Shdr>(image, head->e_shoff + section->sh_link * sizeof(Elf64_Shdr));
    if (!symbol || !strings) return false;
    const std::uint64_t begin = strings->sh_offset + symbol->st_name;
    if (begin > image.size() || name.size() >= image.size() - begin) return false;
    return std::memcmp(image.data() + begin, name.data(), name.size()) == 0 &&
           image[begin + name.size()] == std::byte{0};
  }
  return false;
}

std::string finding(std::string_view input) {
  ++inputs;
  if (!is_image_of(make_elf_image(input, input.data(), input.size()), input))
    return "the object file for debuggers does not hold its name";
  return complaint_about_entry(input);
}

std::string sealed(std::string_view key, std::string_view object) {
  std::string out = std::string(kMark) + number_text(key.size()) + number_text(object.size());
  out.append(key).append(object);
  return out + number_text(checksum(out));
}

std::string any_bytes(Random& random) {
  std::string out(random.below(40), '\0');
  for (char& c : out) c = static_cast<char>(random.below(256));
  return out;
}

// Half of them are in order; of the others one number or byte is not, with a checksum that holds.
std::string mutated(std::string_view input, Random& random) {
  const std::optional<Entry> entry = entry_in(input);
  const bool keeps = entry && random.below(3) != 0;
  std::string out = sealed(keeps ? std::string(entry->key) : any_bytes(random),
                           entry && !keeps ? std::string(entry->object) : any_bytes(random));
  if (random.below(2) == 0) return out;
  const std::size_t at =
      random.below(4) == 0 ? random.below(out.size()) : kMark.size() + 8 * random.below(2);
  out[at] = static_cast<char>(out[at] ^ static_cast<char>(1 << random.below(8)));
  if (random.below(3) == 0) out.resize(random.below(out.size() + 1));
  if (out.size() < kSum) return out;
  const std::string_view summed = std::string_view(out).substr(0, out.size() - kSum);
  return std::string(summed) + number_text(checksum(summed));
}

Reached reached() {
  return {std::to_string(inputs) + " inputs, " + std::to_string(entries) + " entries in order\n"};
}

}  // namespace

constinit const Fuzzer kObjectFuzzer = {"object", finding, mutated, reached};

}  // namespace pto::jit::tests

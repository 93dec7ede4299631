#include "jit/watching/dump.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "jit/watching/disassembly.h"

namespace pto::jit {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestName = 200;
constexpr char kBeforeHash = '#';  // stands in no name that was not cut
constexpr mode_t kNewFile = 0666;

struct Spelling {
  char in_text;
  char in_name;
};

// What a shell would not take as it is. The letters on the right are escaped where a text has them.
constexpr std::array kSpellings = {
    Spelling{' ', '+'}, Spelling{':', '~'}, Spelling{'[', '{'},
    Spelling{']', '}'}, Spelling{'|', '-'}, Spelling{'?', 'N'},
};

bool is_plain(char c) {
  for (const Spelling& spelling : kSpellings) {
    if (c == spelling.in_name) return false;
  }
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
         c == '_' || c == '=' || c == '@';
}

std::string hex(std::uint64_t value, int digits) {
  std::array<char, 24> text{};
  std::snprintf(text.data(), text.size(), "%0*llx", digits, static_cast<unsigned long long>(value));
  return text.data();
}

std::string escaped(char c) {
  for (const Spelling& spelling : kSpellings) {
    if (c == spelling.in_text) return {spelling.in_name};
  }
  return is_plain(c) ? std::string{c} : "%" + hex(static_cast<unsigned char>(c), 2);
}

// FNV-1a, because file names must not change from build to build.
std::uint64_t stable_hash(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

// The disassembler knows x86-64 only.
std::string code_text(std::span<const std::byte> code) {
#if defined(__x86_64__)
  return disassemble(code);
#else
  return code.empty() ? "" : "not shown on this processor\n";
#endif
}

std::string content_of(const DumpedKernel& kernel) {
  return "spec: " + kernel.spec + "\nlevel: " + kernel.level + "\n\nplan:\n" + kernel.plan +
         "\n\nstrategy:\n" + kernel.strategy + "\n\ncode: " + std::to_string(kernel.code.size()) +
         " bytes\n" + code_text(kernel.code);
}

int write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t put = ::write(descriptor, text.data(), text.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(put));
  }
  return 0;
}

// The code of the first failure, or 0.
int write_new(const std::string& path, std::string_view text) {
  const int descriptor =
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, kNewFile);
  if (descriptor < 0) return errno;
  const int code = write_all(descriptor, text);
  const bool is_closed = ::close(descriptor) == 0;
  return code != 0 || is_closed ? code : errno;
}

// Of this process and call alone.
fs::path temporary_in(const std::string& directory) {
  static std::atomic<unsigned> count = 0;
  const std::string name = ".dump-" + std::to_string(::getpid()) + "-" + std::to_string(count++);
  return fs::path(directory) / name;
}

int write_by_renaming(const std::string& temporary, const std::string& path,
                      const std::string& text) {
  int code = write_new(temporary, text);
  if (code == 0 && ::rename(temporary.c_str(), path.c_str()) != 0) code = errno;
  if (code != 0) ::unlink(temporary.c_str());
  return code;
}

}  // namespace

std::string dump_name(std::string_view spec_text) {
  std::string name;
  for (const char c : spec_text) name += escaped(c);
  if (name.size() <= kLongestName) return name;
  const std::string hash = hex(stable_hash(spec_text), 16);
  return name.substr(0, kLongestName - 1 - hash.size()) + kBeforeHash + hash;
}

Result<Done> dump_kernel(const std::string& directory, const DumpedKernel& kernel) {
  const std::string file = dump_name(kernel.spec) + "." + kernel.level + ".txt";
  const fs::path path = fs::path(directory) / file;
  std::error_code problem;
  fs::create_directories(directory, problem);
  int code = problem.value();
  if (!problem) code = write_by_renaming(temporary_in(directory), path, content_of(kernel));
  if (code == 0) return Done{};
  return error("dump.write", "cannot write '" + printable(path.string(), 400) +
                                 "': " + std::generic_category().message(code));
}

}  // namespace pto::jit

#include "jit/backends/watching/dump.h"

#include <array>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "jit/backends/watching/disassembly.h"
#include "runtime/staged_file.h"

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

std::string content_of(const DumpedKernel& kernel) {
  return "spec: " + kernel.spec + "\nlevel: " + kernel.level + "\n\nplan:\n" + kernel.plan +
         "\n\nstrategy:\n" + kernel.strategy +
         (kernel.ir.empty() ? "" : "\n\nllvm ir:\n" + kernel.ir) +
         "\n\ncode: " + std::to_string(kernel.code.size()) + " bytes\n" + disassemble(kernel.code);
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
  const std::string content = content_of(kernel);
  int code = problem.value();
  if (!problem) code = replace_file(path.string(), std::as_bytes(std::span(content)), kNewFile);
  if (code == 0) return Done{};
  return error("dump.write", "cannot write '" + printable(path.string(), 400) +
                                 "': " + std::generic_category().message(code));
}

}  // namespace pto::jit

#include "jit/checks/emulation/host_program.h"

#include <unistd.h>

#include <cstdlib>
#include <iterator>
#include <sstream>

#include "jit/checks/emulation/contained_process.h"
#include "jit/checks/emulation/emulation_headers.h"
#include "jit/checks/emulation/text_rules.h"

namespace pto::jit {
namespace {

constexpr std::string_view kProgram = "kernel";
constexpr std::string_view kText = "kernel.cpp";
constexpr std::string_view kFlags = "-O0 -D__CPU_SIM";
constexpr std::string_view kWarnings =
    "-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wno-unknown-pragmas -Werror";
constexpr std::int64_t kCompilerMemory = std::int64_t{4} << 30;
constexpr std::int64_t kCompilerFile = std::int64_t{1} << 30;
constexpr std::size_t kMostWords = 16 << 10;  // of a compiler

std::vector<std::string> words(std::string_view text) {
  std::istringstream in{std::string(text)};
  return {std::istream_iterator<std::string>(in), std::istream_iterator<std::string>()};
}

Result<Done> write_unit(const Scratch& folder, const HostUnit& unit) {
  Result<Done> written = folder.write(kText, unit.text);
  for (const source::EmbeddedFile& file : source::emulation_headers()) {
    if (written) written = folder.write("include/" + std::string(file.path), file.text);
  }
  return written;
}

std::vector<std::string> command_of(const std::string& compiler, const HostUnit& unit) {
  std::vector<std::string> out = words(compiler);
  if (out[0].find('/') != std::string::npos) out[0] = std::filesystem::absolute(out[0]);
  out.push_back("-std=" + unit.setting.standard);
  for (const std::string_view flags :
       {kFlags, unit.may_warn ? "-w" : kWarnings, std::string_view(unit.flags)}) {
    for (std::string& flag : words(flags)) out.push_back(std::move(flag));
  }
  if (!unit.folder.empty()) out.insert(out.end(), {"-iquote", unit.folder});
  out.insert(out.end(), {"-isystem", "include", std::string(kText), "-o", std::string(kProgram)});
  return out;
}

}  // namespace

bool is_on_path(const std::string& program) {
  if (program.find('/') != std::string::npos) return ::access(program.c_str(), X_OK) == 0;
  const char* path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (::access((folder + "/" + program).c_str(), X_OK) == 0) return true;
  }
  return false;
}

Result<std::string> host_compiler() {
  const char* chosen = std::getenv("CXX");
  if (chosen != nullptr && *chosen != '\0') {
    const std::vector<std::string> parts = words(chosen);
    if (!parts.empty() && is_on_path(parts[0])) return std::string(chosen);
    return error("check.compiler", "$CXX names '" + printable(chosen) + "', which is not there");
  }
  for (const std::string name : {"c++", "g++", "clang++"}) {
    if (is_on_path(name)) return name;
  }
  return error("check.compiler",
               "no C++ compiler is there to check the text with; looked for $CXX, c++, g++ and "
               "clang++");
}

Result<HostProgram> HostProgram::build(const HostUnit& unit) {
  if (const Result<Done> kept = check_text(unit.text); !kept) return kept.error();
  const Result<std::string> compiler =
      unit.setting.compiler.empty() ? host_compiler() : Result<std::string>(unit.setting.compiler);
  if (!compiler) return compiler.error();
  Result<Scratch> folder = Scratch::make();
  if (!folder) return folder.error();
  if (const Result<Done> written = write_unit(*folder, unit); !written) return written.error();
  const ProcessEnd end = run_contained(command_of(*compiler, unit), *folder,
                                       {unit.seconds, kCompilerMemory, kCompilerFile});
  if (end.how == End::Exited && end.code == 0) return HostProgram(std::move(*folder));
  if (end.how == End::NotStarted)
    return error("check.compiler", "'" + printable(*compiler) + "' cannot be started");
  if (end.how == End::OutOfTime)
    return error("check.compile", *compiler + " takes more than " + std::to_string(unit.seconds) +
                                      " seconds for the text");
  return error("check.compile",
               *compiler + " does not accept the text:\n" + folder->read(kOutput, kMostWords));
}

}  // namespace pto::jit

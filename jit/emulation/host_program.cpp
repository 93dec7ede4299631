#include "jit/emulation/host_program.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <sstream>
#include <vector>

#include "jit/emulation/emulation_headers.h"
#include "jit/emulation/scratch.h"
#include "jit/emulation/text_rules.h"

extern char** environ;

namespace pto::jit {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFlags =
    "-std=c++17 -O0 -fPIC -shared -D__CPU_SIM -Wall -Wextra -Wpedantic -Wconversion -Wshadow "
    "-Wno-unknown-pragmas -Werror";
constexpr std::size_t kMostWords = 64 << 10;  // of a compiler

std::vector<std::string> words(std::string_view text) {
  std::istringstream in{std::string(text)};
  return {std::istream_iterator<std::string>(in), std::istream_iterator<std::string>()};
}

// The exit code of a program, found on the path, whose output goes to a file; -1 when it cannot be
// started.
int spawn(std::vector<std::string> command, const fs::path& output) {
  std::vector<char*> arguments;
  for (std::string& word : command) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, 1, output.c_str(), O_CREAT | O_WRONLY | O_TRUNC,
                                     0600);
  ::posix_spawn_file_actions_adddup2(&actions, 1, 2);
  pid_t child = 0;
  const int failed =
      ::posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) return -1;
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

bool is_on_path(const std::string& program) {
  if (program.find('/') != std::string::npos) return ::access(program.c_str(), X_OK) == 0;
  const char* path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (::access((folder + "/" + program).c_str(), X_OK) == 0) return true;
  }
  return false;
}

Result<Done> write_unit(const Scratch& scratch, const HostUnit& unit) {
  bool good = scratch.write("kernel.cpp", unit.text);
  for (const source::EmbeddedFile& file : source::emulation_headers())
    good = good && scratch.write("include/" + std::string(file.path), file.text);
  if (!good) return error("check.directory", "the temporary directory cannot be written");
  return Done{};
}

}  // namespace

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
  const Result<std::string> compiler = host_compiler();
  if (!compiler) return compiler.error();
  const Result<Scratch> scratch = Scratch::make();
  if (!scratch) return scratch.error();
  if (const Result<Done> written = write_unit(*scratch, unit); !written) return written.error();
  std::vector<std::string> command = words(*compiler);
  for (const std::string_view flags : {kFlags, std::string_view(unit.flags)}) {
    for (std::string& flag : words(flags)) command.push_back(std::move(flag));
  }
  const fs::path library = *scratch / "kernel.so";
  for (const std::string& part :
       {std::string("-isystem"), (*scratch / "include").string(),
        (*scratch / "kernel.cpp").string(), std::string("-o"), library.string()})
    command.push_back(part);
  if (spawn(std::move(command), *scratch / "output") != 0) {
    return error("check.compile",
                 *compiler + " does not accept the text:\n" + scratch->read("output", kMostWords));
  }
  void* handle = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) return error("check.load", ::dlerror());
  return HostProgram(std::shared_ptr<void>(handle, [](void* open) { ::dlclose(open); }));
}

Result<std::string> HostProgram::run(const std::string& kernel,
                                     std::span<const source::HostBuffer> buffers,
                                     std::span<const std::int64_t> extents) const {
  void* symbol = ::dlsym(library_.get(), ("emulate_" + kernel).c_str());
  if (symbol == nullptr) return error("check.load", "the compiled text has no kernel " + kernel);
  const auto entry = reinterpret_cast<source::HostEntry>(symbol);
  return std::string(entry(buffers.data(), buffers.size(), extents.data()));
}

}  // namespace pto::jit

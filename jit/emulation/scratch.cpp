#include "jit/emulation/scratch.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <mutex>
#include <vector>

#include "runtime/held_signals.h"

namespace pto::jit {
namespace {

namespace fs = std::filesystem;

constexpr int kMostTurns = 10;
constexpr std::array kEndingSignals = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};

// `rm -rf` with every folder there is, ready for a handler, which must not allocate.
struct Removal {
  std::mutex mutex;
  std::vector<char*> command = words_of({});
  pid_t process = 0;  // whose folders they are

  static std::vector<char*> words_of(std::vector<char*> folders) {
    static char program[] = "rm", how[] = "-rf", end[] = "--";
    folders.insert(folders.begin(), {program, how, end});
    folders.push_back(nullptr);
    return folders;
  }
};

Removal& removal() {
  static Removal folders;
  return folders;
}

// Whether all of them are gone: a compiler may still write into one.
bool remove_once() {
  const pid_t child = ::_Fork();
  if (child == 0) {
    ::execv("/bin/rm", removal().command.data());
    ::_exit(127);
  }
  int status = 0;
  return child > 0 && ::waitpid(child, &status, 0) == child && status == 0;
}

// The handler is gone when it runs, so that the signal, sent again, ends the process.
void remove_and_end(int signal) {
  const bool is_ours = ::getpid() == removal().process;
  for (int turn = 0; is_ours && turn < kMostTurns && !remove_once(); ++turn) {
  }
  static_cast<void>(::raise(signal));
}

// From one handler to another, where nobody else has put theirs.
void exchange_handlers(void (*from)(int), void (*to)(int)) {
  for (const int signal : kEndingSignals) {
    struct sigaction now = {};
    if (::sigaction(signal, nullptr, &now) != 0 || now.sa_handler != from) continue;
    struct sigaction wanted = {};
    wanted.sa_handler = to;
    wanted.sa_flags = SA_RESETHAND;
    ::sigaction(signal, &wanted, nullptr);
  }
}

}  // namespace

struct Scratch::Folder {
  explicit Folder(std::string name) : text(std::move(name)), path(text) {
    const HeldSignals meanwhile;
    const std::lock_guard lock(removal().mutex);
    std::vector<char*>& command = removal().command;
    removal().process = ::getpid();
    command.insert(command.end() - 1, text.data());
    exchange_handlers(SIG_DFL, remove_and_end);
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
    const HeldSignals meanwhile;
    const std::lock_guard lock(removal().mutex);
    std::vector<char*>& command = removal().command;
    std::erase(command, text.data());
    if (command == Removal::words_of({})) exchange_handlers(remove_and_end, SIG_DFL);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  Folder(Folder&&) = delete;
  Folder& operator=(Folder&&) = delete;

  std::string text;
  const fs::path path;
};

// Absolute, for the programs that are started in it.
Result<Scratch> Scratch::make() {
  const HeldSignals meanwhile;
  std::error_code code;
  const fs::path parent = fs::absolute(fs::temp_directory_path(code), code);
  std::string name = (parent / "ptojit-XXXXXX").string();
  if (code || ::mkdtemp(name.data()) == nullptr)
    return error("check.directory", "no temporary directory can be made");
  return Scratch(std::make_shared<const Folder>(std::move(name)));
}

const fs::path& Scratch::path() const { return folder_->path; }

bool Scratch::write(std::string_view name, std::string_view text) const {
  const fs::path file = path() / name;
  std::error_code ignored;
  fs::create_directories(file.parent_path(), ignored);
  std::ofstream out(file, std::ios::binary);
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
  return static_cast<bool>(out.flush());
}

std::string Scratch::read(std::string_view name, std::size_t limit) const {
  std::error_code code;
  const std::uintmax_t size = fs::file_size(path() / name, code);
  if (code) return {};
  std::string out(static_cast<std::size_t>(std::min<std::uintmax_t>(size, limit)), '\0');
  std::ifstream in(path() / name, std::ios::binary);
  in.read(out.data(), static_cast<std::streamsize>(out.size()));
  out.resize(static_cast<std::size_t>(in.gcount()));
  return out;
}

}  // namespace pto::jit

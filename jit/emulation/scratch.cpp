#include "jit/emulation/scratch.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <fstream>
#include <mutex>
#include <vector>

#include "runtime/held_signals.h"
#include "runtime/leftovers.h"

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
  Folder(std::string name, int held) : text(std::move(name)), path(text), descriptor(held) {
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
    if (descriptor >= 0) ::close(descriptor);
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
  const int descriptor;  // holds the claim
};

Result<Scratch> Scratch::make() {
  const HeldSignals meanwhile;
  std::error_code code;
  const std::string parent = fs::temp_directory_path(code).string();
  if (!code) remove_leftovers(parent);
  while (!code) {
    const std::string path = temporary_in(parent);
    const bool is_made = ::mkdir(path.c_str(), S_IRWXU) == 0;
    if (!is_made && errno == EEXIST) continue;
    if (!is_made) break;
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const int problem = errno;
    auto folder = std::make_shared<const Folder>(path, descriptor);
    if (descriptor < 0 && problem != ENOENT) break;
    if (descriptor >= 0 && claim(descriptor)) return Scratch(std::move(folder));
  }
  return error("check.directory", "no temporary directory can be made");
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

// Walks the source tree and runs programs.
#include "tests/style/tree.h"

#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace pto::jit::style {
namespace {

namespace fs = std::filesystem;

// Of the hidden folders at the root only `.ci` is the project's own.
bool is_foreign(const fs::path& folder, const fs::path& root) {
  if (folder.parent_path() != root) return false;
  const std::string name = folder.filename().string();
  return (name.starts_with('.') && name != ".ci") || name.starts_with("build");
}

std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

bool is_binary(const std::string& text) { return text.find('\0') != std::string::npos; }

}  // namespace

std::vector<SourceFile> read_tree(const std::string& root) {
  std::vector<SourceFile> files;
  for (auto entry = fs::recursive_directory_iterator(root); entry != fs::end(entry); ++entry) {
    if (entry->is_directory() && is_foreign(entry->path(), root)) entry.disable_recursion_pending();
    if (!entry->is_regular_file()) continue;
    std::string text = read_file(entry->path());
    if (is_binary(text)) continue;
    files.push_back({fs::relative(entry->path(), root).generic_string(), std::move(text)});
  }
  std::ranges::sort(files, {}, &SourceFile::path);
  return files;
}

std::vector<std::string> top_level_folders(const std::string& root) {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(root)) {
    if (entry.is_directory()) names.push_back(entry.path().filename().string());
  }
  return names;
}

bool is_header(const SourceFile& file) {
  return file.path.ends_with(".h") || file.path.ends_with(".hpp");
}

bool is_cpp(const SourceFile& file) { return is_header(file) || file.path.ends_with(".cpp"); }

std::vector<SourceFile> select(const std::vector<SourceFile>& files,
                               bool (*keep)(const SourceFile&)) {
  std::vector<SourceFile> kept;
  std::ranges::copy_if(files, std::back_inserter(kept), keep);
  return kept;
}

Outcome run(const std::string& shell_command) {
  std::FILE* stream = popen(("{ " + shell_command + "; } 2>&1").c_str(), "r");
  if (!stream) return {.exit_code = 127, .output = "no process could be started"};
  Outcome outcome;
  std::array<char, 4096> piece{};
  while (const std::size_t count = std::fread(piece.data(), 1, piece.size(), stream)) {
    outcome.output.append(piece.data(), count);
  }
  const int status = pclose(stream);
  outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
  return outcome;
}

std::string quoted(const std::string& argument) {
  std::string out = "'";
  for (const char c : argument) {
    if (c == '\'') {
      out += R"('\'')";
    } else {
      out += c;
    }
  }
  return out + "'";
}

}  // namespace pto::jit::style

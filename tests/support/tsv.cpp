#include "tests/support/tsv.h"

#include <fstream>
#include <sstream>

#include "tests/support/paths.h"

namespace pto::jit::tests {
namespace {

std::string full_path(std::string_view path) { return source_root() + "/" + std::string(path); }

}  // namespace

std::string read_text(std::string_view path) {
  std::ifstream in(full_path(path), std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return in ? text.str() : "";
}

bool write_text(std::string_view path, std::string_view text) {
  std::ofstream out(full_path(path), std::ios::binary);
  out << text;
  return out.good();
}

std::vector<std::string> split(std::string_view text, char mark) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(mark, at), text.size());
    out.emplace_back(text.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

std::vector<Record> read_tsv(std::string_view path) {
  std::vector<Record> out;
  for (const std::string& line : split(read_text(path), '\n')) {
    if (!line.empty() && line[0] != '#') out.push_back(split(line, '\t'));
  }
  return out;
}

}  // namespace pto::jit::tests

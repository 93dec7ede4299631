#include "tests/support/golden.h"

#include <algorithm>
#include <cstdlib>
#include <string>

#include "tests/support/tsv.h"

namespace pto::jit::tests {
namespace {

bool is_rewriting() {
  const char* value = std::getenv("PTOJIT_REWRITE_GOLDENS");
  return value != nullptr && std::string_view(value) == "1";
}

std::string line_of(const std::vector<std::string>& lines, std::size_t at) {
  return at < lines.size() ? lines[at] : "(no such line)";
}

}  // namespace

std::string first_difference(std::string_view kept, std::string_view now) {
  const std::vector<std::string> old_lines = split(kept, '\n');
  const std::vector<std::string> new_lines = split(now, '\n');
  for (std::size_t i = 0; i < std::max(old_lines.size(), new_lines.size()); ++i) {
    if (line_of(old_lines, i) == line_of(new_lines, i)) continue;
    return "line " + std::to_string(i + 1) + "\n  kept: " + line_of(old_lines, i) +
           "\n  now:  " + line_of(new_lines, i);
  }
  return "";
}

::testing::AssertionResult matches_file(std::string_view path, std::string_view text) {
  if (is_rewriting()) {
    if (write_text(path, text)) return ::testing::AssertionSuccess();
    return ::testing::AssertionFailure() << "cannot write " << path;
  }
  const std::string kept = read_text(path);
  if (kept == text) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure()
         << path << " is not current; " << first_difference(kept, text)
         << "\nif the change is meant, run the test with PTOJIT_REWRITE_GOLDENS=1";
}

::testing::AssertionResult matches_golden(std::string_view name, std::string_view text) {
  return matches_file("tests/golden/" + std::string(name), text);
}

}  // namespace pto::jit::tests

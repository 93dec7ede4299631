// Reading source text: its include directives, its guard, its wording.
#include "tests/style/checks.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <sstream>

namespace pto::jit::style {
namespace {

constexpr std::array<std::string_view, 7> kFolders = {"ir",    "targets", "runtime", "jit",
                                                      "bench", "tests",   "docs"};

// In two pieces each, so that this file keeps the rule it states.
struct Word {
  std::string_view head;
  std::string_view tail;
};

constexpr std::array kForbidden = {
    Word{"/wo", "rk/"}, Word{"/ro", "ot/"}, Word{"/ho", "me/"},         Word{"sha", "red/"},
    Word{"TO", "DO"},   Word{"FIX", "ME"},  Word{"deb.deb", "ian.org"},
};

constexpr std::string_view kSpaces = " \t";

bool is_word(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}

std::string_view trim_front(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(kSpaces), text.size()));
  return text;
}

// Calls visit(line, number) for each line, numbered from 1.
template <class Visit>
void for_each_line(std::string_view text, const Visit& visit) {
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::string_view line = text.substr(0, text.find('\n'));
    visit(line, number);
    text.remove_prefix(std::min(text.size(), line.size() + 1));
  }
}

// Where the raw string whose `R"` stands at `start` ends; `start` itself when there is none.
std::size_t end_of_raw_string(std::string_view text, std::size_t start) {
  const std::size_t tag = start + 2;
  const std::size_t open = text.find_first_of("()\\\" \t\n", tag);
  if (open == std::string_view::npos || text[open] != '(') return start;
  const std::string close = ")" + std::string(text.substr(tag, open - tag)) + "\"";
  const std::size_t end = text.find(close, open);
  return end == std::string_view::npos ? text.size() : end + close.size();
}

// The same text with the same lines, raw strings turned into spaces.
std::string without_raw_strings(std::string_view text) {
  std::string out(text);
  std::size_t at = 0;
  while ((at = text.find("R\"", at)) != std::string_view::npos) {
    const std::size_t end = end_of_raw_string(text, at);
    for (std::size_t i = at; i < end; ++i) {
      if (out[i] != '\n') out[i] = ' ';
    }
    at = std::max(end, at + 2);
  }
  return out;
}

// Words match whole; one that ends in a slash may go on to the right.
bool contains_word(std::string_view line, std::string_view word) {
  for (std::size_t at = line.find(word); at != line.npos; at = line.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    const bool begins = at == 0 || (!is_word(line[at - 1]) && line[at - 1] != '.');
    const bool ends = word.ends_with('/') || end == line.size() || !is_word(line[end]);
    if (begins && ends) return true;
  }
  return false;
}

}  // namespace

std::vector<Include> includes_of(std::string_view text) {
  std::vector<Include> includes;
  for_each_line(without_raw_strings(text), [&](std::string_view line, std::size_t number) {
    line = trim_front(line);
    if (!line.starts_with('#')) return;
    line = trim_front(line.substr(1));
    if (!line.starts_with("include")) return;
    line = trim_front(line.substr(std::string_view("include").size()));
    if (line.empty() || (line.front() != '"' && line.front() != '<')) return;
    const Form form = line.front() == '"' ? Form::Quoted : Form::Angled;
    const std::size_t end = line.find(form == Form::Quoted ? '"' : '>', 1);
    if (end == std::string_view::npos) return;
    includes.push_back({std::string(line.substr(1, end - 1)), form, number});
  });
  return includes;
}

Findings check_pragma_once(const SourceFile& file) {
  std::size_t count = 0;
  for_each_line(without_raw_strings(file.text), [&](std::string_view line, std::size_t) {
    if (line == "#pragma once") ++count;
  });
  if (count == 1) return {};
  return {{file.path, 0, "a header says #pragma once, one time"}};
}

Findings check_top_level_folders(std::span<const std::string> folders) {
  Findings findings;
  for (const std::string& folder : folders) {
    if (folder.starts_with('.') || folder.starts_with("build")) continue;
    if (std::ranges::find(kFolders, folder) != kFolders.end()) continue;
    findings.push_back({folder, 0, "is not a folder of this project"});
  }
  return findings;
}

Findings check_wording(const SourceFile& file) {
  Findings findings;
  for_each_line(file.text, [&](std::string_view line, std::size_t number) {
    for (const Word& forbidden : kForbidden) {
      const std::string word = std::string(forbidden.head) + std::string(forbidden.tail);
      if (contains_word(line, word)) findings.push_back({file.path, number, "says '" + word + "'"});
    }
  });
  return findings;
}

Findings check_orders(const SourceFile& file) {
  constexpr std::array<std::string_view, 5> kDone = {".load(", ".store(", ".exchange(", ".fetch_",
                                                     ".compare_exchange_"};
  Findings findings;
  if (!file.path.starts_with("runtime/")) return findings;
  std::string_view before;
  std::string_view rest = file.text;
  for_each_line(file.text, [&](std::string_view line, std::size_t number) {
    const auto has = [&](std::string_view word) { return line.find(word) != line.npos; };
    const std::string_view statement = rest.substr(0, rest.find(';'));
    if (std::ranges::any_of(kDone, has) && statement.find("memory_order") == statement.npos)
      findings.push_back({file.path, number, "an atomic operation does not name its order"});
    const bool is_declared = has("std::atomic<") && has(">") && has(";");
    if (is_declared && !has("//") && trim_front(before).substr(0, 2) != "//")
      findings.push_back({file.path, number, "an atomic does not say what it pairs with"});
    before = line;
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
  });
  return findings;
}

void append(Findings& all, Findings more) { std::ranges::move(more, std::back_inserter(all)); }

std::string render(const Findings& findings) {
  std::ostringstream out;
  for (const Finding& finding : findings) out << finding << '\n';
  return out.str();
}

std::ostream& operator<<(std::ostream& out, const Finding& finding) {
  out << finding.path;
  if (finding.line > 0) out << ':' << finding.line;
  return out << ": " << finding.what;
}

}  // namespace pto::jit::style

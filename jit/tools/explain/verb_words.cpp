#include "jit/tools/explain/verb_words.h"

#include <algorithm>

#include "jit/tools/explain/page_parts.h"

namespace pto::jit::cli {
namespace {

// Takes what stands before `mark`, and the mark with it.
std::string_view take_until(std::string_view& text, std::string_view mark) {
  const std::size_t end = std::min(text.find(mark), text.size());
  const std::string_view out = text.substr(0, end);
  text.remove_prefix(std::min(end + mark.size(), text.size()));
  return out;
}

}  // namespace

VerbWords words_of_verb(std::string_view verb) {
  const std::string row = "\n| `" + std::string(verb) + "` |";
  std::string_view text = page_part("plan.md");
  take_until(text, row);
  std::string_view labels = take_until(text, "| ");
  VerbWords out{.does = std::string(take_until(text, " |"))};
  std::erase(out.does, '`');
  while (!labels.empty()) {
    std::string label(take_until(labels, ","));
    std::erase(label, ' ');
    if (!label.empty()) out.lines.push_back(std::move(label));
  }
  return out;
}

}  // namespace pto::jit::cli

#include "jit/text/source/text_writer.h"

namespace pto::jit::source {
namespace {

constexpr std::size_t kWidth = 100;
constexpr std::size_t kIndent = 2;
constexpr std::size_t kContinued = 4;

bool is_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

std::string filled(std::string_view text, std::initializer_list<Field> fields) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] != '$') {
      out += text[at++];
      continue;
    }
    std::size_t end = ++at;
    while (end < text.size() && is_name(text[end])) ++end;
    for (const Field& field : fields) {
      if (field.name == text.substr(at, end - at)) out += field.text;
    }
    at = end;
  }
  return out;
}

constexpr auto kNowhere = std::string_view::npos;

std::size_t after(std::size_t at, std::string_view mark) {
  return at == kNowhere ? kNowhere : at + mark.size();
}

// Where a line too long is broken: between the parts of a loop, before the parameters of a
// function, after the sign of a definition, before the arguments of a templated call, else after
// the last comma that fits. Nowhere in comments, which name specs.
std::size_t break_of(std::string_view line) {
  if (line.find("//") != kNowhere) return kNowhere;
  std::size_t best = kNowhere;
  if (line.find("for (") != kNowhere) {
    best = after(line.rfind("; ", kWidth - 1), "; ");
  } else if (line.ends_with(") {")) {
    best = after(line.rfind('('), "(");
  } else {
    const std::string_view mark = line.find(" = ") != kNowhere ? " = " : ">(";
    best = after(line.find(mark), mark);
  }
  return best <= kWidth ? best : after(line.rfind(", ", kWidth - 1), ", ");
}

std::string trimmed(std::string text) {
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

}  // namespace

void TextWriter::lines(std::string_view text, std::initializer_list<Field> fields) {
  if (text.starts_with('\n')) text.remove_prefix(1);
  const std::string all = filled(text, fields);
  std::string_view rest = all;
  while (!rest.empty()) {
    const std::string_view first = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(first.size() < rest.size() ? first.size() + 1 : first.size());
    line(std::string(first));
  }
}

void TextWriter::line(std::string text) {
  if (text.empty()) return blank();
  const std::size_t margin = text.starts_with('#') ? 0 : static_cast<std::size_t>(depth_) * kIndent;
  text.insert(0, margin, ' ');
  const std::size_t start = text.find_first_not_of(' ');
  while (text.size() > kWidth) {
    const std::size_t at = break_of(text);
    if (at == std::string::npos || at <= start + kContinued) break;
    out_ += trimmed(text.substr(0, at)) + "\n";
    text = std::string(start + kContinued, ' ') + text.substr(at);
  }
  out_ += text + "\n";
}

// One blank line is enough, and none after an opening brace.
void TextWriter::blank() {
  if (out_.empty() || out_.ends_with("\n\n") || out_.ends_with("{\n")) return;
  out_ += "\n";
}

}  // namespace pto::jit::source

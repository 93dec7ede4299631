#include "tests/source/module_tokens.h"

#include <cctype>

#include "tests/support/tsv.h"

namespace pto::jit::tests {
namespace {

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
}

std::size_t end_of_word(std::string_view text, std::size_t at) {
  while (at < text.size() && is_word(text[at])) ++at;
  return at;
}

// Past the '>' that closes the '<' at `at`; where there is none, `at`.
std::size_t end_of_angles(std::string_view text, std::size_t at) {
  if (at >= text.size() || text[at] != '<') return at;
  int depth = 0;
  for (std::size_t i = at; i < text.size(); ++i) {
    depth += text[i] == '<' ? 1 : text[i] == '>' ? -1 : 0;
    if (depth == 0) return i + 1;
  }
  return text.size();
}

std::size_t end_of_token(std::string_view text, std::size_t at) {
  const char first = text[at];
  if (first == '!' || first == '#') return end_of_angles(text, end_of_word(text, at + 1));
  if (first == '%' || first == '@') return end_of_word(text, at + 1);
  if (first == '"') return text.find('"', at + 1) + 1;
  if (text.substr(at).starts_with("->")) return at + 2;
  return is_word(first) ? end_of_word(text, at) : at + 1;
}

std::string field(std::string_view fields, std::string_view name) {
  for (const std::string& entry : split(fields, ',')) {
    const std::size_t begin = entry.find_first_not_of(' ');
    const std::size_t equals = entry.find('=');
    if (entry.substr(begin, equals - begin) == name) return entry.substr(equals + 1);
  }
  return "";
}

}  // namespace

std::vector<std::string> module_tokens(std::string_view text) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at < text.size();) {
    if (text.substr(at).starts_with("//")) {
      at = std::min(text.find('\n', at), text.size());
    } else if (std::isspace(static_cast<unsigned char>(text[at])) != 0) {
      ++at;
    } else {
      const std::size_t end = end_of_token(text, at);
      out.emplace_back(text.substr(at, end - at));
      at = std::max(end, at + 1);
    }
  }
  return out;
}

std::vector<std::string> split_shape(std::string_view shape) { return split(shape, 'x'); }

std::string_view inside(std::string_view type) {
  const std::size_t open = type.find('<');
  return type.substr(open + 1, type.size() - open - 2);
}

TileWords tile_words(std::string_view tile_type) {
  const std::string_view fields = inside(tile_type);
  if (fields.starts_with("vec, ")) {
    std::vector<std::string> shape = split_shape(fields.substr(5));
    TileWords out{.dtype = shape.back()};
    shape.pop_back();
    out.shape = out.valid = shape;
    return out;
  }
  return {.dtype = field(fields, "dtype"),
          .shape = {field(fields, "rows"), field(fields, "cols")},
          .valid = {field(fields, "v_row"), field(fields, "v_col")},
          .layout = field(fields, "blayout"),
          .pad = field(fields, "pad")};
}

}  // namespace pto::jit::tests

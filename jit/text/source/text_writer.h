// Writes source text line by line. It knows indentation, and where a long line is broken.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace pto::jit::source {

// What `$name` in a template stands for.
struct Field {
  std::string_view name;
  std::string text;
};

class TextWriter {
 public:
  // Every line of `text`, at the current depth; the newline after the opening quote is dropped.
  // Directives stay at the margin.
  void lines(std::string_view text, std::initializer_list<Field> fields = {});
  void blank();
  void indent() { ++depth_; }
  void outdent() { --depth_; }

  std::string take() { return std::move(out_); }

 private:
  void line(std::string text);

  std::string out_;
  int depth_ = 0;
};

// "a, b, c"
template <class Items>
std::string joined(const Items& items, std::string_view between = ", ") {
  std::string out;
  for (const auto& item : items) {
    if (!out.empty()) out += between;
    out += item;
  }
  return out;
}

}  // namespace pto::jit::source

// Pieces of a page: facts out of the JSON, boxes that scroll, text with numbered lines.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pto::jit::cli {

class PageWriter {
 public:
  explicit PageWriter(const nlohmann::json& numbers) : numbers_(numbers) {}

  // What the JSON has at a pointer, escaped and marked with it; nothing where it has nothing.
  std::string fact(const std::string& pointer) const;
  // A table of them: a label and a pointer each.
  std::string facts(const std::vector<std::pair<std::string, std::string>>& rows) const;

  // Wide content in a box of its own, which the keyboard reaches.
  static std::string scroll(std::string_view label, const std::string& content,
                            bool is_tall = false);

  // Each line has the id PREFIX-NUMBER.
  static std::string numbered(const std::string& prefix, std::string_view text);

 private:
  const nlohmann::json& numbers_;
};

}  // namespace pto::jit::cli

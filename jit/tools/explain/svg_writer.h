// Lines of SVG and HTML. Whatever comes from outside goes through `escaped`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace pto::jit::cli {

// Safe between tags and inside quotes.
std::string escaped(std::string_view text);

struct Box {
  double x = 0;
  double y = 0;
  double width = 0;
  double height = 0;
};

class SvgWriter {
 public:
  // `more` are attributes, ready to print; `title` is what pointing at the shape shows.
  void rect(const Box& box, std::string_view look, std::string_view title = {},
            std::string_view more = {});
  // As a hexagon, for what must not be told by its colour alone.
  void hexagon(const Box& box, std::string_view look, std::string_view title = {},
               std::string_view more = {});
  void text(double x, double y, std::string_view words, std::string_view look = "label");
  void path(std::string_view steps, std::string_view look, std::string_view more = {});
  void group(std::string_view attributes) { body_ += "<g " + std::string(attributes) + ">\n"; }
  void end_group() { body_ += "</g>\n"; }

  // The element with all of it; what a reader hears instead is `label`.
  std::string take(double width, double height, std::string_view label) const;

 private:
  void shape(const std::string& element, std::string_view look, std::string_view title,
             std::string_view more);
  std::string body_;
};

// "12.5", "12"
std::string length_text(double value);

}  // namespace pto::jit::cli

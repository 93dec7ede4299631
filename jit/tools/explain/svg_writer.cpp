#include "jit/tools/explain/svg_writer.h"

#include <cmath>

namespace pto::jit::cli {

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      default: out += c;
    }
  }
  return out;
}

std::string length_text(double value) {
  const auto tenths = static_cast<std::int64_t>(std::lround(value * 10));
  std::string out = std::to_string(tenths / 10);
  if (tenths % 10 != 0) out += "." + std::to_string(std::abs(tenths % 10));
  return out;
}

void SvgWriter::shape(const std::string& element, std::string_view look, std::string_view title,
                      std::string_view more) {
  body_ += "<" + element + " class=\"" + std::string(look) + "\"" + (more.empty() ? "" : " ") +
           std::string(more);
  const auto name = element.substr(0, element.find(' '));
  body_ += title.empty() ? "/>\n" : "><title>" + escaped(title) + "</title></" + name + ">\n";
}

void SvgWriter::rect(const Box& box, std::string_view look, std::string_view title,
                     std::string_view more) {
  shape("rect x=\"" + length_text(box.x) + "\" y=\"" + length_text(box.y) + "\" width=\"" +
            length_text(box.width) + "\" height=\"" + length_text(box.height) + "\"",
        look, title, more);
}

void SvgWriter::hexagon(const Box& box, std::string_view look, std::string_view title,
                        std::string_view more) {
  const double cut = box.height / 3;
  const auto point = [](double x, double y) { return length_text(x) + "," + length_text(y) + " "; };
  const double right = box.x + box.width;
  const double middle = box.y + box.height / 2;
  const double bottom = box.y + box.height;
  shape("polygon points=\"" + point(box.x, middle) + point(box.x + cut, box.y) +
            point(right - cut, box.y) + point(right, middle) + point(right - cut, bottom) +
            point(box.x + cut, bottom) + "\"",
        look, title, more);
}

void SvgWriter::text(double x, double y, std::string_view words, std::string_view look) {
  body_ += "<text x=\"" + length_text(x) + "\" y=\"" + length_text(y) + "\" class=\"" +
           std::string(look) + "\">" + escaped(words) + "</text>\n";
}

void SvgWriter::path(std::string_view steps, std::string_view look, std::string_view more) {
  shape("path d=\"" + std::string(steps) + "\"", look, {}, more);
}

std::string SvgWriter::take(double width, double height, std::string_view label) const {
  const std::string size = length_text(width) + " " + length_text(height);
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"picture\" width=\"" +
         length_text(width) + "\" height=\"" + length_text(height) + "\" viewBox=\"0 0 " + size +
         "\" role=\"img\" aria-label=\"" + escaped(label) + "\">\n" + body_ + "</svg>\n";
}

}  // namespace pto::jit::cli

#include "jit/tools/explain/page_writer.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "jit/tools/explain/svg_writer.h"

namespace pto::jit::cli {

std::string PageWriter::fact(const std::string& pointer) const {
  const nlohmann::json::json_pointer at(pointer);
  if (!numbers_.contains(at)) return {};
  const nlohmann::json& value = numbers_.at(at);
  const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
  return "<span data-json=\"" + escaped(pointer) + "\">" + escaped(text) + "</span>";
}

std::string PageWriter::facts(const std::vector<std::pair<std::string, std::string>>& rows) const {
  std::string out = "<table>\n";
  for (const auto& [label, pointer] : rows) {
    out += "<tr><th scope=\"row\">" + escaped(label) + "</th><td>" + fact(pointer) + "</td></tr>\n";
  }
  return out + "</table>\n";
}

std::string PageWriter::scroll(std::string_view label, const std::string& content, bool is_tall) {
  return "<div class=\"scroll" + std::string(is_tall ? " tall" : "") +
         "\" role=\"region\" tabindex=\"0\" aria-label=\"" + escaped(label) + "\">" + content +
         "</div>\n";
}

std::string PageWriter::numbered(const std::string& prefix, std::string_view text) {
  std::string out = "<pre>";
  for (std::size_t at = 0, line = 1; at < text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string number = std::to_string(line);
    out += "<span id=\"" + prefix + "-" + number + "\">" +
           std::string(4 - std::min<std::size_t>(number.size(), 4), ' ') + number + "  " +
           escaped(text.substr(at, end - at)) + "</span>\n";
    at = end + 1;
  }
  return scroll(prefix + " text", out + "</pre>", true);
}

}  // namespace pto::jit::cli

// The styles and the script of pages and pictures, and what they quote, carried by the tool.
#pragma once

#include <string_view>

namespace pto::jit::cli {

// "picture.css", "page.css", "page.js", "plan.md"; generated at build time from those files.
std::string_view page_part(std::string_view name);

}  // namespace pto::jit::cli

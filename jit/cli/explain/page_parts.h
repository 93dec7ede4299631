// The styles and the script of pages and pictures, carried by the tool.
#pragma once

#include <string_view>

namespace pto::jit::cli {

// "picture.css", "page.css", "page.js"; generated at build time from the files beside this one.
std::string_view page_part(std::string_view name);

}  // namespace pto::jit::cli

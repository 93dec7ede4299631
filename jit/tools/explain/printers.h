// An explanation as text, as data, as pictures and as a page.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "ir/result.h"
#include "jit/tools/explain/explanation.h"

namespace pto::jit::cli {

std::string text_of(const Explanation& made);
nlohmann::json json_of(const Explanation& made);

enum class Picture : std::uint8_t { Memory, Timeline, Move };
Result<Picture> parse_picture(const std::string& name);

// Whole files of SVG; fails where there is nothing to draw.
Result<std::string> picture_of(const Explanation& made, Picture picture);

// One page with everything.
std::string page_of(const Explanation& made);

// Drawings without a style of their own, as the page holds them.
std::string memory_drawing(const MemoryMap& memory);
std::string move_drawing(const MoveView& move);
std::string timeline_drawing(const RunView& run, const std::string& title);

}  // namespace pto::jit::cli

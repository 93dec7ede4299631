// One picture as a file of its own.
#include <array>

#include "jit/tools/explain/page_parts.h"
#include "jit/tools/explain/printers.h"

namespace pto::jit::cli {
namespace {

constexpr std::array<std::string_view, 3> kNames = {"memory", "timeline", "move"};

// A drawing with its style, so that it stands alone.
std::string standalone(std::string drawing) {
  const std::size_t inside = drawing.find(">\n") + 2;
  return drawing.insert(inside, "<style>\n" + std::string(page_part("picture.css")) + "</style>\n");
}

}  // namespace

Result<Picture> parse_picture(const std::string& name) {
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == name) return static_cast<Picture>(i);
  }
  return error("option.svg", "unknown picture '" + printable(name) + "': memory, timeline or move");
}

Result<std::string> picture_of(const Explanation& made, Picture picture) {
  switch (picture) {
    case Picture::Memory:
      if (made.memory.tiles.empty()) return error("explain.picture", made.forms[0].absent);
      return standalone(memory_drawing(made.memory));
    case Picture::Timeline:
      if (!made.forms[0].run) return error("explain.picture", "no run to draw: " + made.run_absent);
      return standalone(timeline_drawing(*made.forms[0].run, made.spec));
    case Picture::Move:
      if (!made.move) return error("explain.picture", made.move_absent);
      return standalone(move_drawing(*made.move));
  }
  return std::string();
}

}  // namespace pto::jit::cli

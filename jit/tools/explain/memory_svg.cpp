// Local memory as a map: all of it to scale, and what is used of it enlarged.
#include <algorithm>

#include "jit/tools/explain/printers.h"
#include "jit/tools/explain/svg_writer.h"
#include "jit/tools/explain/views.h"

namespace pto::jit::cli {
namespace {

constexpr double kWidth = 720;
constexpr double kLeft = 20;
constexpr double kBar = kWidth - 2 * kLeft;
constexpr double kLeast = 76;  // of a tile's name

std::string look_of(std::size_t tile) { return "t" + std::to_string(tile % 3); }

std::string words_of(const TileSpan& tile) {
  return tile.name + ", " + tile.shape + ": " + count_text(tile.bytes, "byte") + " at " +
         std::to_string(tile.offset) + ", " + std::to_string(tile.valid_bytes) + " valid, " +
         std::to_string(tile.padding) + " padding";
}

void draw_whole(SvgWriter& out, const MemoryMap& memory) {
  const auto whole = static_cast<double>(std::max({memory.budget, memory.used, std::int64_t{1}}));
  const auto at = [&](std::int64_t byte) { return static_cast<double>(byte) / whole * kBar; };
  out.text(kLeft, 18,
           memory.budget > 0 ? "local memory, " + count_text(memory.budget, "byte") + " for tiles"
                             : "local memory, without a limit");
  out.rect({kLeft, 26, kBar, 20}, "free", count_text(memory.left, "byte") + " left");
  for (std::size_t i = 0; i < memory.tiles.size(); ++i) {
    const TileSpan& tile = memory.tiles[i];
    out.rect({kLeft + at(tile.offset), 26, std::max(at(tile.bytes), 1.5), 20}, look_of(i),
             words_of(tile));
  }
  if (memory.plain > 0 && memory.plain < memory.budget) {
    const double x = kLeft + at(memory.plain);
    out.path("M" + length_text(x) + " 22V50", "axis");
    out.text(x, 62, std::to_string(memory.plain) + " without asking", "soft mid");
  }
}

// The width of each tile: by its bytes, but never too small for its name.
std::vector<double> widths_of(const MemoryMap& memory) {
  const double spare = kBar - kLeast * static_cast<double>(memory.tiles.size());
  std::vector<double> out;
  for (const TileSpan& tile : memory.tiles) {
    const double share = static_cast<double>(tile.bytes + tile.gap) /
                         static_cast<double>(std::max<std::int64_t>(memory.used, 1));
    out.push_back(kLeast + spare * share);
  }
  return out;
}

void draw_tiles(SvgWriter& out, const MemoryMap& memory) {
  const std::vector<double> widths = widths_of(memory);
  double x = kLeft;
  out.text(kLeft, 84, "tiles, not to scale; dashed: padding", "soft");
  for (std::size_t i = 0; i < memory.tiles.size(); ++i) {
    const TileSpan& tile = memory.tiles[i];
    const double valid = widths[i] * static_cast<double>(tile.valid_bytes) /
                         static_cast<double>(std::max<std::int64_t>(tile.bytes + tile.gap, 1));
    out.rect({x, 92, widths[i], 44}, "pad", words_of(tile), "tabindex=\"0\"");
    out.rect({x, 92, valid, 44}, look_of(i), words_of(tile));
    out.text(x + 6, 110, tile.name);
    out.text(x + 6, 127, tile.shape);
    out.text(x, 152, memory.is_placed ? std::to_string(tile.offset) : "?", "soft");
    x += widths[i];
  }
  out.text(x - 4, 152, std::to_string(memory.used), "soft mid");
}

}  // namespace

std::string memory_drawing(const MemoryMap& memory) {
  SvgWriter out;
  out.rect({0, 0, kWidth, 184}, "paper");
  draw_whole(out, memory);
  draw_tiles(out, memory);
  std::string facts =
      std::to_string(memory.used) + " used, " + std::to_string(memory.left) + " left";
  if (memory.dynamic_bytes > 0) facts += "; dynUBufSize " + std::to_string(memory.dynamic_bytes);
  if (!memory.is_placed) facts += "; placed by the device's compiler";
  out.text(kLeft, 174, facts + "; " + memory.parts);
  return out.take(kWidth, 184, "map of local memory: " + facts);
}

}  // namespace pto::jit::cli

// The move as a picture: indices, the tile's units under them, and where in the table they lead.
#include <algorithm>
#include <set>

#include "jit/tools/explain/printers.h"
#include "jit/tools/explain/svg_writer.h"
#include "jit/tools/explain/views.h"

namespace pto::jit::cli {
namespace {

constexpr std::size_t kColumns = 16;
constexpr double kCellWidth = 44;
constexpr double kCellHeight = 24;
constexpr double kLeft = 20;
constexpr double kTitle = 20;   // above a grid
constexpr double kArrows = 64;  // room for them
constexpr double kIndexTop = 8 + kTitle;
constexpr double kWidth = 2 * kLeft + kCellWidth * static_cast<double>(kColumns);

double grid_height(std::size_t cells) {
  return static_cast<double>((cells + kColumns - 1) / kColumns) * kCellHeight;
}

// What fits into a cell.
std::string shortened(const std::string& label) {
  if (label.size() <= 6) return label;
  return label.substr(0, 2) + ".." + label.substr(label.size() - 2);
}

std::string attribute(std::string_view name, std::int64_t value) {
  return std::string(name) + "=\"" + std::to_string(value) + "\"";
}

class MoveDrawing {
 public:
  explicit MoveDrawing(const MoveView& move) : move_(move) {
    for (const MoveStep& step : move.steps) {
      if (step.collides_with >= 0) hit_.insert(step.cell);
      if (step.cell >= 0) met_.insert(step.cell);
    }
    const double units = grid_height(move.steps.size());
    tile_top_ = kIndexTop + (move.index.empty() ? 0 : units + kTitle + 8);
    table_top_ = tile_top_ + units + kArrows;
    bottom_ = table_top_ + grid_height(move.cells.size());
    height_ = bottom_ + (move.index.empty() ? 12 : 44);
  }

  std::string run() {
    out_.rect({0, 0, kWidth, height_}, "paper");
    if (!move_.index.empty()) draw_indices();
    draw_tile();
    draw_table();
    for (std::size_t i = 0; i < move_.steps.size(); ++i) draw_arrow(i);
    write_words();
    if (!move_.index.empty()) draw_legend(bottom_ + 14);
    return out_.take(kWidth, height_,
                     std::to_string(move_.steps.size()) + " of " +
                         count_text(move_.positions, "position") + ", " +
                         std::to_string(move_.outside) + " beyond the end, " +
                         std::to_string(move_.collisions) + " colliding");
  }

 private:
  static Box box_at(std::size_t place, double top) {
    return {kLeft + static_cast<double>(place % kColumns) * kCellWidth,
            top + static_cast<double>(place / kColumns) * kCellHeight, kCellWidth, kCellHeight};
  }

  // Ordinary cells are rectangles, those beyond the end hexagons, colliding ones have a ring.
  void cell(const Box& box, const MoveStep& step, std::string_view look) {
    const std::string more = attribute("data-p", step.position);
    const std::string title = step.from + ": " + step.outcome;
    if (step.is_outside) return out_.hexagon(box, "bad", title, more);
    out_.rect(box, step.collides_with >= 0 ? "hit" : look, title, more);
    if (step.collides_with >= 0) ring(box);
  }

  void ring(const Box& box) {
    out_.rect({box.x + 3, box.y + 3, box.width - 6, box.height - 6}, "ring");
  }

  void words(const Box& box, const std::string& label) {
    out_.text(box.x + box.width / 2, box.y + 16, shortened(label), "small");
  }

  void draw_indices() {
    for (std::size_t i = 0; i < move_.steps.size(); ++i)
      cell(box_at(i, kIndexTop), move_.steps[i], "t1");
  }

  void draw_tile() {
    for (std::size_t i = 0; i < move_.steps.size(); ++i)
      cell(box_at(i, tile_top_), move_.steps[i], "t0");
  }

  void draw_table() {
    for (std::size_t i = 0; i < move_.cells.size(); ++i) {
      const std::int64_t number = move_.cells[i];
      const Box box = box_at(i, table_top_);
      const bool is_hit = hit_.contains(number);
      out_.rect(box,
                is_hit                  ? "hit"
                : met_.contains(number) ? "t2"
                                        : "cell",
                {}, attribute("data-cell", number));
      if (is_hit) ring(box);
    }
  }

  std::string tile_title() const {
    const bool is_all = static_cast<std::int64_t>(move_.steps.size()) == move_.positions;
    return move_.tile + (is_all ? ""
                                : ": the first " + std::to_string(move_.steps.size()) + " of " +
                                      count_text(move_.positions, "position"));
  }

  std::string table_title() const {
    const bool is_all = static_cast<std::int64_t>(move_.cells.size()) == move_.table_cells;
    return move_.table + ": a cell is " + move_.cell_is +
           (is_all ? "" : "; of " + std::to_string(move_.table_cells) + " those that are met");
  }

  // Above the arrows, so that none crosses out a number.
  void write_words() {
    if (!move_.index.empty())
      out_.text(kLeft, kIndexTop - 6, move_.index + ": " + move_.indices, "title");
    out_.text(kLeft, tile_top_ - 6, tile_title(), "title");
    out_.text(kLeft, table_top_ - 14, table_title(), "title");  // clear of arrowheads
    for (std::size_t i = 0; i < move_.steps.size(); ++i) {
      const MoveStep& step = move_.steps[i];
      if (step.index) words(box_at(i, kIndexTop), std::to_string(*step.index));
      words(box_at(i, tile_top_),
            step.from.substr(step.from.find('[') + 1, step.from.size() - step.from.find('[') - 2));
    }
    for (std::size_t i = 0; i < move_.cells.size(); ++i)
      words(box_at(i, table_top_), std::to_string(move_.cells[i]));
  }

  void draw_arrow(std::size_t i) {
    const MoveStep& step = move_.steps[i];
    const auto found = std::ranges::lower_bound(move_.cells, step.cell);
    if (step.cell < 0 || found == move_.cells.end() || *found != step.cell) return;
    const Box tile = box_at(i, tile_top_);
    const Box table = box_at(static_cast<std::size_t>(found - move_.cells.begin()), table_top_);
    const double x0 = tile.x + tile.width / 2;
    const double y0 = tile.y + tile.height;
    const double x1 = table.x + table.width / 2;
    const double y1 = table.y;
    const std::string more = attribute("data-p", step.position);
    const auto at = [](double x, double y) { return length_text(x) + " " + length_text(y); };
    out_.path("M" + at(x0, y0) + "C" + at(x0, y0 + 36) + " " + at(x1, y1 - 36) + " " + at(x1, y1),
              "arrow", more);
    const double tip = move_.to_table ? y1 : y0;
    const double back = move_.to_table ? y1 - 7 : y0 + 7;
    const double x = move_.to_table ? x1 : x0;
    out_.path("M" + at(x, tip) + "L" + at(x - 4, back) + "L" + at(x + 4, back) + "Z", "head", more);
  }

  void draw_legend(double y) {
    const auto sample = [&](double x) { return Box{x, y, 26, 18}; };
    out_.hexagon(sample(kLeft), "bad");
    out_.text(kLeft + 32, y + 13, "index beyond the end");
    if (!move_.to_table) return;
    out_.rect(sample(kLeft + 190), "hit");
    ring(sample(kLeft + 190));
    out_.text(kLeft + 222, y + 13, "collides with an earlier one");
  }

  const MoveView& move_;
  SvgWriter out_;
  std::set<std::int64_t> hit_;
  std::set<std::int64_t> met_;
  double tile_top_ = 0;
  double table_top_ = 0;
  double bottom_ = 0;
  double height_ = 0;
};

}  // namespace

std::string move_drawing(const MoveView& move) { return MoveDrawing(move).run(); }

}  // namespace pto::jit::cli

// An emulated run as a picture: a track for each pipe, an arrow for each wait, what races marked.
#include <algorithm>

#include "jit/tools/explain/printers.h"
#include "jit/tools/explain/svg_writer.h"
#include "jit/tools/explain/views.h"

namespace pto::jit::cli {
namespace {

constexpr double kLeft = 60;
constexpr double kTop = 34;
constexpr double kTrack = 38;
constexpr double kBarHeight = 24;
constexpr double kLetter = 6.6;

class TimelineDrawing {
 public:
  TimelineDrawing(const RunView& run, const std::string& title)
      : run_(run), schedule_(run.schedule), title_(title) {
    const auto blocks = static_cast<double>(std::max<std::uint64_t>(schedule_.end(), 1));
    scale_ = std::clamp(blocks * 6, 640.0, 2400.0) / blocks;
    width_ = kLeft + blocks * scale_ + 20;
    height_ = kTop + kTrack * static_cast<double>(schedule_.tracks.size()) + 30;
  }

  std::string run() {
    out_.rect({0, 0, width_, height_}, "paper");
    out_.text(10, 18, title_);
    for (std::size_t i = 0; i < schedule_.tracks.size(); ++i) {
      out_.text(10, top_of(i) + 16, schedule_.tracks[i]);
      out_.path("M" + length_text(kLeft) + " " + length_text(top_of(i) + kBarHeight + 3) + "H" +
                    length_text(width_ - 10),
                "axis");
    }
    for (const Slice& slice : schedule_.slices) draw(slice);
    for (const Arrow& arrow : schedule_.arrows) draw(arrow);
    out_.text(kLeft, height_ - 8, caption(), "soft");
    return out_.take(width_, height_, title_ + ": " + caption());
  }

 private:
  static double top_of(std::size_t track) { return kTop + kTrack * static_cast<double>(track); }
  double x_of(std::uint64_t block) const { return kLeft + static_cast<double>(block) * scale_; }

  static std::string words_of(const Slice& slice) {
    std::string out = slice.what + ": from " + std::to_string(slice.at) + ", " +
                      count_text(static_cast<std::int64_t>(slice.blocks), "step");
    for (const Touch& touch : slice.touches)
      out += std::string("; ") + (touch.is_write ? "writes " : "reads ") +
             count_text(static_cast<std::int64_t>(touch.bytes), "byte") + " of " + touch.where;
    return out;
  }

  void draw(const Slice& slice) {
    const Box box{x_of(slice.at), top_of(slice.track),
                  std::max(static_cast<double>(slice.blocks) * scale_ - 1, 3.0), kBarHeight};
    const bool is_reported = std::ranges::binary_search(run_.reported, slice.operation);
    const bool is_wait = slice.operation == 0;
    const std::string title = words_of(slice) + (is_reported ? "; reported" : "");
    constexpr std::string_view kFocus = "tabindex=\"0\"";
    if (is_reported) {
      out_.hexagon(box, "bad", title, kFocus);
    } else {
      out_.rect(box, is_wait ? "wait" : "t" + std::to_string(slice.track % 3), title,
                is_wait ? "" : kFocus);
    }
    const double room = box.width - 10;
    if (!is_wait && room > kLetter * static_cast<double>(slice.what.size()))
      out_.text(box.x + box.width / 2, box.y + 16, slice.what, "small");
  }

  void draw(const Arrow& arrow) {
    const double x0 = x_of(arrow.set) + scale_ / 2;
    const double x1 = x_of(arrow.seen) + scale_ / 2;
    const bool is_down = arrow.to > arrow.from;
    const double y0 = top_of(arrow.from) + (is_down ? kBarHeight : 0);
    const double y1 = top_of(arrow.to) + (is_down ? 0 : kBarHeight);
    const double back = is_down ? y1 - 6 : y1 + 6;
    const auto at = [](double x, double y) { return length_text(x) + " " + length_text(y); };
    out_.path("M" + at(x0, y0) + "L" + at(x1, y1), "arrow");
    out_.path("M" + at(x1, y1) + "L" + at(x1 - 4, back) + "L" + at(x1 + 4, back) + "Z", "head");
  }

  std::string caption() const {
    const bool is_all = schedule_.slices.size() == run_.slices;
    return std::string("steps of the emulation, 32 bytes each: no device's cycles") +
           (is_all ? ""
                   : "; " + std::to_string(schedule_.slices.size()) + " of " +
                         std::to_string(run_.slices) + " slices");
  }

  const RunView& run_;
  const Schedule& schedule_;
  const std::string& title_;
  SvgWriter out_;
  double scale_ = 1;
  double width_ = 0;
  double height_ = 0;
};

}  // namespace

std::string timeline_drawing(const RunView& run, const std::string& title) {
  return TimelineDrawing(run, title).run();
}

}  // namespace pto::jit::cli

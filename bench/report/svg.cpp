#include "bench/report/svg.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "jit/cli/explain/svg_writer.h"

namespace pto::jit::bench {
namespace {

using cli::escaped;

constexpr const char* kStyle = R"(<style>
text { font-family: system-ui, "DejaVu Sans", sans-serif; fill: currentColor }
circle { fill: currentColor; fill-opacity: 0.45 }
line, path { stroke: currentColor; fill: none } path { stroke-width: 2 }
.paper { fill: #ffffff } .text { color: #1f2328 } .faint { color: #656d76 } line.faint { color: #d0d7de }
.kernel { color: #0a5fd0 } .static { color: #bc4c00 } .copy { color: #6e7781 }
@media (prefers-color-scheme: dark) {
.paper { fill: #0d1117 } .text { color: #e6edf3 } .faint { color: #9198a1 } line.faint { color: #30363d }
.kernel { color: #58a6ff } .static { color: #f0883e } .copy { color: #8b949e }
}
</style>
)";

const char* name_of(Ink ink) {
  constexpr std::array kNames = {"text", "faint", "kernel", "static", "copy"};
  return kNames[static_cast<std::size_t>(ink)];
}

}  // namespace

double Scale::operator()(double value) const {
  const double clamped = std::clamp(value, least, most);
  return from + (to - from) * std::log(clamped / least) / std::log(most / least);
}

std::string caption_of(const Machine& machine) {
  return machine.processor +
         formatted(", %d cores; load %.1f at the start", machine.cores, machine.load);
}

Svg::Svg(double width, double height, std::string_view description)
    : text_(formatted(R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %g %g" role="img">)",
                      width, height)) {
  text_ += "\n<title>" + escaped(description) + "</title>\n" + kStyle;
  text_ += formatted(R"(<rect class="paper" width="%g" height="%g"/>)", width, height) + "\n";
}

void Svg::add(const Words& words) {
  text_ += formatted(R"(<text class="%s" x="%.1f" y="%.1f" font-size="%g" text-anchor="%s">)",
                     name_of(words.ink), words.at.x, words.at.y, words.size, words.anchor) +
           escaped(words.text) + "</text>\n";
}

void Svg::add(const Line& line) {
  text_ += formatted(R"(<line class="%s" x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" )",
                     name_of(line.ink), line.from.x, line.from.y, line.to.x, line.to.y) +
           formatted(R"(stroke-width="%g" stroke-dasharray="%s"/>)", line.width,
                     *line.dashes != '\0' ? line.dashes : "none") +
           "\n";
}

void Svg::add(const Dot& dot) {
  text_ += formatted(R"(<circle class="%s" cx="%.2f" cy="%.2f" r="%g"><title>)", name_of(dot.ink),
                     dot.at.x, dot.at.y, dot.radius) +
           escaped(dot.title) + "</title></circle>\n";
}

void Svg::add_path(const std::vector<Point>& points, Ink ink) {
  text_ += formatted(R"(<path class="%s" d=")", name_of(ink));
  const char* step = "M";
  for (const Point& point : points) {
    text_ += formatted("%s%.2f %.2f", step, point.x, point.y);
    step = " L";
  }
  text_ += "\"/>\n";
}

}  // namespace pto::jit::bench

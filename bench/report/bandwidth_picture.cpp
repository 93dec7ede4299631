#include <algorithm>
#include <array>

#include "bench/report/pictures.h"
#include "bench/report/svg.h"
#include "ir/spec_text.h"
#include "jit/cli/timing/memory_level.h"

namespace pto::jit::bench {
namespace {

constexpr double kWidth = 860;
constexpr double kHeight = 400;
constexpr double kTop = 84;
constexpr double kBottom = kHeight - 64;

// One curve: the kernel's, or that of an opponent.
struct Curve {
  const char* letter;  // empty: the kernel
  const char* name;
  Ink ink;
};
constexpr std::array kCurves = {Curve{"L", "copy", Ink::Copy},
                                Curve{"S", "static C++", Ink::Static},
                                Curve{"", "kernel", Ink::Kernel}};

struct Sized {
  const Figure* figure;
  double table;  // bytes
  Op op;
};

std::vector<Sized> sized_figures(const Results& results) {
  std::vector<Sized> out;
  for (const Figure& figure : results.figures) {
    const Result<KernelSpec> spec = parse(figure.spec);
    if (figure.family != "sizes" || !spec) continue;
    const double rows = spec->table.shape[3];
    const double row = static_cast<double>(spec->table.shape[4] * size_of(spec->table.dtype));
    out.push_back({&figure, rows * row, spec->op});
  }
  std::ranges::sort(out, {}, &Sized::table);
  return out;
}

// 0 for an opponent the figure does not have.
double bandwidth(const Figure& figure, const char* letter) {
  if (*letter == '\0') return figure.bytes / figure.ns;
  const Opponent* other = figure.find(letter);
  return other != nullptr ? figure.bytes / other->ns : 0;
}

struct Panel {
  Scale x;
  Scale y;
};

void add_axes(Svg& svg, const Panel& panel) {
  for (const double tick : {1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0}) {
    if (tick < panel.y.least || tick > panel.y.most) continue;
    svg.add(Svg::Line{{panel.x.from, panel.y(tick)}, {panel.x.to, panel.y(tick)}});
    svg.add(Svg::Words{
        {panel.x.from - 6, panel.y(tick) + 4}, formatted("%g", tick), Ink::Faint, "end", 11});
  }
  for (double tick = 8 << 10; tick <= panel.x.most; tick *= 8) {
    svg.add(
        Svg::Words{{panel.x(tick), kBottom + 16}, cli::bytes_text(tick), Ink::Faint, "middle", 11});
  }
}

void add_caches(Svg& svg, const Panel& panel, const Machine& machine) {
  const std::array<std::pair<const char*, std::size_t>, 3> caches = {
      {{"L1", machine.l1}, {"L2", machine.l2}, {"L3", machine.l3}}};
  for (const auto& [name, size] : caches) {
    const auto bytes = static_cast<double>(size);
    if (bytes < panel.x.least || bytes > panel.x.most) continue;
    const double x = panel.x(bytes);
    svg.add(Svg::Line{{x, kTop}, {x, kBottom}, Ink::Copy, 1, "3 3"});
    svg.add(Svg::Words{{x + 3, kTop + 11}, name, Ink::Faint, "start", 11});
  }
}

void add_curve(Svg& svg, const Panel& panel, const std::vector<Sized>& all, const Curve& curve) {
  std::vector<Point> points;
  for (const Sized& one : all) {
    const double rate = bandwidth(*one.figure, curve.letter);
    if (rate == 0) continue;
    points.push_back({panel.x(one.table), panel.y(rate)});
    svg.add(Svg::Dot{points.back(),
                     formatted("%.5g B/ns, %s, ", rate, curve.name) + one.figure->name, curve.ink});
  }
  if (!points.empty()) svg.add_path(points, curve.ink);
}

void add_legend(Svg& svg) {
  double x = kWidth - 270;
  for (const Curve& curve : kCurves) {
    svg.add(Svg::Line{{x, 20}, {x + 22, 20}, curve.ink, 3});
    svg.add(Svg::Words{{x + 28, 24}, curve.name});
    x += 44 + 7 * static_cast<double>(std::string_view(curve.name).size());
  }
}

}  // namespace

std::string bandwidth_picture(const Results& results) {
  const std::vector<Sized> all = sized_figures(results);
  Svg svg(kWidth, kHeight, "Bandwidth against the size of the table");
  svg.add(Svg::Words{
      {16, 24}, "Rows of 64 B: bytes a ns against the size of the table", Ink::Text, "start", 16});
  svg.add(Svg::Words{{16, 42},
                     "random rows, 256 a call, other ones each time; copy is libc's, in "
                     "one piece, from and to as random a place",
                     Ink::Faint});
  add_legend(svg);
  double least = 10;
  double most = 20;
  for (const Sized& one : all) {
    for (const Curve& curve : kCurves) {
      const double rate = bandwidth(*one.figure, curve.letter);
      if (rate > 0) least = std::min(least, rate);
      most = std::max(most, rate);
    }
  }
  const double largest = all.empty() ? 1 << 20 : all.back().table;
  double left = 46;
  for (const Op op : {Op::MGather, Op::MScatter}) {
    std::vector<Sized> figures;
    std::ranges::copy_if(all, std::back_inserter(figures),
                         [&](const Sized& one) { return one.op == op; });
    const Panel panel = {
        .x = {.least = 8 << 10, .most = largest, .from = left, .to = left + 372},
        .y = {.least = least * 0.9, .most = most * 1.1, .from = kBottom, .to = kTop}};
    svg.add(Svg::Words{
        {left, kTop - 12}, op == Op::MGather ? "gather" : "scatter", Ink::Text, "start", 14});
    add_axes(svg, panel);
    add_caches(svg, panel, results.machine);
    for (const Curve& curve : kCurves) add_curve(svg, panel, figures, curve);
    left += 420;
  }
  svg.add(Svg::Words{{16, kHeight - 14}, caption_of(results.machine), Ink::Faint, "start", 11});
  return svg.text();
}

}  // namespace pto::jit::bench

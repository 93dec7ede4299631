#include <algorithm>
#include <array>

#include "bench/ratio.h"
#include "bench/report/pictures.h"
#include "bench/report/svg.h"
#include "bench/report/table.h"

namespace pto::jit::bench {
namespace {

constexpr double kWidth = 860;
constexpr double kTop = 62;
constexpr double kRow = 36;
constexpr double kLeft = 150;
constexpr double kRight = kWidth - 90;
constexpr double kMost = 16;  // dots beyond lie at the end

void add_axis(Svg& svg, const Scale& x, double bottom) {
  for (const double tick : {0.25, 0.5, 0.7, 1.0, 1.4, 2.0, 4.0, 8.0, kMost}) {
    if (tick < x.least || tick > x.most) continue;
    const bool is_one = tick == 1;
    svg.add(Svg::Line{.from = {x(tick), kTop - 8},
                      .to = {x(tick), bottom},
                      .ink = is_one ? Ink::Static : Ink::Faint,
                      .width = is_one ? 2.0 : 1.0});
    svg.add(Svg::Words{{x(tick), bottom + 16},
                       formatted(tick == kMost ? "%g and more" : "%g", tick),
                       Ink::Faint,
                       "middle"});
  }
}

// Dots of near ratios lie above and below each other.
double shift_of(std::size_t at) {
  constexpr std::array kShifts = {0.0, 6.0, -6.0, 3.0, -3.0, 9.0, -9.0, 12.0, -12.0};
  return kShifts[at % kShifts.size()];
}

void add_family(Svg& svg, const Scale& x, double y, std::vector<const Figure*> family) {
  std::ranges::sort(family, {}, [](const Figure* figure) { return value_of(*figure); });
  std::vector<double> values;
  for (std::size_t i = 0; i < family.size(); ++i) {
    values.push_back(value_of(*family[i]));
    svg.add(Svg::Dot{
        {x(values[i]), y + shift_of(i)},
        formatted("%.5g ", values[i]) + family[i]->name + ", against " + family[i]->best()->is});
  }
  const double median = quantile(values, 0.5);
  svg.add(Svg::Line{{x(median), y - 14}, {x(median), y + 14}, Ink::Kernel, 2.5});
  svg.add(Svg::Words{{kLeft - 14, y + 4}, family[0]->family, Ink::Text, "end", 13});
  svg.add(Svg::Words{{kWidth - 16, y + 4},
                     formatted(median < 10 ? "%.2f (%zu)" : "%.0f (%zu)", median, family.size()),
                     Ink::Text,
                     "end"});
}

}  // namespace

std::string ratios_picture(const Results& results) {
  std::vector<std::vector<const Figure*>> families;
  double least = 0.5;
  for (std::vector<const Figure*>& family : by_family(results)) {
    std::erase_if(family, [](const Figure* figure) { return figure->best() == nullptr; });
    if (family.empty()) continue;
    for (const Figure* figure : family) {
      least = std::min(least, value_of(*figure));
    }
    families.push_back(std::move(family));
  }
  const double bottom = kTop + kRow * static_cast<double>(families.size());
  const Scale x = {.least = least * 0.95, .most = kMost, .from = kLeft, .to = kRight};
  Svg svg(kWidth, bottom + 42, "Kernels against their best opponents");
  svg.add(Svg::Words{
      {16, 24}, "Times as fast as the best opponent that does the same", Ink::Text, "start", 16});
  svg.add(Svg::Words{{16, 42},
                     "a dot a cell, right of 1 the kernel is faster; the stroke is the "
                     "family's median, at the right in figures with the count",
                     Ink::Faint});
  add_axis(svg, x, bottom);
  double y = kTop + kRow / 2;
  for (const std::vector<const Figure*>& family : families) {
    add_family(svg, x, y, family);
    y += kRow;
  }
  svg.add(Svg::Words{{16, bottom + 34}, caption_of(results.machine), Ink::Faint, "start", 11});
  return svg.text();
}

}  // namespace pto::jit::bench

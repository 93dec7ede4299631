#include <array>

#include "bench/report/pictures.h"
#include "bench/report/svg.h"

namespace pto::jit::bench {
namespace {

constexpr double kWidth = 860;
constexpr double kTop = 62;
constexpr double kRow = 24;
constexpr double kLeft = 330;

struct Row {
  const char* family;
  const char* name;
  const char* words;
};
constexpr std::array kRows = {
    Row{"calls", "call_empty_kernel", "call of an empty kernel"},
    Row{"lookups", "borrow/10/threads:1", "found among 10 and called"},
    Row{"lookups", "borrow_in_random_order/1000", "among 1000, in random order"},
    Row{"lookups", "borrow_in_random_order/10000", "among 10000, in random order"},
    Row{"lookups", "borrow_for_the_first_time/1000", "for the first time in a thread"},
    Row{"calls", "call_only", "8 rows of 128 B called"},
    Row{"calls", "hit_and_call", "found and called, invoke"},
    Row{"calls", "hit_owning", "found, to keep, compile"},
    Row{"compiles", "parse_text", "text parsed to a spec"},
    Row{"compiles", "verify_plan_strategy/static_shape", "spec verified, planned, strategy chosen"},
    Row{"compiles", "assemble/static_shape", "plan assembled"},
    Row{"compiles", "new/static_shape/p50", "compile, static shape, median"},
    Row{"compiles", "new/static_shape/p99", "compile, static shape, 99 of 100"},
    Row{"compiles", "new/runtime_shape/p50", "compile, runtime shape, median"},
    Row{"compiles", "llvm_from_disk", "LLVM, object on disk"},
    Row{"compiles", "llvm", "LLVM, compile"},
};

std::string time_text(double ns) {
  if (ns < 1e3) return formatted("%.3g ns", ns);
  return ns < 1e6 ? formatted("%.3g us", ns / 1e3) : formatted("%.3g ms", ns / 1e6);
}

}  // namespace

std::string calls_picture(const Results& results) {
  const double bottom = kTop + kRow * static_cast<double>(kRows.size());
  const Scale x = {.least = 0.1, .most = 1e7, .from = kLeft, .to = kWidth - 90};
  Svg svg(kWidth, bottom + 44, "What calls, lookups and compiles take");
  svg.add(Svg::Words{
      {16, 24}, "Before anything moves: calls, lookups and compiles", Ink::Text, "start", 16});
  svg.add(Svg::Words{{16, 42}, "medians, on a scale of powers of ten", Ink::Faint});
  for (double tick = x.least; tick < 2 * x.most; tick *= 10) {
    svg.add(Svg::Line{{x(tick), kTop - 8}, {x(tick), bottom}});
    svg.add(Svg::Words{{x(tick), bottom + 16}, time_text(tick), Ink::Faint, "middle"});
  }
  double y = kTop + kRow / 2;
  for (const Row& row : kRows) {
    svg.add(Svg::Words{{kLeft - 14, y + 4}, row.words, Ink::Text, "end"});
    if (const Figure* figure = results.find(row.family, row.name)) {
      const double at = x(figure->ns);
      svg.add(Svg::Dot{{at, y}, formatted("%.5g ns, ", figure->ns) + row.name, Ink::Kernel, 5});
      svg.add(Svg::Words{{at + 10, y + 4}, time_text(figure->ns)});
    } else {
      svg.add(Svg::Words{{kLeft + 10, y + 4}, "not in these results", Ink::Faint});
    }
    y += kRow;
  }
  svg.add(Svg::Words{{16, bottom + 36}, caption_of(results.machine), Ink::Faint, "start", 11});
  return svg.text();
}

std::vector<Picture> pictures() {
  return {{"ratios.svg", &ratios_picture},
          {"bandwidth.svg", &bandwidth_picture},
          {"calls.svg", &calls_picture}};
}

}  // namespace pto::jit::bench

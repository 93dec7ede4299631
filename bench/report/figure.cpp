#include "bench/report/figure.h"

namespace pto::jit::bench {

const Opponent* Figure::find(std::string_view letter) const {
  for (const Opponent& one : opponents) {
    if (one.letter == letter) return &one;
  }
  return nullptr;
}

const Opponent* Figure::best() const {
  const Opponent* out = nullptr;
  for (const Opponent& one : opponents) {
    if (!one.does_the_same || one.letter == "K" || one.letter == "G") continue;
    if (out == nullptr || one.ns < out->ns) out = &one;
  }
  return out != nullptr ? out : find("K");
}

double value_of(const Figure& figure) {
  const Opponent* best = figure.best();
  return best != nullptr ? best->ns / figure.ns : figure.ns;
}

}  // namespace pto::jit::bench

// A figure: how long something takes, and how long others take for the same. Every line of the
// table, every dot of a picture and every entry of a file of results is one.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace pto::jit::bench {

// Times are nanoseconds a call.
struct Opponent {
  std::string letter;  // S, D, R, L or K: see docs/performance.md
  std::string is;      // the compiler, the kind of limit, the spec of the sibling
  double ns = 0;
  bool does_the_same = true;  // most limits do less

  bool operator==(const Opponent&) const = default;
};

// Cells want their opponent's time to be so many times their own, at least; calls want so many
// nanoseconds, at most.
struct GoalFigure {
  int number = 0;
  std::string against;  // letters, or "ns" and what it is over
  double wanted = 0;
  double found = 0;
  bool is_met = false;

  bool operator==(const GoalFigure&) const = default;
};

struct Figure {
  std::string family;
  std::string name;
  std::string spec;  // of a cell
  std::string home;  // of a cell
  double ns = 0;
  double spread = 0;  // distance of the quartiles, relative, of what is compared: see value_of
  double units = 1;   // indices, or elements where there are none
  double bytes = 0;   // moved
  std::vector<Opponent> opponents;
  std::vector<GoalFigure> goals;

  bool operator==(const Figure&) const = default;

  const Opponent* find(std::string_view letter) const;

  // The fastest that does the same and is no kernel of ours; with none the sibling.
  const Opponent* best() const;
};

// What is held against other runs: times as fast as the best opponent, as both are taken in turns.
// Without an opponent the nanoseconds.
double value_of(const Figure& figure);

// As printf does.
template <class... Values>
std::string formatted(const char* format, Values... values) {
  char text[512];
  std::snprintf(text, sizeof text, format, values...);
  return text;
}

}  // namespace pto::jit::bench

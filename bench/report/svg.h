// A small writer of pictures: axes, marks and words, readable in light and in dark. A mark carries
// the figure it stands for as its title, which browsers show under the pointer.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bench/report/results.h"

namespace pto::jit::bench {

struct Point {
  double x = 0;
  double y = 0;
};

// Values to places; places of a logarithmic scale are as far apart as their quotients.
struct Scale {
  double least = 1;
  double most = 10;
  double from = 0;  // the place of `least`
  double to = 100;

  double operator()(double value) const;  // of logarithms; outside values go to the ends
};

// Colours, by what they stand for.
enum class Ink : unsigned char { Text, Faint, Kernel, Static, Copy };

class Svg {
 public:
  Svg(double width, double height, std::string_view description);

  struct Words {
    Point at;
    std::string text;
    Ink ink = Ink::Text;
    const char* anchor = "start";
    double size = 12;
  };
  void add(const Words& words);

  struct Line {
    Point from;
    Point to;
    Ink ink = Ink::Faint;
    double width = 1;
    const char* dashes = "";
  };
  void add(const Line& line);

  struct Dot {
    Point at;
    std::string title;
    Ink ink = Ink::Kernel;
    double radius = 3;
  };
  void add(const Dot& dot);

  void add_path(const std::vector<Point>& points, Ink ink);

  std::string text() const { return text_ + "</svg>\n"; }

 private:
  std::string text_;
};

// The line at the bottom: where the figures were taken.
std::string caption_of(const Machine& machine);

}  // namespace pto::jit::bench

// Figures as a table for people.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "bench/report/results.h"

namespace pto::jit::bench {

// The machine in a line.
std::string text_of(const Machine& machine);

// A line a figure; per family the geometric means, per goal how often it was met, how many figures
// are steady and how many cells are behind.
void print_table(std::ostream& out, const Results& results);

// Whether a cell is slower than the best that does the same, by more than its spread.
bool is_behind(const Figure& figure);

// The geometric mean; 0 of nothing.
double mean_of(const std::vector<double>& ratios);

// How many times the kernel's time an opponent takes, over the figures that have it.
std::vector<double> ratios_to(const std::vector<const Figure*>& figures, std::string_view letter);

// In the order in which families first come.
std::vector<std::vector<const Figure*>> by_family(const Results& results);

}  // namespace pto::jit::bench

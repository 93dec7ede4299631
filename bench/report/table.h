// Figures as a table for people.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "bench/report/results.h"

namespace pto::jit::bench {

// The machine in a line.
std::string text_of(const Machine& machine);

void print_header(std::ostream& out, const Machine& machine);
void print_line(std::ostream& out, const Figure& figure);

// Per family the geometric means, per goal how often it was met, and how many figures are steady.
void print_summary(std::ostream& out, const Results& results);

// The geometric mean; 0 of nothing.
double mean_of(const std::vector<double>& ratios);

// How many times the kernel's time an opponent takes, over the figures that have it.
std::vector<double> ratios_to(const std::vector<const Figure*>& figures, std::string_view letter);

// In the order in which families first come.
std::vector<std::vector<const Figure*>> by_family(const Results& results);

}  // namespace pto::jit::bench

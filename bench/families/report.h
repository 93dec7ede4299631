// Figures as a table for people and as JSON for programs.
#pragma once

#include <iosfwd>
#include <vector>

#include "bench/families/calls.h"
#include "bench/families/contest.h"

namespace pto::jit::bench {

// What the host's start-up measurement and CPUID say, on which strategies depend.
std::string host_line();

void print_header(std::ostream& out);
void print_line(std::ostream& out, const CellFigures& figures);

// Per family the geometric means, per goal how often it was met.
void print_summary(std::ostream& out, const std::vector<CellFigures>& all);

void print_calls(std::ostream& out, const std::vector<CallFigure>& calls);

void print_json(std::ostream& out, const std::vector<CellFigures>& all,
                const std::vector<CallFigure>& calls);

}  // namespace pto::jit::bench

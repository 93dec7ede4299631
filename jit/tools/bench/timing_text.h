// What was timed, for people and for programs.
#pragma once

#include <string>
#include <vector>

#include "jit/tools/bench/kernel_timing.h"

namespace pto::jit::cli {

struct TimedRow {
  std::string spec;  // with the values it was timed at
  KernelTiming timing;
};

struct TimedTable {
  std::string spec;
  std::string strategy;
  TimingWish wish;
  std::vector<TimedRow> rows;  // at least one
};

std::string as_text(const TimedTable& table);
std::string as_csv(const TimedTable& table);

// A field of a line of CSV.
std::string quoted(const std::string& text);

// One row: an object; more: an object whose "rows" has them.
std::string as_json(const TimedTable& table);

}  // namespace pto::jit::cli

// What was timed of Spatter's work, for people and for programs.
#pragma once

#include <string>
#include <vector>

#include "jit/tools/bench/spatter_timing.h"

namespace pto::jit::cli {

struct SpatterResult {
  SpatterRun run;
  std::vector<SpatterFigure> figures;
};

std::string as_text(const std::vector<SpatterResult>& results, std::uint32_t repetitions);
std::string as_csv(const std::vector<SpatterResult>& results);
std::string as_json(const std::vector<SpatterResult>& results);

}  // namespace pto::jit::cli

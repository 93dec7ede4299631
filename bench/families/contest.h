// From a cell to a figure: contestants that provably do the same, timed in turns.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "bench/families/contestants.h"
#include "ir/result.h"

namespace pto::jit::bench {

std::string name_of(const Cell& cell);

// A contestant whose result differs from the kernel's is an error.
Result<Done> check_contest(const Cell& cell);

// One pass, with the best time of every contestant, and what is wanted of the cell.
Result<nlohmann::ordered_json> time_contest(const Cell& cell, const Effort& effort);

}  // namespace pto::jit::bench

// A runtime extent that takes one value after the other.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ir/result.h"
#include "targets/binding.h"

namespace pto::jit::cli {

struct Sweep {
  std::string name = {};  // none: no sweep
  std::int64_t from = 0;
  std::int64_t to = 0;
};

// "table.d3=1K..64M".
Result<Sweep> parse_sweep(const std::string& text);

// What is bound at each point: the extent doubled from one end to the other. Without a sweep one
// point that binds nothing.
Result<std::vector<std::vector<Binding>>> points_of(const Sweep& sweep, const KernelSpec& spec);

}  // namespace pto::jit::cli

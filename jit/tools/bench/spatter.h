// Spatter's descriptions of work: a pattern of indices, moved again and again, each time `delta`
// elements further on. Its pattern strings and its JSON files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ir/result.h"

namespace pto::jit::cli {

struct SpatterRun {
  enum class Kind : std::uint8_t { Gather, Scatter };
  std::string name;  // for people
  Kind kind = Kind::Gather;
  std::vector<std::uint64_t> pattern = {};
  std::uint64_t delta = 8;
  std::uint64_t count = 1024;  // how often the pattern is moved
  std::uint64_t wrap = 1;      // after so many patterns the dense side begins again

  // Elements of the sparse side.
  std::uint64_t sparse_size() const;
};

// What the command line says of one run.
struct SpatterOptions {
  std::string name = {};  // none: the pattern's text
  std::string kernel = "Gather";
  std::string pattern = {};
  std::optional<std::uint64_t> delta = {};
  std::optional<std::uint64_t> count = {};
  std::optional<std::uint64_t> wrap = {};
};

// "UNIFORM:8:4", "UNIFORM:8:4:NR", "MS1:8:4:32", "LAPLACIAN:2:1:100", "0,4,8,12".
Result<SpatterRun> make_spatter_run(const SpatterOptions& options);

// The runs of a JSON file's text. A field that has no meaning here is refused by its name.
Result<std::vector<SpatterRun>> parse_spatter_file(const std::string& text);

}  // namespace pto::jit::cli

// Cells: what a choice of specs must reach to stand for all of them, as words such as "tscatter
// bf16" or "table nz". A spec that brings a new word is worth taking.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "ir/spec.h"
#include "tests/support/grid.h"

namespace pto::jit::tests {

std::vector<std::string> cells_of(const KernelSpec& spec);

class Cells {
 public:
  // Notes the words of a spec; whether one of them was new.
  bool add(const KernelSpec& spec);

  std::size_t count() const { return words_.size(); }
  bool operator==(const Cells&) const = default;

 private:
  std::set<std::string> words_;
};

// Every `every`th case, and each case that brings a new word.
std::vector<GridCase> chosen_cases(const std::vector<GridCase>& grid, std::size_t every);

// The runnable grid in the size of this run: all of it, or `chosen_cases` where samples are short.
std::vector<GridCase> sampled_grid(std::size_t every);

}  // namespace pto::jit::tests

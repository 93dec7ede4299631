// The pictures that are made of a file of results.
#pragma once

#include <string>
#include <vector>

#include "bench/report/results.h"

namespace pto::jit::bench {

// A dot a cell, a row a family: how many times as fast as its best opponent.
std::string ratios_picture(const Results& results);

// B/ns against the table's size, with the caches' sizes: family `sizes`.
std::string bandwidth_picture(const Results& results);

// From the call of an empty kernel to a compile by LLVM.
std::string calls_picture(const Results& results);

struct Picture {
  const char* file;
  std::string (*draw)(const Results&);
};
std::vector<Picture> pictures();

}  // namespace pto::jit::bench

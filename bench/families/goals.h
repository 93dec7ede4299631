// The goals of docs/performance.md, cell by cell.
#pragma once

#include <cstdint>

#include "bench/families/cell.h"
#include "bench/report/figure.h"

namespace pto::jit::bench {

// Gives a cell's figure the goals that the cell has.
void judge(const Cell& cell, Figure& figure);

// What L is for a cell.
enum class Limit : std::uint8_t { None, OnePiece, StringMove, Libc, Loads, Stores, Fill, Copy };

Limit limit_of(const Cell& cell);

}  // namespace pto::jit::bench

// Functions in C++ that do what a cell's kernel does.
#pragma once

#include <string_view>
#include <vector>

#include "bench/families/cell.h"

namespace pto::jit::bench {

// tile, index, table: as Frame names them. A group copy gets the list of destinations as its table.
using Move = void (*)(void* tile, const void* index, void* table);

// Compiled for one cell, in one of the forms that the work can be written in.
struct StaticMove {
  std::string_view compiler;  // and form
  const Cell* cell;
  Move move;
};

// By all compilers, for all cells.
const std::vector<StaticMove>& static_moves();

// R: the same work with every choice made while it runs.
void move_dispatched(const KernelSpec& spec, void* tile, const void* index, void* table);

}  // namespace pto::jit::bench

// The static moves of one policy, by one compiler. The build compiles this file for each pair of
// them: PTOJIT_OOB and PTOJIT_COMPILER tell which, PTOJIT_LIST names the function that lists them.
#include "bench/families/static_moves.h"

#include <utility>

#include "bench/families/cells.h"
#include "bench/families/moves.h"

namespace pto::jit::bench {
namespace {

template <std::size_t kAt>
void add_one(std::vector<StaticMove>& out) {
  constexpr KernelSpec kSpec = kCells.cells[kAt].spec;
  const Cell* cell = &kCells.cells[kAt];
  if constexpr (kSpec.oob == Oob::PTOJIT_OOB) {
    out.push_back({PTOJIT_COMPILER, cell, static_move_of<kSpec>()});
    if constexpr (kHasCopies<kSpec>) {
      out.push_back({PTOJIT_COMPILER ", copies", cell, &copy_rows<kSpec>});
    }
    if constexpr (kHasSpares<kSpec>) {
      out.push_back({PTOJIT_COMPILER ", spares", cell, move_with_spares<kSpec>()});
    }
    if constexpr (kSpec.op == Op::TScatterMask) {
      out.push_back({PTOJIT_COMPILER ", clears", cell, &fill_and_place<kSpec>});
    }
  }
}

template <std::size_t... kAt>
std::vector<StaticMove> list(std::index_sequence<kAt...>) {
  std::vector<StaticMove> out;
  for (void (*add)(std::vector<StaticMove>&) : {&add_one<kAt>...}) add(out);
  return out;
}

}  // namespace

std::vector<StaticMove> PTOJIT_LIST();
std::vector<StaticMove> PTOJIT_LIST() { return list(std::make_index_sequence<kCells.count>()); }

}  // namespace pto::jit::bench

// Rivals of one policy, by one compiler. The build compiles this file for each pair of them, with
// PTOJIT_RIVAL_OOB and PTOJIT_RIVAL_COMPILER telling which.
#include "bench/families/rival.h"

#include <utility>

#include "bench/families/cells.h"
#include "bench/families/rivals.h"

namespace pto::jit::bench {
namespace {

template <std::size_t kAt>
void add_one() {
  constexpr KernelSpec kSpec = kCells.cells[kAt].spec;
  const Cell* cell = &kCells.cells[kAt];
  if constexpr (kSpec.oob == Oob::PTOJIT_RIVAL_OOB) {
    rivals().push_back({PTOJIT_RIVAL_COMPILER, Form::Best, cell, rival_of<kSpec>()});
    if constexpr (kHasCopies<kSpec>) {
      rivals().push_back({PTOJIT_RIVAL_COMPILER ", copies", Form::Best, cell, &copy_rows<kSpec>});
    }
    if constexpr (kSpec.op == Op::TScatterMask) {
      rivals().push_back({PTOJIT_RIVAL_COMPILER, Form::Literal, cell, &fill_and_place<kSpec>});
    }
  }
}

template <std::size_t... kAt>
bool add_all(std::index_sequence<kAt...>) {
  for (void (*add)() : {&add_one<kAt>...}) add();
  return true;
}

[[maybe_unused]] const bool kAdded = add_all(std::make_index_sequence<kCells.count>());

}  // namespace
}  // namespace pto::jit::bench

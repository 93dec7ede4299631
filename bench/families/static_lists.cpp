// The lists of static moves that the build compiles static_moves.cpp into, put together. It writes
// a line PTOJIT_LIST(name) for each into the file PTOJIT_LISTS.
#include "bench/families/moves.h"

namespace pto::jit::bench {

#define PTOJIT_LIST(name) std::vector<StaticMove> name();
#include PTOJIT_LISTS
#undef PTOJIT_LIST

const std::vector<StaticMove>& static_moves() {
  static const std::vector<StaticMove> kAll = [] {
    std::vector<StaticMove> out;
#define PTOJIT_LIST(name) \
  for (const StaticMove& one : name()) out.push_back(one);
#include PTOJIT_LISTS
#undef PTOJIT_LIST
    return out;
  }();
  return kAll;
}

}  // namespace pto::jit::bench

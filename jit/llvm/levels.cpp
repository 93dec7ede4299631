#include "jit/llvm/levels.h"

namespace pto::jit::llvm_backend {

Position Levels::stepped(const Position& from, const Level& level, Value count) const {
  const auto scaled = [&](Value step) { return f_.mul(step, count); };
  Position out;
  if (from.index) out.index = f_.moved(from.index, scaled(f_.number(level.index_step)));
  out.tile = f_.moved(from.tile, scaled(amounts_[level.tile_step]));
  if (from.table) out.table = f_.add(from.table, scaled(amounts_[level.table_step]));
  return out;
}

}  // namespace pto::jit::llvm_backend

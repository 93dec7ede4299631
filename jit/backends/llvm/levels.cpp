#include "jit/backends/llvm/levels.h"

namespace pto::jit::llvm_backend {

Position Levels::stepped(const Position& from, const Level& level, Value count) const {
  const auto scaled = [&](Value step) { return f_.mul(step, count); };
  Position out;
  if (from.index) out.index = f_.moved(from.index, scaled(f_.number(level.index_step)));
  out.tile = f_.moved(from.tile, scaled(amounts_[level.tile_step]));
  if (from.table) out.table = f_.add(from.table, scaled(amounts_[level.table_step]));
  return out;
}

Levels::Rows Levels::joined(const Level& level, Value count) const {
  const Level& within = innermost(plan_);
  const Value columns = amounts_[within.extent];
  const auto is_filled = [&](Value step, Value whole) {
    return f_.is_equal(f_.mul(step, columns), whole);
  };
  const Value is_tile = is_filled(amounts_[within.tile_step], amounts_[level.tile_step]);
  const Value is_other = plan_.has_index()
                             ? is_filled(f_.number(within.index_step), f_.number(level.index_step))
                             : is_filled(amounts_[within.table_step], amounts_[level.table_step]);
  const Value is_one = f_.both(is_tile, is_other);
  return {f_.choose(is_one, f_.number(1), count),
          f_.choose(is_one, f_.mul(count, columns), columns)};
}

}  // namespace pto::jit::llvm_backend

#include "ir/storage.h"

#include <algorithm>

#include "ir/interpreter.h"
#include "ir/quantity.h"

namespace pto::jit {

std::int64_t storage_bytes(const KernelSpec& bound, Role role, const KernelPlan& plan,
                           const Frame& frame) {
  if (is_tile(role)) return tile_bytes(tile_of(bound, role));
  const Table& table = table_of(bound, role);
  const std::int64_t named = saturating_product(span_of(table).value, size_of(table.dtype));
  return role == Role::Table ? std::max(named, table_reach(plan, frame)) : named;
}

}  // namespace pto::jit

// What an audited kernel reports about its index tile: indices out of range, and slots with more
// than one writer.
#include <cstdint>
#include <optional>
#include <unordered_set>

#include "tests/model/addressing.h"
#include "tests/model/model.h"

namespace pto::jit::model {
namespace {

struct Extents {
  std::int64_t rows;
  std::int64_t cols;
};

// The part of the index tile a kernel reads: one index for each row, element or block moved.
Extents walked_region(const KernelSpec& spec) {
  if (moves_rows(spec)) return {spec.data.vr, 1};
  if (spec.op == Op::TGatherB) return {spec.index.vr, spec.index.vc};
  return {spec.data.vr, spec.data.vc};
}

bool is_scatter(const KernelSpec& spec) {
  return spec.op == Op::MScatter || spec.op == Op::TScatter;
}

bool is_out_of_bounds(const KernelSpec& spec, std::int64_t raw) {
  if (spec.op == Op::TGatherB) return raw > last_unit_offset(spec);
  return raw >= capacity_of(spec);
}

void count(std::int64_t& total, std::int64_t& first, std::int64_t position) {
  if (total == 0) first = position;
  ++total;
}

}  // namespace

// A slot counts after clamp and wrap, which bring every index into range.
AuditReport audit(const KernelSpec& bound, const Memory& memory) {
  KernelSpec spec = bound;
  spec.audit = true;
  AuditReport report;
  std::unordered_set<std::int64_t> written;
  const Extents region = walked_region(spec);
  for (std::int64_t r = 0; r < region.rows; ++r) {
    for (std::int64_t c = 0; c < region.cols; ++c) {
      const std::int64_t position = r * region.cols + c;
      const std::uint32_t raw = index_at(spec, memory.index, r, c);
      if (is_out_of_bounds(spec, raw)) {
        count(report.out_of_bounds, report.first_out_of_bounds, position);
      }
      if (!is_scatter(spec)) continue;
      const std::optional<std::int64_t> slot = resolve(spec, raw);
      if (slot && !written.insert(*slot).second) {
        count(report.collisions, report.first_collision, position);
      }
    }
  }
  return report;
}

}  // namespace pto::jit::model

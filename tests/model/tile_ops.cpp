// The tile-to-tile forms: TSCATTER by index and by mask, TGATHERB by byte offset.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>

#include "tests/model/addressing.h"
#include "tests/model/operations.h"

namespace pto::jit::model {
namespace {

// Elements or blocks in one row of the destination.
std::int64_t units_per_row(const KernelSpec& spec) {
  if (spec.unit == Unit::Element) return spec.data.vc;
  return spec.data.vc * size_of(spec.data.dtype) / kBlockBytes;
}

// Where unit `k` of row `r` of the destination begins, in bytes.
std::int64_t unit_offset(const KernelSpec& spec, std::int64_t r, std::int64_t k) {
  const std::int64_t size = size_of(spec.data.dtype);
  if (spec.unit == Unit::Element) return offset_in(spec.data, r, k) * size;
  return r * spec.data.cols * size + k * kBlockBytes;
}

}  // namespace

// The index is a flat offset into the destination's storage. The NPUs clear all of it first.
void scatter_to_tile(const KernelSpec& spec, const Memory& memory) {
  if (spec.target != Target::Cpu) clear(spec.store, memory.store);
  for (std::int64_t r = 0; r < spec.data.vr; ++r) {
    for (std::int64_t c = 0; c < spec.data.vc; ++c) {
      const std::optional<std::int64_t> slot = resolve(spec, index_at(spec, memory.index, r, c));
      if (!slot) continue;
      const DType dtype = spec.data.dtype;
      save(memory.store, *slot, dtype, load(memory.data, offset_in(spec.data, r, c), dtype));
    }
  }
}

// P1111 is a plain move and clears nothing.
void expand_by_mask(const KernelSpec& spec, const Memory& memory) {
  const MaskShape lanes = shape_of(spec.mask);
  if (spec.mask != MaskPattern::P1111) clear(spec.store, memory.store);
  for (std::int64_t r = 0; r < spec.data.vr; ++r) {
    for (std::int64_t c = 0; c < spec.data.vc; ++c) {
      const DType dtype = spec.data.dtype;
      const std::int64_t at = offset_in(spec.store, r, lanes.factor * c + lanes.position);
      save(memory.store, at, dtype, load(memory.data, offset_in(spec.data, r, c), dtype));
    }
  }
}

// The cpu target reads the last whole unit instead of leaving the source. Elsewhere only an audited
// kernel looks, and then leaves the destination.
void gather_by_bytes(const KernelSpec& spec, const Memory& memory) {
  const std::int64_t last = last_unit_offset(spec);
  for (std::int64_t r = 0; r < spec.data.vr; ++r) {
    for (std::int64_t k = 0; k < units_per_row(spec); ++k) {
      std::int64_t offset = load(memory.index, offset_in(spec.index, r, k), spec.index.dtype);
      if (spec.target == Target::Cpu) offset = std::min(offset, last);
      if (spec.audit && offset > last) continue;
      std::memcpy(memory.data + unit_offset(spec, r, k), memory.store + offset,
                  static_cast<std::size_t>(unit_bytes(spec)));
    }
  }
}

}  // namespace pto::jit::model

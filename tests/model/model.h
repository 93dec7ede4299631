// The reference model: what every kernel must do to memory, in plain loops that follow the written
// semantics and nothing else. Tests compare generated code with it, so it shares only the spec.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ir/spec.h"

namespace pto::jit::model {

// Storage of the operands, by role, as in KernelSpec. Unused ones are null.
struct Memory {
  std::byte* data = nullptr;         // the data tile: src of scatters, dst of gathers
  const std::byte* index = nullptr;  // the index or offset tile
  std::byte* store = nullptr;        // the addressed tile: dst of tscatter, src of tgatherb
  std::byte* table = nullptr;        // the addressed table; communication: the root's source
  std::vector<std::byte*> ranks;     // communication: each rank's destination
};

// `bound` is legal for its target and has no runtime entry left; extents read at invocation may be
// zero. An audited spec never touches what an out-of-range index names.
void run(const KernelSpec& bound, const Memory& memory);

// Positions are row-major flat indices over the walked region of the index tile, -1 when there is
// none. A collision is an in-range write to a slot that an earlier position has written.
struct AuditReport {
  std::int64_t out_of_bounds = 0;
  std::int64_t first_out_of_bounds = -1;
  std::int64_t collisions = 0;
  std::int64_t first_collision = -1;

  bool operator==(const AuditReport&) const = default;
};

// What an audited kernel reports. Only the index tile is read.
AuditReport audit(const KernelSpec& bound, const Memory& memory);

}  // namespace pto::jit::model

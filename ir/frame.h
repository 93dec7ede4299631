// The call frame: what every kernel is called with, whoever made its code. Offsets are part of the
// kernel ABI.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "ir/operands.h"
#include "ir/spec.h"

namespace pto::jit {

// What an audited kernel found. Positions are row-major flat indices; -1 when there is none.
struct AuditReport {
  std::int64_t out_of_bounds = 0;
  std::int64_t first_out_of_bounds = -1;
  std::int64_t collisions = 0;
  std::int64_t first_collision = -1;

  bool operator==(const AuditReport&) const = default;
};

struct Frame {
  void* tile = nullptr;          // the walked side: the data tile; communication: the root's source
  const void* index = nullptr;   // indices or byte offsets
  void* table = nullptr;         // the addressed side: the table or the store tile
  void* const* ranks = nullptr;  // communication: each rank's destination
  AuditReport* report = nullptr;
  void* scratch = nullptr;
  std::array<std::int64_t, kDims>
      extents{};  // by Dim; those the plan does not read may be anything
};

static_assert(offsetof(Frame, tile) == 0 && offsetof(Frame, index) == 8);
static_assert(offsetof(Frame, table) == 16 && offsetof(Frame, ranks) == 24);
static_assert(offsetof(Frame, report) == 32 && offsetof(Frame, scratch) == 40);
static_assert(offsetof(Frame, extents) == 48);

// Every extent and stride of a spec whose runtime dimensions are bound; packed strides worked out.
std::array<std::int64_t, kDims> extents_of(const KernelSpec& bound);

// Sets the frame's pointer for an operand other than a rank's destination.
void set_buffer(Frame& frame, Op op, Role role, void* storage);

}  // namespace pto::jit

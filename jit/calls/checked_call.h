// The checked call: buffers described by their owner are held against the spec before anything
// runs.
#pragma once

#include <cstdint>
#include <span>

#include "ir/frame.h"
#include "ir/result.h"
#include "jit/calls/buffer_view.h"
#include "jit/calls/parallel/parallel.h"
#include "jit/compile/compile.h"
#include "targets/binding.h"

namespace pto::jit {

struct CallArguments {
  std::span<const BufferView> buffers;  // all operands but a stage, in any order
  std::span<const Binding> bindings{};  // for runtime dimensions no shape tells
  std::int32_t rank = -1;               // the caller's rank in a group; -1: the root
  AuditReport* report = nullptr;        // where an audited kernel (`.audit`) tells what it found
  Parallel parallel = {};               // by several threads, with the same result
};

// Where a position of an AuditReport lies in the index tile. Positions count the valid region row
// by row, whatever the tile's layout; `index` is the tile with its runtime extents bound.
struct TilePlace {
  std::int64_t row = 0;
  std::int64_t col = 0;

  bool operator==(const TilePlace&) const = default;
};

constexpr TilePlace place_in(const Tile& index, std::int64_t position) {
  if (index.vc <= 0) return {};
  return {position / index.vc, position % index.vc};
}

// Checks dtype, shape, strides, size, alignment, overlap, runtime extents and, where no policy
// answers them, indices, of which it takes a copy; then compiles (or finds) the kernel and calls
// it. Nothing has been touched when it fails.
Result<Done> call(const KernelSpec& spec, const CallArguments& arguments,
                  const CompileOptions& options = {});

}  // namespace pto::jit

// Text for A5: lanes of the vector pipe write, through the data cache.
#include "targets/a5/a5.h"

namespace pto::jit {
namespace {

SyncPlan waits(SyncShape shape) {
  constexpr Sync kLoaded = flag(Pipe::Load, Pipe::Vector);
  constexpr Sync kWritten = flag(Pipe::Vector, Pipe::Store);
  switch (shape) {
    case SyncShape::ScatterRow:
    case SyncShape::ScatterElem: return {{kLoaded}, {}, {kBarrier, kWritten, kFlush}};
    case SyncShape::TileScatter:
    case SyncShape::Gather:
    case SyncShape::TileGather: return {{kLoaded}, {kWritten}, {}};
    case SyncShape::WrittenOut:
      return {{flag(Pipe::Load, Pipe::Scalar)}, {flag(Pipe::Scalar, Pipe::Store)}, {}};
    case SyncShape::Group: return {{}, {}, {kBarrier}};
  }
  return {};
}

// One element is not worth a launch.
ExpandedBody body(const KernelSpec& spec) {
  const bool is_single = spec.coalesce == Coalesce::Elem && spec.data.vr == 1 && spec.data.vc == 1;
  ExpandedBody out;
  out.means = is_single ? Means::Scalars : Means::Lanes;
  out.has_atomics = true;
  out.enter = {flag(Pipe::Load, Pipe::Vector)};
  if (is_single) out.enter.push_back(flag(Pipe::Vector, Pipe::Scalar));
  if (is_single) out.leave = {flag(Pipe::Scalar, Pipe::Vector)};
  return out;
}

}  // namespace

constinit const Dialect kA5Dialect = {
    .compile_flags = "-xcce -O2 -std=c++17 --cce-aicore-arch=dav-c310-vec -DREGISTER_BASE",
    .host_flags = "-DREGISTER_BASE",
    .waits = waits,
    .body = body,
    .has_conflict = true,
    .has_lanes = true,
    .pairs_runtime_extents = true,
    .assembler = {.arch = "a5", .tile_bytes = 248 * 1024, .pairs_runtime_extents = true},
};

}  // namespace pto::jit

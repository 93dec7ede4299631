// What the text of each device does differently: its flags, its template arguments, its waits.
#include "targets/source_parts.h"

namespace pto::jit {
namespace {

constexpr std::array<Dialect, kTargets> kDialects = {{
    {.compile_flags = "-std=c++17 -O2 -D__CPU_SIM",
     .places_tiles = false,
     .has_policies = false,
     .gathers_elements = true},
    {.compile_flags = "-xcce -O2 -std=c++17 --cce-aicore-arch=dav-c220-vec -DMEMORY_BASE",
     .host_flags = "-DMEMORY_BASE"},
    {.compile_flags = "-xcce -O2 -std=c++17 --cce-aicore-arch=dav-c310-vec -DREGISTER_BASE",
     .host_flags = "-DREGISTER_BASE",
     .has_conflict = true,
     .has_lanes = true,
     .pairs_runtime_extents = true},
}};

constexpr Sync flag(Pipe from, Pipe to) { return {SyncKind::Flag, from, to}; }
constexpr Sync kBarrier = {SyncKind::Barrier, Pipe::Scalar, Pipe::Scalar};
constexpr Sync kFlush = {SyncKind::Flush, Pipe::Scalar, Pipe::Scalar};
constexpr Sync kLoaded = flag(Pipe::Load, Pipe::Vector);
constexpr Sync kLoadedForScalar = flag(Pipe::Load, Pipe::Scalar);

// The scalar pipe walks, so its waits and those of the store path come last.
SyncPlan syncs_in_order(SyncShape shape) {
  switch (shape) {
    case SyncShape::ScatterRow: return {{kLoaded}, {}, {flag(Pipe::Store, Pipe::Scalar), kBarrier}};
    case SyncShape::ScatterElem:
      return {{kLoaded}, {}, {flag(Pipe::Store, Pipe::Scalar), kBarrier, kFlush}};
    case SyncShape::TileScatter:
      return {{kLoadedForScalar, flag(Pipe::Vector, Pipe::Scalar)},
              {flag(Pipe::Scalar, Pipe::Store)},
              {}};
    case SyncShape::Gather:
    case SyncShape::TileGather: return {{kLoaded}, {flag(Pipe::Vector, Pipe::Store)}, {}};
    case SyncShape::WrittenOut: return {{kLoadedForScalar}, {flag(Pipe::Scalar, Pipe::Store)}, {}};
    case SyncShape::Group: return {};
  }
  return {};
}

// Lanes of the vector pipe write, through the data cache.
SyncPlan syncs_by_lanes(SyncShape shape) {
  switch (shape) {
    case SyncShape::ScatterRow:
    case SyncShape::ScatterElem:
      return {{kLoaded}, {}, {kBarrier, flag(Pipe::Vector, Pipe::Store), kFlush}};
    case SyncShape::TileScatter:
    case SyncShape::Gather:
    case SyncShape::TileGather: return {{kLoaded}, {flag(Pipe::Vector, Pipe::Store)}, {}};
    case SyncShape::WrittenOut: return syncs_in_order(shape);
    case SyncShape::Group: return {};
  }
  return {};
}

SyncPlan no_syncs(SyncShape) { return {}; }

constexpr std::array<SyncPlan (*)(SyncShape), kTargets> kSyncs = {no_syncs, syncs_in_order,
                                                                  syncs_by_lanes};

}  // namespace

const Dialect& dialect_of(Target target) { return kDialects[static_cast<std::size_t>(target)]; }

SyncPlan syncs_of(Target target, SyncShape shape) {
  return kSyncs[static_cast<std::size_t>(target)](shape);
}

}  // namespace pto::jit

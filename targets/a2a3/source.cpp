// Text for A2/A3: the scalar pipe walks, so its waits and those of the store path come last.
#include "targets/a2a3/a2a3.h"

namespace pto::jit {
namespace {

SyncPlan waits(SyncShape shape) {
  constexpr Sync kLoaded = flag(Pipe::Load, Pipe::Vector);
  constexpr Sync kLoadedForScalar = flag(Pipe::Load, Pipe::Scalar);
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
    case SyncShape::Group: return {{}, {}, {kBarrier}};
  }
  return {};
}

// Bodies wait as the instructions do inside. The store path adds without waiting for each burst.
ExpandedBody scatter_rows(bool adds) {
  ExpandedBody out;
  out.means = Means::Bursts;
  out.enter = {flag(Pipe::Vector, Pipe::Scalar), flag(Pipe::Load, Pipe::Scalar)};
  out.start = {flag(Pipe::Scalar, Pipe::Store)};
  (adds ? out.reset : out.each) = {flag(Pipe::Store, Pipe::Scalar)};
  if (adds) out.leave = {flag(Pipe::Scalar, Pipe::Vector), flag(Pipe::Scalar, Pipe::Load)};
  out.leave.insert(out.leave.end(),
                   {flag(Pipe::Store, Pipe::Vector), flag(Pipe::Store, Pipe::Load)});
  return out;
}

ExpandedBody gather_rows() {
  ExpandedBody out;
  out.means = Means::Bursts;
  out.enter = {flag(Pipe::Vector, Pipe::Scalar), flag(Pipe::Store, Pipe::Scalar),
               flag(Pipe::Load, Pipe::Scalar)};
  out.leave = {flag(Pipe::Scalar, Pipe::Load), flag(Pipe::Load, Pipe::Vector),
               flag(Pipe::Load, Pipe::Store), flag(Pipe::Scalar, Pipe::Vector),
               flag(Pipe::Scalar, Pipe::Store)};
  return out;
}

ExpandedBody elements() {
  ExpandedBody out;
  out.enter = {flag(Pipe::Vector, Pipe::Scalar), flag(Pipe::Store, Pipe::Scalar),
               flag(Pipe::Load, Pipe::Scalar)};
  out.leave = {flag(Pipe::Scalar, Pipe::Vector), flag(Pipe::Scalar, Pipe::Load),
               flag(Pipe::Scalar, Pipe::Store)};
  return out;
}

ExpandedBody body(const KernelSpec& spec) {
  if (spec.coalesce == Coalesce::Elem) return elements();
  const bool gathers = is_tile(written_role(spec.op));
  return gathers ? gather_rows() : scatter_rows(spec.atomic == Atomic::Add);
}

}  // namespace

constinit const Dialect kA2A3Dialect = {
    .compile_flags = "-xcce -O2 -std=c++17 --cce-aicore-arch=dav-c220-vec -DMEMORY_BASE",
    .host_flags = "-DMEMORY_BASE",
    .waits = waits,
    .body = body,
    .gathers_by_eights = true,
    .assembler = {.arch = "a3", .tile_bytes = 192 * 1024, .offset_group = 8},
};

}  // namespace pto::jit

// What the text for one device does differently: its flags, template arguments, waits and bodies,
// and what the PTO assembler knows of it.
#pragma once

#include <cstdint>
#include <string_view>

#include "ir/spec.h"
#include "targets/source_plan.h"

namespace pto::jit {

constexpr Sync flag(Pipe from, Pipe to) { return {SyncKind::Flag, from, to}; }
inline constexpr Sync kBarrier = {SyncKind::Barrier, Pipe::Scalar, Pipe::Scalar};
inline constexpr Sync kFlush = {SyncKind::Flush, Pipe::Scalar, Pipe::Scalar};

// How a kernel waits: the same for all kernels of one shape.
enum class SyncShape : std::uint8_t {
  ScatterRow,
  ScatterElem,
  Gather,
  TileScatter,
  TileGather,  // of blocks, by the instruction
  WrittenOut,  // by scalar accesses in the text
  Group,
};

struct SyncPlan {
  Syncs before;  // between the loads and the call
  Syncs after;   // between the call and the store
  Syncs last;
};

// Facts about the PTO assembler 0.60 as its public sources state them.
struct AssemblerDialect {
  std::string_view arch{};             // the target's name there; empty: it has none
  std::int64_t tile_bytes = 0;         // local memory it places tiles in
  std::int64_t offset_group = 1;       // TGATHERB is exact in rows of so many blocks
  bool pairs_runtime_extents = false;  // of two equal extents both are in the types or none
};

struct Dialect {
  std::string_view compile_flags;
  std::string_view host_flags;
  SyncPlan (*waits)(SyncShape);
  // MSCATTER and MGATHER written out: means and waits. Nothing where there are no primitives.
  ExpandedBody (*body)(const KernelSpec&) = nullptr;
  bool is_launched = true;             // on a stream; otherwise a kernel is called
  std::int64_t placed_bytes = 0;       // above 0: more than that a text cannot place
  bool has_policies = true;            // instructions take template arguments
  bool has_conflict = false;           // MSCATTER takes a conflict policy
  bool has_lanes = false;              // lanes of a launch write, and are waited for
  bool gathers_by_eights = false;      // TGATHERB is exact where rows are eights of blocks
  bool pairs_tile_extents = false;     // of a tile's valid extents both are in its type or none
  bool pairs_runtime_extents = false;  // of two equal extents both are in the types or none
  AssemblerDialect assembler{};
};

}  // namespace pto::jit

// The parts a source plan is put together from: extents, tiles, tensors.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ir/spec.h"
#include "targets/chunking.h"
#include "targets/dialect.h"
#include "targets/profile.h"
#include "targets/source_plan.h"
#include "targets/verify.h"

namespace pto::jit {

// Every dimension of a spec as an amount: fixed ones and those tied to another are not asked for.
class ExtentTable {
 public:
  ExtentTable(const KernelSpec& spec, const Profile& profile);

  const Amount& of(Dim dim) const { return amounts_[static_cast<std::size_t>(dim)]; }

 private:
  std::array<Amount, kDims> amounts_;
};

// Slots of a table, where a text has to do nothing when there are none: without slots there is
// nothing to clamp to, and what is not gathered must not be stored.
std::optional<Amount> guarded_capacity(const KernelSpec& spec, const ExtentTable& extents);

// The runtime dimensions that the text of a plan speaks of, in their order.
std::vector<ExtentParameter> parameters_of(const SourcePlan& plan, const KernelSpec& spec);

// An entry of a type: in it when it is a number.
Extent extent_of(const Value& value);

// One operand's tile, whole or one part of it, and the tensor it is loaded from or stored to.
class TilePlanner {
 public:
  TilePlanner(const KernelSpec& spec, const ExtentTable& extents, const Chunking& chunking);

  const std::optional<Loop>& loop() const { return loop_; }
  TilePlan tile(Role role) const;
  TensorPlan tensor(Role role, const TilePlan& tile) const;

 private:
  Tile padded(Role role) const;
  Value valid(Role role, bool is_row) const;
  Value count() const;
  bool is_cut(Role role, bool is_row) const;
  TileType storage_view(Role role, const TileType& type) const;
  void plan_loop();

  const KernelSpec& spec_;
  const ExtentTable& extents_;
  const Chunking& chunking_;
  std::optional<Loop> loop_;
};

// Fills in the plan of a communication kernel.
void plan_group(const LegalSpec& legal, SourcePlan& plan);

// Whether a gather by byte offsets is written out, because no instruction does exactly that.
bool is_gathered_by_text(const LegalSpec& legal);
ByteGather byte_gather(const LegalSpec& legal, const TileType& offset, const TileType& data);

// Makes the data tiles of a gather by byte offsets tiles of bytes.
void view_as_bytes(SourcePlan& plan);

// Replaces the call of a plan by a body in primitives; false when there is none.
bool expand(const LegalSpec& legal, SourcePlan& plan);

// A table as the kernel sees it.
TensorPlan tensor_of(const KernelSpec& spec, const ExtentTable& extents, Role role);

}  // namespace pto::jit

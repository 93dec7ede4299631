#include "jit/calls/index_check.h"

#include <cstring>
#include <new>
#include <string>

#include "ir/interpreter.h"
#include "ir/spec_text.h"
#include "ir/storage.h"
#include "jit/calls/index_place.h"
#include "jit/calls/index_scan.h"
#include "runtime/operands.h"
#include "targets/planner.h"
#include "targets/profile.h"

namespace pto::jit {
namespace {

bool moves_nothing(const BoundSpec& kernel, const Frame& frame) {
  const Tile& data = kernel.spec().data;
  return data.vr == 0 || data.vc == 0 || value_in(frame, kernel.plan().capacity) == 0;
}

std::int64_t bytes_of_indices(const BoundSpec& kernel, const Frame& frame) {
  return touched_bytes(kernel.spec(), Role::Index, kernel.plan(), frame);
}

// Row by row, or column by column where that is how they lie. Of a valid region that the kernel
// does not follow to its end nothing is known.
bool all_stay_inside(const BoundSpec& kernel, const Frame& frame) {
  const Tile& tile = kernel.spec().index;
  const bool is_column_major = tile.layout == TileLayout::ColMajor;
  const std::int64_t lines = is_column_major ? tile.vc : tile.vr;
  const std::int64_t pitch = (is_column_major ? tile.rows : tile.cols) * size_of(tile.dtype);
  const std::int64_t count = is_column_major ? tile.vr : tile.vc;
  const auto capacity = static_cast<std::uint64_t>(value_in(frame, kernel.plan().capacity));
  const std::int64_t end = (lines - 1) * pitch + count * size_of(tile.dtype);
  if (end > bytes_of_indices(kernel, frame)) return false;
  for (std::int64_t line = 0; line < lines; ++line) {
    const auto* first = static_cast<const std::byte*>(frame.index) + line * pitch;
    if (!all_inside({first, count, size_of(tile.dtype)}, {.limit = capacity})) return false;
  }
  return true;
}

std::string finding(const BoundSpec& kernel, const Frame& frame, const AuditReport& report) {
  const IndexPlace first = index_at(kernel.spec(), frame, report.first_out_of_bounds);
  const Op op = kernel.spec().op;
  const std::int64_t others = report.out_of_bounds - 1;
  return describe(kernel.spec(), first) + ", which leaves " +
         std::string(operand_name(op, addressed_role(op))) + ": its capacity is " +
         std::to_string(value_in(frame, kernel.plan().capacity)) + others_text(others);
}

// The same with a policy that answers such an index, where the target listens to policies.
std::string safer_spec(const LegalSpec& legal) {
  KernelSpec safer = legal.spec();
  safer.oob = written_role(safer.op) == Role::Table ? Oob::Skip : Oob::Zero;
  const bool answers = legal.profile().behaviour.has_modes && is_legal(safer);
  return answers ? print(safer) : "";
}

}  // namespace

Result<Done> check_indices(const BoundSpec& kernel, const Frame& frame) {
  const bool is_checked = !kernel.plan().has_index() || kernel.plan().oob != Oob::Undefined;
  if (is_checked || moves_nothing(kernel, frame) || all_stay_inside(kernel, frame)) return Done{};
  KernelPlan plan = make_audited_plan(kernel.legal());
  plan.audit.counts_collisions = false;
  const AuditReport report = audit_indices(plan, frame);
  if (report.out_of_bounds == 0) return Done{};
  Diagnostic problem = error("index.range", finding(kernel, frame, report));
  problem.rule = "without a policy the caller promises that every index is below the capacity";
  problem.suggestion = safer_spec(kernel.legal());
  return problem;
}

Result<OwnIndices> take_indices(const BoundSpec& kernel, Frame& frame) {
  if (!kernel.plan().has_index()) return OwnIndices();
  const auto bytes = static_cast<std::size_t>(bytes_of_indices(kernel, frame));
  if (bytes == 0) return OwnIndices();
  OwnIndices out(new (std::nothrow) std::byte[bytes]);
  if (!out) return out_of_memory("a copy of the indices, " + std::to_string(bytes) + " bytes");
  std::memcpy(out.get(), frame.index, bytes);
  frame.index = out.get();
  if (Result<Done> checked = check_indices(kernel, frame); !checked) return checked.error();
  return out;
}

}  // namespace pto::jit

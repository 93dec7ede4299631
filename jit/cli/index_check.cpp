#include "jit/cli/index_check.h"

#include <cstring>
#include <string>

#include "ir/interpreter.h"
#include "ir/spec_text.h"
#include "targets/planner.h"

namespace pto::jit::cli {
namespace {

bool moves_nothing(const BoundKernel& kernel, const Frame& frame) {
  const Tile& data = kernel.spec.data;
  return data.vr == 0 || data.vc == 0 || value_in(frame, kernel.plan.capacity) == 0;
}

// An index found at a byte offset of its tile.
struct FoundIndex {
  std::int64_t row;
  std::int64_t col;
  std::uint32_t raw;
};

FoundIndex index_at(const Tile& tile, const Frame& frame, std::int64_t offset) {
  std::uint32_t raw = 0;
  std::memcpy(&raw, static_cast<const std::byte*>(frame.index) + offset,
              static_cast<std::size_t>(size_of(tile.dtype)));
  const std::int64_t element = offset / size_of(tile.dtype);
  if (tile.layout == TileLayout::ColMajor) return {element % tile.rows, element / tile.rows, raw};
  return {element / tile.cols, element % tile.cols, raw};
}

// "4294967295 (-1, read as unsigned)"
std::string number(const Tile& tile, std::uint32_t raw) {
  const std::string plain = std::to_string(raw);
  const std::int64_t range = std::int64_t{1} << (8 * size_of(tile.dtype));
  const bool is_negative = info_of(tile.dtype).kind == NumberKind::Signed && raw >= range / 2;
  return is_negative ? plain + " (" + std::to_string(raw - range) + ", read as unsigned)" : plain;
}

std::string addressed_name(Op op) {
  return std::string(operand_name(op, has_role(op, Role::Store) ? Role::Store : Role::Table));
}

std::string finding(const BoundKernel& kernel, const Frame& frame, const AuditWalk& audit,
                    const AuditReport& report) {
  const std::int64_t cols = value_in(frame, audit.cols);
  const std::int64_t row = report.first_out_of_bounds / cols;
  const std::int64_t col = report.first_out_of_bounds % cols;
  const Tile& tile = kernel.spec.index;
  const FoundIndex found = index_at(tile, frame, row * audit.row_step + col * audit.col_step);
  const std::int64_t others = report.out_of_bounds - 1;
  return std::string(operand_name(kernel.spec.op, Role::Index)) + " at row " +
         std::to_string(found.row) + ", column " + std::to_string(found.col) + " is " +
         number(tile, found.raw) + ", which leaves " + addressed_name(kernel.spec.op) +
         ": its capacity is " + std::to_string(value_in(frame, kernel.plan.capacity)) +
         (others > 0 ? "; " + std::to_string(others) + " more do" : "");
}

// The same with a policy that answers such an index, where the target listens to policies.
std::string safer_spec(const LegalSpec& legal) {
  KernelSpec safer = legal.spec();
  safer.oob = safer.op == Op::MScatter ? Oob::Skip : Oob::Zero;
  const bool answers = legal.profile().behaviour.has_modes && is_legal(safer);
  return answers ? print(safer) : "";
}

}  // namespace

Result<Done> check_indices(const LegalSpec& legal, const BoundKernel& kernel, const Frame& frame) {
  const bool is_checked = !kernel.plan.has_index() || kernel.plan.oob != Oob::Undefined;
  if (is_checked || moves_nothing(kernel, frame)) return Done{};
  KernelSpec spec = legal.spec();
  spec.audit = true;
  const Result<LegalSpec> audited = verify(spec);
  if (!audited) return audited.error();
  KernelPlan plan = make_plan(*audited);
  plan.audit.counts_collisions = false;
  const AuditReport report = audit_indices(plan, frame);
  if (report.out_of_bounds == 0) return Done{};
  Diagnostic problem = error("index.range", finding(kernel, frame, plan.audit, report));
  problem.rule = "without a policy the caller promises that every index is below the capacity";
  problem.suggestion = safer_spec(legal);
  return problem;
}

}  // namespace pto::jit::cli

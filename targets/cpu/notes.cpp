#include "targets/notes.h"

#include "ir/canonical.h"
#include "targets/cpu/cpu.h"
#include "targets/words.h"

namespace pto::jit {
namespace {

bool ignores_policy(const Subject& s) { return is_memory(s) && has_policy(s); }

constexpr Note kRows[] = {
    {"cpu.policy_ignored", ignores_policy,
     [](const Subject& s) {
       const std::string what = s.spec.atomic != Atomic::None
                                    ? "atomic " + str(name_of(s.spec.atomic))
                                    : str(name_of(s.spec.oob));
       return what + " is ignored: the simulator replaces element by element and checks no bounds";
     },
     "MSCATTER, CPU Reference Form"},
    {"cpu.vendor_policies", ignores_policy,
     [](const Subject&) {
       return str(
           "the vendor's simulator of 2026 does apply policies, with faults of its own in "
           "Row max and min, negative Wrap and bf16");
     },
     "deviations of the vendor's CPU simulator"},
    {"cpu.vendor_offsets", [](const Subject& s) { return operation_of(s.spec.op).counts_bytes; },
     [](const Subject&) {
       return str(
           "offsets beyond the source are clamped to its last whole element or block; the "
           "vendor's simulator of 2026 skips them");
     },
     "TGATHERB, Constraints"},
    {"cpu.strides_ignored",
     [](const Subject& s) { return is_memory(s) && !is_packed(s.spec.table); },
     [](const Subject& s) {
       return "the strides of " + shown(s.spec, Role::Table) +
              " are ignored: an index counts elements from the table's start";
     },
     "MSCATTER, Tile Constraints (CPU), Index interpretation"},
};

bool has_nz(const Subject& s) {
  const bool in_memory = is_memory(s) && s.spec.table.layout == TableLayout::Nz;
  return in_memory || s.spec.data.layout == TileLayout::Nz;
}

bool has_outer_rows(const Subject& s) {
  const auto& shape = s.spec.table.shape;
  const bool is_flat = shape[0] == 1 && shape[1] == 1 && shape[2] == 1;
  return is_row(s) && !is_flat && s.spec.table.layout == TableLayout::Nd;
}

bool has_padded_mask_source(const Subject& s) {
  return has_suffix(s.spec.op, SuffixKind::Mask) && s.spec.data.vc != s.spec.data.cols;
}

bool adds_bf16(const Subject& s) {
  return s.spec.atomic == Atomic::Add && s.spec.data.dtype == DType::BF16;
}

// What happens to a device's text in the vendor's simulator.
constexpr std::string_view kFromSimulator = "deviations of the vendor's CPU simulator";

constexpr Note kSimulatorRows[] = {
    {"cpu.vendor_nz", has_nz,
     [](const Subject&) {
       return str("the vendor's simulator of 2026 ignores NZ: it takes tile and table for plain");
     },
     kFromSimulator},
    {"cpu.vendor_row_capacity", has_outer_rows,
     [](const Subject&) {
       return str(
           "the vendor's simulator of 2026 takes the fourth extent alone for the number of rows, "
           "and so clamps, wraps or skips indices of rows beyond it");
     },
     kFromSimulator},
    {"cpu.vendor_mask_source", has_padded_mask_source,
     [](const Subject&) {
       return str(
           "the vendor's simulator of 2026 goes through src with its padding as if all of it were "
           "valid; with vc < cols it spreads other elements");
     },
     kFromSimulator},
    {"cpu.vendor_bf16", adds_bf16,
     [](const Subject&) {
       return str(
           "the vendor's simulator of 2026 may take bf16 for f16, and so adds other numbers");
     },
     kFromSimulator},
};

}  // namespace

constinit const Notes kCpuNotes = kRows;
constinit const Notes kSimulatorNotes = kSimulatorRows;

}  // namespace pto::jit

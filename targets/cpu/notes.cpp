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

}  // namespace

constinit const Notes kCpuNotes = kRows;

}  // namespace pto::jit

#include "targets/notes.h"

#include "targets/a5/a5.h"
#include "targets/chunking.h"
#include "targets/words.h"

namespace pto::jit {
namespace {

bool scans_for_last(const Subject& s) {
  return operation_of(s.spec.op).combines && s.spec.atomic == Atomic::None &&
         s.spec.conflict != Conflict::Default;
}

// A runtime extent beside a static one that a rule makes equal to it.
bool mixes_runtime(const Subject& s) {
  const KernelSpec& spec = s.spec;
  const auto mixed = [](std::int32_t a, std::int32_t b) {
    return (a == kRuntime) != (b == kRuntime);
  };
  if (is_row(s)) {
    const bool along = spec.index.layout == TileLayout::RowMajor;
    return mixed(spec.data.vr, along ? spec.index.vc : spec.index.vr) ||
           mixed(spec.data.vc, spec.table.shape[4]);
  }
  return mixed(spec.data.vr, spec.index.vr) || mixed(spec.data.vc, spec.index.vc);
}

std::int64_t call_bytes(const Subject& s) {
  const std::optional<Chunking> chunking = chunking_of(s.spec, s.profile);
  return chunking ? chunking->bytes : footprint(s.spec);
}

constexpr Note kRows[] = {
    {"a5.last.scan_cost", scans_for_last,
     [](const Subject&) {
       return str(
           "last-wins searches the indices once for each slot of the table; where no two "
           "indices are equal, .default does the same without the search");
     },
     "MSCATTER, Performance Considerations (A5)"},
    {"a5.row.uncoalesced",
     [](const Subject& s) { return is_row(s) && s.spec.data.vc != kRuntime && row_bytes(s) < 128; },
     [](const Subject& s) {
       return "rows of " + str(row_bytes(s)) + " bytes do not fill a 128-byte burst";
     },
     "MSCATTER, Performance Considerations (A5)"},
    {"a5.runtime_pairs", [](const Subject& s) { return is_memory(s) && mixes_runtime(s); },
     [](const Subject&) {
       return str(
           "a runtime extent stands beside a static one it must equal; the headers of 2026 "
           "refuse that, so emitted text makes both runtime");
     },
     "MSCATTER, Dynamic Runtime Shapes"},
    {"a5.dynub", [](const Subject& s) { return call_bytes(s) > s.profile.budget.plain_bytes; },
     [](const Subject& s) {
       return "the tiles take " + str(call_bytes(s)) +
              " bytes; the launch must pass dynUBufSize = " + str(call_bytes(s)) +
              " or the result is silently corrupted";
     },
     "MSCATTER, Extending Per-Call UB Beyond 128 KB"},
};

}  // namespace

constinit const Notes kA5Notes = kRows;

}  // namespace pto::jit

// Notes: what is legal but costs, surprises, or differs from what the vendor's code does.
#include <array>

#include "ir/canonical.h"
#include "targets/chunking.h"
#include "targets/rules.h"
#include "targets/verify.h"
#include "targets/words.h"

namespace pto::jit {
namespace {

struct Note {
  std::string_view id;
  bool (*applies)(const Subject&);
  std::string (*text)(const Subject&);
  std::string_view from;
};

bool is(const Subject& s, Target target) { return s.spec.target == target; }
bool is_memory(const Subject& s) { return kMemoryOps.contains(s.spec.op); }
bool is_elem(const Subject& s) { return is_memory(s) && s.spec.coalesce == Coalesce::Elem; }
bool is_row(const Subject& s) { return is_memory(s) && s.spec.coalesce == Coalesce::Row; }
bool has_policy(const Subject& s) {
  return s.spec.oob != Oob::Undefined || s.spec.atomic != Atomic::None;
}

std::int64_t call_bytes(const Subject& s) {
  const std::optional<Chunking> chunking = chunking_of(s.spec, s.profile);
  return chunking ? chunking->bytes : footprint(s.spec);
}

bool needs_dynamic_memory(const Subject& s) {
  return s.profile.budget.plain_bytes > 0 && call_bytes(s) > s.profile.budget.plain_bytes;
}

bool is_chunked(const Subject& s) {
  const std::optional<Chunking> chunking = chunking_of(s.spec, s.profile);
  return chunking && chunking->axis != ChunkAxis::Whole;
}

bool scans_for_last(const Subject& s) {
  return is(s, Target::A5) && operation_of(s.spec.op).combines && s.spec.atomic == Atomic::None &&
         s.spec.conflict != Conflict::Default;
}

std::int64_t row_bytes(const Subject& s) { return s.spec.data.vc * size_of(s.spec.data.dtype); }

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

bool stage_may_overrun(const Subject& s) {
  const Tile& stage = s.spec.data;
  const std::int32_t width = s.spec.peer.shape[4];
  const bool wider = width == kRuntime || stage.cols > width;
  return is_collective(s.spec.op) && stage.vc == kRuntime && wider;
}

std::string chunk_text(const Subject& s) {
  return "the tiles take " + str(footprint(s.spec)) + " bytes; emitted text does them in " +
         describe(*chunking_of(s.spec, s.profile)) + ", with the same result";
}

constexpr std::array kNotes = {
    Note{"cpu.policy_ignored",
         [](const Subject& s) { return is(s, Target::Cpu) && is_memory(s) && has_policy(s); },
         [](const Subject& s) {
           const std::string what = s.spec.atomic != Atomic::None
                                        ? "atomic " + str(name_of(s.spec.atomic))
                                        : str(name_of(s.spec.oob));
           return what +
                  " is ignored: the simulator replaces element by element and checks no bounds";
         },
         "MSCATTER, CPU Reference Form"},
    Note{"cpu.vendor_policies",
         [](const Subject& s) { return is(s, Target::Cpu) && is_memory(s) && has_policy(s); },
         [](const Subject&) {
           return str(
               "the vendor's simulator of 2026 does apply policies, with faults of its own in "
               "Row max and min, negative Wrap and bf16");
         },
         "deviations of the vendor's CPU simulator"},
    Note{
        "cpu.vendor_offsets",
        [](const Subject& s) { return is(s, Target::Cpu) && operation_of(s.spec.op).counts_bytes; },
        [](const Subject&) {
          return str(
              "offsets beyond the source are clamped to its last whole element or block; the "
              "vendor's simulator of 2026 skips them");
        },
        "TGATHERB, Constraints"},
    Note{"cpu.strides_ignored",
         [](const Subject& s) {
           return is(s, Target::Cpu) && is_memory(s) && !is_packed(s.spec.table);
         },
         [](const Subject& s) {
           return "the strides of " + shown(s.spec, Role::Table) +
                  " are ignored: an index counts elements from the table's start";
         },
         "MSCATTER, Tile Constraints (CPU), Index interpretation"},
    Note{"a2a3.elem.scalar", [](const Subject& s) { return is(s, Target::A2A3) && is_elem(s); },
         [](const Subject&) {
           return str("one scalar access an element; prefer Row where rows move whole");
         },
         "MSCATTER, Performance Considerations (A2/A3)"},
    Note{"a2a3.add.collisions",
         [](const Subject& s) { return is(s, Target::A2A3) && s.spec.atomic == Atomic::Add; },
         [](const Subject&) {
           return str(
               "bursts to one address are added one after another; many equal indices are slow");
         },
         "MSCATTER, Performance Considerations (A2/A3)"},
    Note{"a2a3.tgatherb.overwrite",
         [](const Subject& s) {
           const bool ragged = s.spec.data.vc == kRuntime || row_bytes(s) % 256 != 0;
           return is(s, Target::A2A3) && s.spec.unit == Unit::Block && ragged;
         },
         [](const Subject&) {
           return str(
               "the vendor's TGATHERB gathers eight blocks a row when a row is not a multiple of "
               "256 bytes, and so writes outside the valid region");
         },
         "deviations of the vendor's A2/A3 TGATHERB"},
    Note{"a5.last.scan_cost", scans_for_last,
         [](const Subject&) {
           return str(
               "last-wins searches the indices once for each slot of the table; where no two "
               "indices are equal, .default does the same without the search");
         },
         "MSCATTER, Performance Considerations (A5)"},
    Note{"a5.row.uncoalesced",
         [](const Subject& s) {
           return is(s, Target::A5) && is_row(s) && s.spec.data.vc != kRuntime &&
                  row_bytes(s) < 128;
         },
         [](const Subject& s) {
           return "rows of " + str(row_bytes(s)) + " bytes do not fill a 128-byte burst";
         },
         "MSCATTER, Performance Considerations (A5)"},
    Note{"a5.runtime_pairs",
         [](const Subject& s) { return is(s, Target::A5) && is_memory(s) && mixes_runtime(s); },
         [](const Subject&) {
           return str(
               "a runtime extent stands beside a static one it must equal; the headers of 2026 "
               "refuse that, so emitted text makes both runtime");
         },
         "MSCATTER, Dynamic Runtime Shapes"},
    Note{"a5.dynub", needs_dynamic_memory,
         [](const Subject& s) {
           return "the tiles take " + str(call_bytes(s)) +
                  " bytes; the launch must pass dynUBufSize = " + str(call_bytes(s)) +
                  " or the result is silently corrupted";
         },
         "MSCATTER, Extending Per-Call UB Beyond 128 KB"},
    Note{"ub.chunked", is_chunked, chunk_text, "MSCATTER, Tiled-Iteration Pattern"},
    Note{"pto_as.old_assemblers",
         [](const Subject& s) {
           const bool picky = has_policy(s) || s.spec.conflict != Conflict::Unstated;
           return !is(s, Target::Cpu) && is_memory(s) && picky;
         },
         [](const Subject&) {
           return str(
               "assemblers of PTO-AS text from before mid 2026 drop policy attributes silently");
         },
         "deviations of the vendor's assembler"},
    Note{
        "comm.stage_overrun", stage_may_overrun,
        [](const Subject&) {
          return str(
              "the vendor's single-tile path does not shrink a runtime stage: one wider than the "
              "data overruns each rank's rows, so emitted text gives the stage the data's extents");
        },
        "deviations of the vendor's communication TSCATTER"},
};

}  // namespace

Diagnostics notes_on(const LegalSpec& legal) {
  const Subject subject{legal.spec(), legal.spec(), legal.profile()};
  Diagnostics out;
  for (const Note& note : kNotes) {
    if (!note.applies(subject)) continue;
    Diagnostic entry = error(str(note.id), note.text(subject));
    entry.severity = Severity::Note;
    entry.from = note.from;
    out.push_back(std::move(entry));
  }
  return out;
}

}  // namespace pto::jit

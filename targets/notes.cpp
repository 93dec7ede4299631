// The notes that any target may give, and the collecting of all.
#include "targets/notes.h"

#include "targets/chunking.h"
#include "targets/cpu/cpu.h"
#include "targets/dialect.h"
#include "targets/verify.h"
#include "targets/words.h"

namespace pto::jit {
namespace {

bool is_chunked(const Subject& s) {
  const std::optional<Chunking> chunking = chunking_of(s.spec, s.profile);
  return chunking && chunking->axis != ChunkAxis::Whole;
}

bool stage_may_overrun(const Subject& s) {
  const Tile& stage = s.spec.data;
  const std::int32_t width = s.spec.peer.shape[4];
  const bool wider = width == kRuntime || stage.cols > width;
  return is_collective(s.spec.op) && stage.vc == kRuntime && wider;
}

constexpr Note kCommonNotes[] = {
    {"ub.chunked", is_chunked,
     [](const Subject& s) {
       return "the tiles take " + str(footprint(s.spec)) + " bytes; emitted text does them in " +
              describe(*chunking_of(s.spec, s.profile)) + ", with the same result";
     },
     "MSCATTER, Tiled-Iteration Pattern"},
    {"pto_as.old_assemblers",
     [](const Subject& s) {
       const bool is_assembled = !s.profile.dialect.assembler.arch.empty();
       const bool picky = has_policy(s) || s.spec.conflict != Conflict::Unstated;
       return is_assembled && is_memory(s) && picky;
     },
     [](const Subject&) {
       return str("assemblers of PTO-AS text from before mid 2026 drop policy attributes silently");
     },
     "deviations of the vendor's assembler"},
    {"comm.stage_overrun", stage_may_overrun,
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
  for (const Notes& notes : {legal.profile().notes, Notes(kCommonNotes), kSimulatorNotes}) {
    for (const Note& note : notes) {
      if (!note.applies(subject)) continue;
      Diagnostic entry = error(str(note.id), note.text(subject));
      entry.severity = Severity::Note;
      entry.from = note.from;
      out.push_back(std::move(entry));
    }
  }
  return out;
}

}  // namespace pto::jit

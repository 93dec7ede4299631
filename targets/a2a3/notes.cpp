#include "targets/notes.h"

#include "targets/a2a3/a2a3.h"
#include "targets/words.h"

namespace pto::jit {
namespace {

constexpr Note kRows[] = {
    {"a2a3.elem.scalar", is_elem,
     [](const Subject&) {
       return str("one scalar access an element; prefer Row where rows move whole");
     },
     "MSCATTER, Performance Considerations (A2/A3)"},
    {"a2a3.add.collisions", [](const Subject& s) { return s.spec.atomic == Atomic::Add; },
     [](const Subject&) {
       return str("bursts to one address are added one after another; many equal indices are slow");
     },
     "MSCATTER, Performance Considerations (A2/A3)"},
    {"a2a3.tgatherb.overwrite",
     [](const Subject& s) {
       const bool ragged = s.spec.data.vc == kRuntime || row_bytes(s) % 256 != 0;
       return s.spec.unit == Unit::Block && ragged;
     },
     [](const Subject&) {
       return str(
           "where a row is not a multiple of 256 bytes the vendor's TGATHERB takes eight offsets "
           "for its end, those of successive rows one after the other, and writes eight blocks; "
           "emitted text gathers the blocks by scalar accesses instead");
     },
     "deviations of the vendor's A2/A3 TGATHERB"},
};

}  // namespace

constinit const Notes kA2A3Notes = kRows;

}  // namespace pto::jit

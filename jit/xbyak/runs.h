// Copying and clearing contiguous runs of bytes, of a length known now or only at run time. Nothing
// outside the run is read or written; pieces may overlap inside it.
#pragma once

#include "jit/xbyak/assembler.h"

namespace pto::jit::xbyak {

// Whether a run is written out piece by piece.
bool is_short_run(const Assembler& a, const Amount& run);
void copy_short(Assembler& a, const Xbyak::RegExp& to, const Xbyak::RegExp& from,
                std::int64_t bytes);
void clear_short(Assembler& a, const Xbyak::RegExp& to, std::int64_t bytes);

// Any run. The registers may be changed.
void copy_run(Assembler& a, const Xbyak::Reg64& to, const Xbyak::Reg64& from, const Amount& run,
              int granule);
void clear_run(Assembler& a, const Xbyak::Reg64& to, const Amount& run, int granule);

}  // namespace pto::jit::xbyak

// Copying and clearing contiguous runs of bytes, of a length known now or only at run time. Nothing
// outside the run is read or written; pieces may overlap inside it.
#pragma once

#include "jit/backends/xbyak/assembler.h"

namespace pto::jit::xbyak {

// Whether a run is written out piece by piece.
bool is_short_run(const Assembler& a, const Amount& run);
void copy_short(Assembler& a, const Xbyak::RegExp& to, const Xbyak::RegExp& from,
                std::int64_t bytes);
// Whole lines are stored, but read by halves.
void copy_by_halves(Assembler& a, const Xbyak::RegExp& to, const Xbyak::RegExp& from,
                    std::int64_t bytes);
void clear_short(Assembler& a, const Xbyak::RegExp& to, std::int64_t bytes);

// A run, its length in a register, that pieces of `width` bytes from either end cover: at least as
// many bytes as those of one end have.
struct Ends {
  int width;
  int front;
  int back;
  Xbyak::Reg64 run;
};
void copy_ends(Assembler& a, const Xbyak::RegExp& to, const Xbyak::RegExp& from, const Ends& ends);
void clear_ends(Assembler& a, const Xbyak::RegExp& to, const Ends& ends);

// Any run. The registers may be changed.
struct LongCopy {
  Xbyak::Reg64 to;
  Xbyak::Reg64 from;
  Amount run;
  int granule;               // divides every length
  std::int64_t string_from;  // bytes from which a string instruction copies; 0: never
  std::int64_t least = 0;    // bytes that the run has in any case
};
void copy_run(Assembler& a, const LongCopy& copy);
void clear_run(Assembler& a, const Xbyak::Reg64& to, const Amount& run, int granule);
void clear_counted(Assembler& a, const Xbyak::Reg64& to, int granule);  // rax holds the length

// A run of at least eight vectors.
void copy_long(Assembler& a, const LongCopy& copy);
void clear_long(Assembler& a, const Xbyak::Reg64& to, const Amount& run);

// Around the caches: a multiple of 64 bytes to an address that is one too.
void stream_short(Assembler& a, const Xbyak::RegExp& to, const Xbyak::RegExp& from,
                  std::int64_t bytes);
void stream_run(Assembler& a, const LongCopy& copy);
// Any run of at least 63 bytes to any address: whole lines around the caches, the ends not.
void stream_peeled(Assembler& a, const LongCopy& copy);

}  // namespace pto::jit::xbyak

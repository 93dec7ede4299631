// What the emitter's verbs hand to each other.
#pragma once

#include "ir/amount.h"
#include "jit/backends/xbyak/assembler.h"

namespace pto::jit::xbyak {

// The indices that are written about at once.
struct Group {
  int lanes = 1;
  int turn = 0;              // of the groups that are written in one go
  bool is_rest = false;      // not full: its lanes are those of the mask `rest`
  bool is_mixed = false;     // each number is compared by itself, on its way to an address
  Label* mixed = nullptr;    // where a group goes of which not all lanes count
  bool is_resolved = false;  // the indices are slots already

  bool is_single() const { return lanes == 1; }
};

// How the runs of whole groups are copied. Of a length known only at run time: Exact, when it is
// `pieces` of `width` bytes; Ends, by some from either end; Loop, any longer one. Stream:
// around the caches.
struct Way {
  enum class Kind : std::uint8_t { Plain, Exact, Ends, Loop, Stream };
  Kind kind = Kind::Plain;
  int width = 0;
  int pieces = 0;
  int back = 0;            // Ends: of the pieces, those that end with the run
  bool is_finest = false;  // Ends: another way has one piece less
  Xbyak::Reg64 run{};      // Ends: the length

  int front() const { return pieces - back; }
  // What a run has when it is exact, and less than it has otherwise: as much as one piece less
  // covers, or the front alone.
  int bytes() const {
    if (kind != Kind::Ends) return width * pieces;
    return width * (is_finest ? pieces - 1 : front());
  }
};
inline constexpr Way kPlainWay{};

// Where the walk's registers stand: at the first index of a group.
struct Position {
  Group group = {};
  const Way* way = &kPlainWay;
};

// The numbers of a group, or the walk's own place in the table.
struct Index {
  // One number in a register; lanes as the index tile has them; 32-bit lanes in a vector.
  enum class In : std::uint8_t { Walk, Register, Memory, Vector };
  In in = In::Walk;
  Group group = {};
  Loan reg = {};                            // Register
  Vector vector = VectorRegisters{}.lanes;  // Vector
  bool is_loaded = false;  // the vector of lanes holds them, also where memory is read again
  Amount step = 1;         // what each lane is still to be multiplied with
};
struct Divided {
  Index quotient;
  Index remainder;
};

// Lanes that count: a comparison still to be made, or its result.
struct Mask {
  enum class Kind : std::uint8_t { Always, Below, Flag, Lanes, Numbers, Vector };
  Kind kind = Kind::Always;
  Index value = {};  // Below: compared with `limit`; Flag: 0 and 1
  Amount limit = {};
  // Numbers: compared with the capacity when they become addresses.
  Loan dead = {};            // Lanes: a bit for each lane that does not count
  bool is_inverted = false;  // Vector: a mask register or, without AVX-512, a vector, named `live`
};
Mask inverted(const Mask& mask);
// Writes the test whether a lane counts; whether carry then says that it does, else that it does
// not.
bool carry_if_counts(Assembler& a, const Mask& mask, int lane);
void jump_if_not(Assembler& a, const Mask& mask, int lane, Label& to);

// Where a unit, or a part of it, lies. Registers of its own only when it has to be walked itself.
struct Place {
  Xbyak::RegExp table;
  Xbyak::RegExp tile;
  Loan table_reg = {};
  Loan tile_reg = {};
  const Way* way = &kPlainWay;
  int wide = 0;  // bytes of neighbouring elements that are taken at once; 0: one element
};
Place moved(const Place& place, std::int64_t table, std::int64_t tile);

// An element, or a vector of neighbours, in one of the two element registers, or left in memory for
// the instruction that combines it.
enum class Held : std::uint8_t { Table, Tile };
struct Value {
  Held held = Held::Table;
  int wide = 0;  // as in a place
  bool is_in_memory = false;
  Xbyak::RegExp at{};
};

}  // namespace pto::jit::xbyak

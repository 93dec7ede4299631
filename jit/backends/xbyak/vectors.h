// Which vector and which mask register holds what, by name.
#pragma once

#include <xbyak/xbyak.h>

namespace pto::jit::xbyak {

// A vector register, in the width an instruction wants.
struct Vector {
  int index = 0;

  Xbyak::Xmm x() const { return Xbyak::Xmm(index); }
  Xbyak::Ymm y() const { return Xbyak::Ymm(index); }
  Xbyak::Zmm z() const { return Xbyak::Zmm(index); }
  // The narrowest that holds so many bytes.
  Xbyak::Xmm of(int bytes) const {
    if (bytes > 32) return z();
    if (bytes > 16) return y();
    return x();
  }
};

struct VectorRegisters {
  // Elements: what is moved, or the two that are combined.
  Vector table{0};
  Vector tile{1};
  // Free for whoever needs them next.
  Vector first{2};
  Vector second{3};
  Vector zero{4};
  // Pieces of a run in flight, 0 to 3. A run that is copied combines nothing.
  static Vector piece(int i) { return {i}; }

  Vector inverse{5};     // of the capacity, by 2^32
  Vector round{6};       // 0x7fff, with which bf16 is rounded
  Vector odd{7};         // what tells odd ones: 1, with AVX-512 the lowest bit that is kept
  Vector lanes{8};       // the group's numbers
  Vector spare{9};       // what is worked out about them
  Vector table_low{10};  // a table in registers, which has no digits
  Vector doubled{10};    // numbers that a runtime radix divides
  Vector table_high{11};
  Vector own_first{10};  // a part's slots: the first, and how many less one
  Vector own_count{11};
  Vector live{12};   // without mask registers: all ones in lanes that count
  Vector bias{13};   // 2^31, which makes signed lanes of unsigned ones
  Vector last{14};   // capacity - 1
  Vector limit{15};  // capacity

  // With AVX-512 only.
  Vector reach{18};     // the last slot a whole 32-bit lane can be read from
  Vector shift{19};     // bits of a lane below the element wanted
  Vector quarters{20};  // which of four elements each lane takes
  Vector one{21};
  Vector uppers{22};  // every second word, from the second
};

struct MaskRegisters {
  Xbyak::Opmask rest{1};    // lanes there are, of a group that is not full
  Xbyak::Opmask live{2};    // lanes whose index is in range
  Xbyak::Opmask spent{3};   // free for whoever needs it next; gathers and scatters use it up
  Xbyak::Opmask places{4};  // lanes of spread vectors that elements are in
  Xbyak::Opmask even{5};    // every second lane, from the first
  Xbyak::Opmask odd{6};     // lanes that are rounded up from half
};

}  // namespace pto::jit::xbyak

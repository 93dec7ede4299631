// Reading, combining and writing table and tile elements: one at a time, or a vector of neighbours
// where the feature level has the instructions.
#pragma once

#include "ir/spec.h"
#include "jit/xbyak/assembler.h"

namespace pto::jit::xbyak {

// Which of the two element registers holds a value.
enum class Held : std::uint8_t { Table, Tile };

class Elements {
 public:
  // `number` as in a plan; loads nothing until asked.
  Elements(Assembler& a, DType number) : a_(a), number_(number) {}

  // Bytes of memory the widest vector step covers; 0 when only single elements can be combined.
  int vector_bytes(Atomic combine) const;
  // From here on loads and stores are of that many bytes of neighbours; 0: of one element.
  void use_vectors(int bytes) { wide_ = bytes; }

  // Constants that stay in registers.
  void prepare();

  void load(Held which, const Xbyak::RegExp& from);
  void store(Held which, const Xbyak::RegExp& to);

  // 16-bit floats at the low end of a register made a vector of f32, and back.
  void widen(Held which);
  void narrow(Held which);

  Held sum(Held a, Held b);
  // b if a < b picks `yes`, else `no`; one of them is `a`, the other `b`.
  Held pick_if_less(Held a, Held b, Held yes, Held no);

  // Constants that code refers to, behind its last instruction.
  void emit_constants();

 private:
  bool is_integer() const;
  bool is_half() const { return number_ == DType::F16 || number_ == DType::BF16; }
  bool adds_halves() const { return number_ == DType::F16 && a_.isa.fp16; }
  int size() const { return static_cast<int>(size_of(number_)); }
  Xbyak::Reg32 general(Held which) const;
  Xbyak::Xmm single(Held which) const { return Xbyak::Xmm(static_cast<int>(which)); }
  Xbyak::Xmm vector(int index) const;  // of as many lanes as a step has
  Xbyak::Xmm vector(Held which) const { return vector(static_cast<int>(which)); }

  void load_wide(Held which, const Xbyak::RegExp& from);
  void store_wide(Held which, const Xbyak::RegExp& to);
  void sum_wide(Held to, Held other);
  void round_bf16(const Xbyak::Xmm& value);

  void move_to_single(const Xbyak::Xmm& to, const Xbyak::Reg32& from);
  void move_to_general(const Xbyak::Reg32& to, const Xbyak::Xmm& from);
  void widen_half(const Xbyak::Xmm& to, const Xbyak::Reg32& bits);
  void narrow_half(const Xbyak::Reg32& to, const Xbyak::Xmm& value);
  void narrow_bf16(const Xbyak::Reg32& to, const Xbyak::Xmm& value);
  void add_single(const Xbyak::Xmm& to, const Xbyak::Xmm& other);

  Assembler& a_;
  const DType number_;
  int wide_ = 0;
  bool needs_constants_ = false;
  Xbyak::Label two_to_112_;
  Xbyak::Label one_half_;
};

}  // namespace pto::jit::xbyak

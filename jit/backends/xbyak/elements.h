// Reading, combining and writing table and tile elements: one at a time, or a vector of neighbours
// where the feature level has the instructions.
#pragma once

#include "ir/spec.h"
#include "jit/backends/xbyak/assembler.h"
#include "jit/backends/xbyak/values.h"

namespace pto::jit::xbyak {

class Elements {
 public:
  // `number` and `combine` as in a plan; loads nothing until asked.
  Elements(Assembler& a, DType number, Atomic combine)
      : a_(a), number_(number), combine_(combine) {}

  // Bytes of memory the widest vector step covers; 0 when only single elements can be combined.
  int vector_bytes(Atomic combine) const;

  // Constants that stay in registers.
  void prepare();

  // Into the register, and in the width, that `to` names.
  Value load(Value to, const Xbyak::RegExp& from);
  void store(Value value, const Xbyak::RegExp& to);

  // 16-bit floats at the low end of a register made a vector of f32, and, with AVX-512, back.
  void widen(Value value);
  void narrow(Value value);

  Value sum(Value a, Value b);
  // `yes` if a < b, else `no`; one of them is `a`, the other `b`.
  Value pick_if_less(Value a, Value b, Value yes, Value no);

  // Constants that code refers to, behind its last instruction.
  void emit_constants();

 private:
  bool is_integer() const;
  bool is_half() const { return number_ == DType::F16 || number_ == DType::BF16; }
  bool adds_halves() const { return number_ == DType::F16 && a_.isa.fp16; }
  // Between memory and vectors, by no other register.
  bool has_half_vectors() const { return is_widened() && a_.isa.avx2; }
  // Single integers are added to memory, so that the table's is never loaded.
  bool adds_in_place() const { return combine_ == Atomic::Add && is_integer(); }
  int size() const { return static_cast<int>(size_of(number_)); }
  bool is_widened() const { return is_half() && !adds_halves(); }
  Xbyak::Reg32 general(Value value) const;
  Vector vector_of(Value value) const {
    return value.held == Held::Table ? a_.vec.table : a_.vec.tile;
  }
  Xbyak::Xmm single(Value value) const { return vector_of(value).x(); }
  Xbyak::Xmm vector(Value value) const {  // of as many lanes as there are neighbours
    return vector_of(value).of(is_widened() ? 2 * value.wide : value.wide);
  }

  bool stays_in_memory(Value value) const;
  // Gives the body the register or the memory that holds the value.
  template <class Body>
  void with_operand(Value value, Body&& body) const {
    const Xbyak::Xmm reg = value.wide > 0 ? vector(value) : single(value);
    if (!value.is_in_memory) return body(reg);
    value.wide > 0 ? body(a_.ptr[value.at]) : body(a_.dword[value.at]);
  }
  void load_one(Value to, const Xbyak::RegExp& from);
  void load_wide(Value to, const Xbyak::RegExp& from);
  void add_to_memory(const Xbyak::RegExp& to);  // the tile's
  void store_wide(Value value, const Xbyak::RegExp& to);
  void sum_wide(Value to, Value other);
  void pick_wide(bool is_max, Value yes, Value no);
  void round_bf16(const Xbyak::Xmm& value);
  void pack_bf16(const Xbyak::Xmm& value);

  void widen_half(const Xbyak::Xmm& to, const Xbyak::Reg32& bits);
  void narrow_half(const Xbyak::Reg32& to, const Xbyak::Xmm& value);
  void narrow_bf16(const Xbyak::Reg32& to, const Xbyak::Xmm& value);

  Assembler& a_;
  const DType number_;
  const Atomic combine_;
  bool needs_uppers_ = false;
  Label uppers_;
  bool needs_constants_ = false;
  Label two_to_112_;
  Label one_half_;
};

}  // namespace pto::jit::xbyak

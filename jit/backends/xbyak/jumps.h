// Jumps, and the places they lead to. What awaits a place is linked through the code itself, so
// that a label needs no memory but its own.
#pragma once

#include <xbyak/xbyak.h>

#include <cstddef>
#include <cstdint>

namespace pto::jit::xbyak {

// A place in the code, known once it is written. Each displacement that awaits it says where the
// one before it ends: in the four bytes of far ones, as a distance in the one byte of short ones.
class Label {
 public:
  Label() = default;
  Label(const Label&) = delete;
  Label& operator=(const Label&) = delete;

 private:
  friend class Jumps;
  static constexpr std::uint32_t kUnknown = 0xffffffff;

  bool is_known() const { return place_ != kUnknown; }

  std::uint32_t place_ = kUnknown;
  std::uint32_t far_ = 0;  // the last that awaits it ends here; nothing: none does
  std::uint32_t short_ = 0;
};

class Jumps : public Xbyak::CodeGenerator {
 public:
  using CodeGenerator::CodeGenerator;

  // The label is here.
  void L(Label& label);
  // The four bytes just written lead to `label` from behind them.
  void refer(Label& label);
  // After the last instruction: whatever is led to must be somewhere.
  void ready() const;

  // Short where that is known to reach, and also where it is not unless T_NEAR is given.
  void jmp(Label& to, LabelType reach = T_AUTO) { jump(0xeb, to, reach); }
  void jb(Label& to, LabelType reach = T_AUTO) { jump(0x72, to, reach); }
  void jc(Label& to, LabelType reach = T_AUTO) { jump(0x72, to, reach); }
  void jae(Label& to, LabelType reach = T_AUTO) { jump(0x73, to, reach); }
  void jnc(Label& to, LabelType reach = T_AUTO) { jump(0x73, to, reach); }
  void je(Label& to, LabelType reach = T_AUTO) { jump(0x74, to, reach); }
  void jz(Label& to, LabelType reach = T_AUTO) { jump(0x74, to, reach); }
  void jne(Label& to, LabelType reach = T_AUTO) { jump(0x75, to, reach); }
  void jnz(Label& to, LabelType reach = T_AUTO) { jump(0x75, to, reach); }
  void jbe(Label& to, LabelType reach = T_AUTO) { jump(0x76, to, reach); }
  void ja(Label& to, LabelType reach = T_AUTO) { jump(0x77, to, reach); }
  void jns(Label& to, LabelType reach = T_AUTO) { jump(0x79, to, reach); }
  void jl(Label& to, LabelType reach = T_AUTO) { jump(0x7c, to, reach); }
  void jge(Label& to, LabelType reach = T_AUTO) { jump(0x7d, to, reach); }
  void jle(Label& to, LabelType reach = T_AUTO) { jump(0x7e, to, reach); }
  void jg(Label& to, LabelType reach = T_AUTO) { jump(0x7f, to, reach); }

 private:
  void jump(std::uint8_t short_code, Label& to, LabelType reach);
  void refer_short(Label& label);
  std::uint32_t here() const { return static_cast<std::uint32_t>(size_); }

  int awaiting_ = 0;  // displacements
};

}  // namespace pto::jit::xbyak

// Which legal specs the PTO assembler cannot express, and the extents of those it can. Facts about
// the assembler of 2026 as its public sources state them.
#pragma once

#include <array>

#include "ir/amount.h"
#include "ir/diagnostic.h"
#include "targets/verify.h"

namespace pto::jit {

// Why the assembler cannot express a spec: one diagnostic a reason, none when it can.
Diagnostics assembler_limits(const LegalSpec& legal);

// Every extent and stride of a spec without limits, as the module writes it. Of two extents that a
// rule ties, one is asked for; what a rule fixes is a number.
class AssemblerExtents {
 public:
  explicit AssemblerExtents(const LegalSpec& legal);

  const Amount& of(Dim dim) const { return amounts_[static_cast<std::size_t>(dim)]; }
  bool is_in_type(Dim dim) const { return in_type_[static_cast<std::size_t>(dim)]; }

 private:
  void pair(const LegalSpec& legal);
  void size_stage(const KernelSpec& spec);

  std::array<Amount, kDims> amounts_{};
  std::array<bool, kDims> in_type_{};
};

}  // namespace pto::jit

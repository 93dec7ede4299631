// Which legal specs the PTO assembler cannot express, and the extents of those it can. Facts about
// assembler 0.60 (August 2026) as its public sources state them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "ir/amount.h"
#include "ir/diagnostic.h"
#include "targets/verify.h"

namespace pto::jit {

// Why the assembler cannot express a spec: one diagnostic a reason, none when it can.
Diagnostics assembler_limits(const LegalSpec& legal);

// Whether the kernel's writes may still lie in the data cache when it ends.
bool leaves_writes_cached(const LegalSpec& legal);

// A tile as a module declares it. What is valid at the call and what is loaded or stored are the
// same for most.
struct AssemblerTile {
  Tile type;                      // runtime where the type does not state a valid extent
  std::array<Amount, 2> valid{};  // rows and columns at the call
  std::array<Amount, 2> moved{};
  std::int64_t column_grain = 1;  // columns at the call are rounded up to a multiple of it
  bool is_zero_padded = false;    // a load fills the rest of a row's last 32 bytes with zeros

  bool is_reshaped() const { return valid != moved || column_grain > 1; }
};

// Every extent and stride of a spec without limits, as the module writes it. Of two extents that a
// rule ties, one is asked for; what a rule fixes is a number.
class AssemblerExtents {
 public:
  explicit AssemblerExtents(const LegalSpec& legal);

  const Amount& of(Dim dim) const { return amounts_[static_cast<std::size_t>(dim)]; }
  bool is_in_type(Dim dim) const { return in_type_[static_cast<std::size_t>(dim)]; }

  AssemblerTile tile(Role role) const;

  // Nothing is done when this is zero.
  const std::optional<Amount>& capacity() const { return capacity_; }

  // Of local memory, as the assembler places the tiles.
  std::int64_t bytes() const;

 private:
  void pair(const LegalSpec& legal);
  void size_stage(const KernelSpec& spec);
  AssemblerTile declared(Role role) const;
  AssemblerTile indexed() const;
  bool has_partial_group() const;

  const KernelSpec& spec_;
  std::int64_t offset_group_;
  std::array<Amount, kDims> amounts_{};
  std::array<bool, kDims> in_type_{};
  std::optional<Amount> capacity_;
};

}  // namespace pto::jit

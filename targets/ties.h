// Ties: extents that a rule makes equal, or equal up to a factor. They are rules to check, and ways
// to fill in an extent from another that is bound.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "ir/operands.h"
#include "ir/quantity.h"
#include "targets/profile.h"

namespace pto::jit {

enum class TieKind : std::uint8_t { IndexShape, LeadingOnes, RowWidth, NzBlock, StoreShape, Group };

// left * left_factor == (right ? *right : 1) * right_factor
struct Tie {
  TieKind kind;
  Dim left;
  std::int64_t left_factor;
  std::optional<Dim> right;
  std::int64_t right_factor;
};

class Ties {
 public:
  const Tie* begin() const { return ties_.data(); }
  const Tie* end() const { return ties_.data() + count_; }
  void add(const Tie& tie) { ties_[count_++] = tie; }
  void equal(TieKind kind, Dim left, Dim right) { add({kind, left, 1, right, 1}); }
  void fixed(TieKind kind, Dim left, std::int64_t value) { add({kind, left, 1, {}, value}); }

 private:
  std::array<Tie, 8> ties_;  // the first `count_`; the rest is never read
  std::size_t count_ = 0;
};

Ties ties_of(const KernelSpec& spec, const Profile& profile);

Truth holds(const Tie& tie, const KernelSpec& spec);

}  // namespace pto::jit

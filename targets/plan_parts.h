// The parts a plan is put together from, each normalised: what is done alike is written alike.
#pragma once

#include <array>
#include <cstdint>

#include "ir/amount.h"
#include "ir/operands.h"
#include "ir/plan.h"
#include "ir/spec.h"

namespace pto::jit {

// Bytes from one row, and from one column, of a tile to the next.
struct TileSteps {
  std::int64_t row;
  std::int64_t col;
};

TileSteps steps_of(const Tile& tile);

// Bytes from one index of each of a table's dimensions to the next.
std::array<Amount, 5> steps_of(const KernelSpec& spec, Role role);

// Adds loops outermost first, leaving out those that run once and joining those that continue one
// another.
class WalkBuilder {
 public:
  explicit WalkBuilder(KernelPlan& plan) : plan_(plan) { plan_.level_count = 0; }

  void add(const Level& level);
  void finish();

 private:
  KernelPlan& plan_;
};

// Adds digits least significant first; one whose step continues the digit below widens it.
class AddressBuilder {
 public:
  explicit AddressBuilder(KernelPlan& plan) : plan_(plan) {}

  void add(const Amount& radix, const Amount& step);
  void finish(const Amount& step) { add(0, step); }

 private:
  KernelPlan& plan_;
};

// Leaves out repeats that run once, and makes one run of those that follow one another.
void set_unit(KernelPlan& plan, const MoveUnit& unit);

}  // namespace pto::jit

#include "tests/fuzz/plant.h"

#include <algorithm>
#include <array>

namespace pto::jit::tests {
namespace {

const Plant* current = nullptr;

// Three indices at a time, which no loop is made for: the last ones are read from behind the tile.
void read_beyond(const KernelSpec& spec, KernelPlan&, StrategyWish& wish) {
  if (spec.op != Op::MScatter || spec.oob == Oob::Undefined) return;
  wish = {.form = UnitForm::Lanes, .group = 3};
}

// Large unsigned numbers become the smaller ones.
void compare_as_signed(const KernelSpec& spec, KernelPlan& plan, StrategyWish&) {
  if (spec.atomic == Atomic::Max && plan.number == DType::U32) plan.number = DType::I32;
}

constexpr std::array kPlants = {Plant{"read", read_beyond}, Plant{"result", compare_as_signed}};

}  // namespace

std::span<const Plant> all_plants() { return kPlants; }

bool plant(std::string_view name) {
  const auto found = std::ranges::find(kPlants, name, &Plant::name);
  current = found == kPlants.end() ? nullptr : &*found;
  return current != nullptr;
}

const Plant* planted() { return current; }

}  // namespace pto::jit::tests

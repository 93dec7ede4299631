// The forms in which units can be moved, as rows of one table: whatever is asked about a form is
// read from the row that serves a plan on a host.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>

#include "ir/plan.h"
#include "jit/options/strategy_wish.h"
#include "runtime/host/host_features.h"

namespace pto::jit {

struct FormRow {
  UnitForm form;
  FeatureLevel level;  // the lowest that has its instructions
  bool (*fits)(const KernelPlan& plan, const HostFeatures& host);
  bool (*is_preferred)(const KernelPlan& plan, const HostFeatures& host);  // where it fits
  int (*group)(const KernelPlan& plan, int vector_bytes);                  // indices taken at once
  bool masks_rest;  // with AVX-512, what is left of a group is moved as a vector too
};

// The row of the wished form, where it has one that fits; else of the preferred form.
const FormRow& form_row(const KernelPlan& plan, const HostFeatures& host,
                        std::optional<UnitForm> wished);

// Whether a form goes through the tile, where the plan goes through the indices: reads may be made
// in any order.
bool goes_across(UnitForm form, const KernelPlan& plan);
KernelPlan walked_by(UnitForm form, const KernelPlan& plan);

inline bool is_power_of_two(const Amount& amount) {
  return amount.is_static() && std::has_single_bit(static_cast<std::uint64_t>(amount.factor));
}

// What an address can multiply a register with.
inline bool is_scale(const Amount& step) {
  return step.is(1) || step.is(2) || step.is(4) || step.is(8);
}

}  // namespace pto::jit

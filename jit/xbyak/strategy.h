// Strategy: how this host does a plan fast. Never what it means.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "ir/plan.h"
#include "jit/strategy_wish.h"
#include "runtime/host/host_features.h"

namespace pto::jit {

struct Strategy {
  bool avx2 = false;  // with F16C and BMI2
  bool avx512 = false;
  bool fp16 = false;  // f16 is added as it is
  UnitForm form = UnitForm::Lanes;
  std::uint8_t group = 1;          // indices taken at once
  std::uint8_t prefetch = 0;       // indices ahead whose rows are asked for; 0: none
  std::int64_t prefetch_from = 0;  // bytes of table below which they are not
  std::int64_t backward = 0;       // newest first from this many indices for 100 slots; 0: never
  std::int64_t stream_from = 0;  // bytes of table from which stores go around the caches; 0: never
  std::int64_t string_from = 0;  // bytes of a run from which `rep movsb` copies it; 0: never

  bool operator==(const Strategy&) const = default;
};

Strategy choose_strategy(const KernelPlan& plan, const HostFeatures& host,
                         const StrategyWish& wish = {});

// Whether the walk's innermost loop reads neighbouring indices and fills evenly spaced places, so
// that several can be taken at once; and if not, why.
bool indices_come_in_groups(const KernelPlan& plan);
std::string_view reason_for_singles(const KernelPlan& plan);

// The distance of spread elements, in elements, when a plan spreads; else 0.
int spread_of(const KernelPlan& plan);

// The most bytes a run can have, as far as the plan tells: rows end before the tile's next row.
std::int64_t longest_run(const KernelPlan& plan);

// What a form can do at all, whatever else would be chosen.
bool can_use(const KernelPlan& plan, const HostFeatures& host, UnitForm form);

// One line, as `ptojit plan` shows it.
std::string print(const Strategy& strategy);

}  // namespace pto::jit

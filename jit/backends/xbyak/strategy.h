// Strategy: how this host does a plan fast. Never what it means.
#pragma once

#include <cstdint>
#include <string>

#include "ir/plan.h"
#include "ir/plan_facts.h"
#include "jit/options/strategy_wish.h"
#include "runtime/host/host_features.h"

namespace pto::jit {

inline constexpr int kStreamedRow = 128;  // bytes of a row that has a whole line anywhere
inline constexpr int kFarAhead = 64;  // indices: rows asked for so early wait in the second cache

struct Strategy {
  static constexpr std::int64_t kMostAside = 512;

  bool avx2 = false;  // with F16C and BMI2
  bool avx512 = false;
  bool fp16 = false;  // f16 is added as it is
  UnitForm form = UnitForm::Lanes;
  std::uint8_t group = 1;          // indices taken at once
  bool masks_rest = false;         // what is left of a group is moved as a vector too
  std::uint8_t prefetch = 0;       // indices ahead whose rows are asked for; 0: none
  std::uint8_t own_ahead = 0;      // the same of a part's own slots
  std::uint8_t lines = 1;          // of 64 bytes that are asked for, of each such row at most
  std::int64_t prefetch_from = 0;  // bytes of table below which they are not
  std::int64_t backward = 0;       // newest first from this many indices for 100 slots; 0: never
  std::int64_t aside = 0;   // bytes of a unit up to which one out of range is moved aside; 0: never
  bool over = false;        // groups of which none is in range are jumped over
  bool singles = false;     // indices are resolved one by one, in no vector
  bool vector = false;      // rows have their indices out of a vector, not from memory
  bool scan = false;        // resolves indices from the first group on that has one out of range
  std::int64_t strip = 0;   // so many of them at once, through memory; 0: a group at a time
  std::int64_t halves = 0;  // bytes of a scattered row up to which lines are read by halves
  bool whole = false;       // runs of 65 to 127 bytes begin with a piece of 64
  // Bytes of what is written, the table, all rows of the tile or all that goes to ranks, from which
  // stores go around the caches; 0: never.
  std::int64_t stream_from = 0;
  std::int64_t string_from = 0;  // bytes of a run from which `rep movsb` copies it; 0: never

  bool operator==(const Strategy&) const = default;
};

Strategy choose_strategy(const KernelPlan& plan, const HostFeatures& host,
                         const StrategyWish& wish = {});

// The level of instructions it is for.
FeatureLevel level_of(const Strategy& strategy);

// One line, as `ptojit plan` shows it.
std::string print(const Strategy& strategy);

}  // namespace pto::jit

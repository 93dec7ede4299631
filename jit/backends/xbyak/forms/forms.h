// Every form there is. A new one is a class beside these, a member and a case here, and a row in
// the strategy.
#pragma once

#include "jit/backends/xbyak/forms/batches.h"
#include "jit/backends/xbyak/forms/gather.h"
#include "jit/backends/xbyak/forms/picks.h"
#include "jit/backends/xbyak/forms/registers.h"
#include "jit/backends/xbyak/forms/spread.h"

namespace pto::jit::xbyak {

class Forms {
 public:
  struct Tools {
    Elements& elements;
    LaneResolver& lane_resolver;
    Lanes& lanes;
  };
  Forms(const Task& task, const Tools& tools)
      : none_(task),
        gather_(task, tools.lane_resolver),
        registers_(task),
        spread_(task),
        batches_(task, tools.elements, tools.lanes),
        picks_(task, tools.lanes) {}

  VectorForm& of(UnitForm form) {
    switch (form) {
      case UnitForm::Lanes:
      case UnitForm::Own: return none_;
      case UnitForm::Gather:
      case UnitForm::Scatter: return gather_;
      case UnitForm::Registers: return registers_;
      case UnitForm::Spread: return spread_;
      case UnitForm::Batches: return batches_;
      case UnitForm::Picks: return picks_;
    }
    __builtin_unreachable();
  }

 private:
  VectorForm none_;
  GatherForm gather_;
  RegistersForm registers_;
  SpreadForm spread_;
  BatchesForm batches_;
  PicksForm picks_;
};

}  // namespace pto::jit::xbyak

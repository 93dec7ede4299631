// The parts of the emitter, put together for one kernel. The emitters of all its walks share them.
#pragma once

#include "jit/backends/xbyak/forms/forms.h"
#include "jit/backends/xbyak/frame_pointers.h"
#include "jit/backends/xbyak/levels.h"
#include "jit/backends/xbyak/own_slots.h"
#include "jit/backends/xbyak/resolver.h"

namespace pto::jit::xbyak {

struct Parts {
  Parts(Assembler& a, const KernelPlan& plan, const Strategy& strategy) : task{a, plan, strategy} {}

  const Task task;
  Elements elements{task.a, task.plan.number, task.plan.combine};
  FramePointers pointers{task};
  Resolver resolver{task};
  LaneResolver lane_resolver{task, resolver};
  Units units{task, elements};
  Aside aside{task, units};
  Lanes lanes{task, {resolver, units, aside}};
  Forms forms{task, {elements, lane_resolver, lanes}};
  VectorForm& form = forms.of(task.strategy.form);
  OwnSlots own{task, resolver};
  Prefetch prefetch{task, resolver};
  GroupLoop groups{task, {form, resolver, lane_resolver, prefetch, elements, aside}};
  Levels levels{task, groups, resolver, prefetch};
};

}  // namespace pto::jit::xbyak

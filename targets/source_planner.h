// make_source_plan: how a legal spec is written for its device.
#pragma once

#include <optional>
#include <string>

#include "ir/result.h"
#include "targets/source_plan.h"
#include "targets/verify.h"

namespace pto::jit {

struct SourceChoice {
  bool is_expanded = false;  // written out in the device's primitives
  std::optional<Placement> placement =
      {};                 // by default by the text, where there is something to place
  std::string name = {};  // of the kernel; by default made of the mnemonic
};

// Legal specs have a plan, except for audited ones and the few that no transfer of the device can
// carry out.
Result<SourcePlan> make_source_plan(const LegalSpec& legal, const SourceChoice& choice = {});

}  // namespace pto::jit

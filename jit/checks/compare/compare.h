// One operation on several targets and by several backends, on the same made-up memory: where the
// results differ, and why.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ir/result.h"
#include "ir/spec.h"
#include "jit/checks/compare/reasons.h"
#include "runtime/kernel.h"
#include "targets/binding.h"

namespace pto::jit {

struct CompareRequest {
  KernelSpec spec;  // of any target
  std::vector<Target> targets;
  std::vector<Backend> backends;
  std::vector<Binding> bindings;
  std::uint32_t seed = 1;
};

// A target and what it says of the spec.
struct Judged {
  Target target = Target::Cpu;
  bool is_legal = false;
  Diagnostics said;  // broken rules, or notes
};

struct Mismatch {
  std::string place;  // "table[17]", "dst[3,4]"
  std::string first;
  std::string second;
};

// Two runs that left different memory.
struct Difference {
  std::string first;  // "a5", "a5 by llvm"
  std::string second;
  std::int64_t count = 0;  // elements
  std::vector<Mismatch> some;
  std::vector<Reason> reasons;  // none between backends: that is a defect of this library
};

struct Comparison {
  std::vector<Judged> targets;
  std::vector<Difference> differences;  // from the first legal target, the spec's own if it is one
  std::vector<Reason> unseen;           // differences of meaning that these data do not show
};

// Fails when no target takes the spec, or when its runtime dimensions have no values.
Result<Comparison> compare(const CompareRequest& request);

// The operation as another target has it, or why it does not. One that always keeps the last writer
// does the same without a conflict policy.
Result<LegalSpec> on_target(KernelSpec spec, Target target);

// "-3.5", "17", "0x3f" for what is only moved.
std::string value_text(DType dtype, const std::byte* at);

}  // namespace pto::jit

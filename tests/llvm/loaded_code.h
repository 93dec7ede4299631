// Running loaded code here: machines at the levels of this host, code as something to call, and
// whether it does what the interpreter does.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ir/frame.h"
#include "ir/interpreter.h"
#include "ir/spec_text.h"
#include "jit/backends/llvm/llvm_backend.h"
#include "runtime/host/host_features.h"
#include "targets/planner.h"
#include "tests/support/host_levels.h"
#include "tests/support/workload.h"

namespace pto::jit::tests {

inline llvm_backend::MachineTarget target_at(FeatureLevel level) {
  return llvm_backend::host_target(with_level(host_features(), level));
}

inline LegalSpec legal_spec(const std::string& text) {
  const Result<KernelSpec> spec = parse(text);
  EXPECT_TRUE(spec) << text;
  const Result<LegalSpec> legal = verify(*spec);
  EXPECT_TRUE(legal) << render(legal.error());
  return *legal;
}

inline Result<llvm_backend::LoadedCode> loaded(const llvm_backend::LlvmJit& jit,
                                               const LegalSpec& legal,
                                               const std::string& symbol = "kernel") {
  const Result<std::vector<std::byte>> object = jit.compile(make_plan(legal), symbol);
  if (!object) return object.error();
  return jit.load_object(*object, symbol);
}

inline std::function<void(const Frame&)> calls(const llvm_backend::LoadedCode& code) {
  return [entry = code.entry()](const Frame& frame) { entry(&frame); };
}

// Nothing where the pattern does not apply.
inline void expect_agreement(const LegalSpec& legal, const KernelSpec& bound, Pattern pattern,
                             const llvm_backend::LoadedCode& code) {
  const std::optional<Workload> load = make_workload(legal, bound, pattern, 3);
  if (!load) return;
  const Image expected =
      run_guarded(*load, Guard::Behind, [&](const Frame& frame) { interpret(load->plan, frame); });
  for (const Guard guard : {Guard::Behind, Guard::Before}) {
    EXPECT_EQ(difference(*load, expected, run_guarded(*load, guard, calls(code))), "");
  }
}

}  // namespace pto::jit::tests

#include "jit/checks/host_check.h"

#include "ir/interpreter.h"
#include "ir/spec_text.h"
#include "jit/checks/made_up.h"

namespace pto::jit::cli {
namespace {

Result<Done> run_pattern(const BoundSpec& bound, const HostCode& code, IndexPattern pattern) {
  const Result<OperandStore> memory = made_up_operands(bound, pattern);
  if (!memory) return memory.error();
  const OperandStore expected = memory->copy_for(bound.spec(), bound.plan());
  interpret(bound.plan(), expected.frame());
  code(memory->frame());
  if (memory->holds_same(expected) && memory->report() == expected.report()) return Done{};
  return error("check.result", "with " + std::string(name_of(pattern)) +
                                   " indices the code leaves other memory than the interpreter");
}

}  // namespace

Result<std::string> check_host(const LegalSpec& legal, const HostCode& code,
                               const std::vector<Binding>& bindings) {
  const Result<BoundSpec> bound = made_up_binding(legal, bindings);
  if (!bound) return bound.error();
  const std::vector<IndexPattern> patterns = patterns_for(bound->plan());
  for (const IndexPattern pattern : patterns) {
    if (Result<Done> done = run_pattern(*bound, code, pattern); !done) return done.error();
  }
  const std::string times = patterns.size() == 1 ? " time" : " times";
  return "run " + std::to_string(patterns.size()) + times + " on this host as " +
         print(bound->spec()) + ": memory equal to the interpreter's";
}

}  // namespace pto::jit::cli

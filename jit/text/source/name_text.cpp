#include "ir/function_name.h"
#include "jit/text/source/kernel_text.h"

namespace pto::jit::source {

std::optional<Diagnostic> refuse_name(const SourcePlan& plan) {
  SourcePlan nameless = plan;
  nameless.name = {};
  if (!has_word(kernel_text(nameless) + launch_text(nameless), plan.name)) return std::nullopt;
  return bad_name(plan.name, "the kernel's text uses the word for something else");
}

}  // namespace pto::jit::source

// The host's part of a kernel's text.
#include "jit/text/source/kernel_text.h"
#include "jit/text/source/text_writer.h"
#include "jit/text/source/type_text.h"

namespace pto::jit::source {
namespace {

constexpr std::string_view kLaunch = R"(
// Runs the kernel on a stream; pointers are to memory of the device.
void launch_$name($parameters, void* stream) {
$pointers#ifdef __CPU_SIM
  (void)stream;
  $name($arguments);
#else
$request  $name<<<1, $bytes, stream>>>($arguments);
#endif
}
)";

constexpr std::string_view kDirectCall = R"(
// Runs the kernel in the simulator.
void run_$name($parameters) {
$pointers  $name($arguments);
}
)";

constexpr std::string_view kCcu = R"(
// Every rank registers and launches the collective's own kernel first (HcclCcuKernelRegister,
// HcclCcuKernelLaunch); `context` then names the gate that this kernel opens.
)";

struct Parameter {
  std::string declared;
  std::string passed;
  std::string made = {};  // the line that makes what is passed
};

std::vector<Parameter> parameters_of(const SourcePlan& plan) {
  std::vector<Parameter> out;
  const auto pointer = [&](const std::string& name, std::string_view type) {
    const std::string typed = "__gm__ " + std::string(type) + "*";
    out.push_back({"void* " + name, name + "Gm",
                   "  " + typed + " " + name + "Gm = (" + typed + ")" + name + ";\n"});
  };
  for (const TensorPlan& tensor : plan.tensors) pointer(tensor.name, type_name(tensor.dtype));
  if (plan.group) pointer("dst", "uint64_t");
  for (const ExtentParameter& extent : plan.extents)
    out.push_back({"int64_t " + extent.name, extent.name});
  if (plan.group && !plan.group->is_triggered) out.push_back({"int64_t myRank", "myRank"});
  if (plan.group && plan.group->is_triggered)
    out.push_back({"const comm::CcuTriggerContext& context", "context"});
  return out;
}

}  // namespace

std::string launch_text(const SourcePlan& plan) {
  std::vector<std::string> declared;
  std::vector<std::string> passed;
  std::string pointers;
  for (const Parameter& parameter : parameters_of(plan)) {
    pointers += parameter.made;
    declared.push_back(parameter.declared);
    passed.push_back(parameter.passed);
  }
  const bool asks = plan.dynamic_bytes > 0;
  const std::string request =
      "  constexpr uint32_t dynUBufSize = " + std::to_string(plan.dynamic_bytes) + ";\n";
  TextWriter out;
  if (plan.group && plan.group->is_triggered) out.lines(kCcu);
  out.lines(plan.is_launched ? kLaunch : kDirectCall,
            {{"name", plan.name},
             {"parameters", joined(declared)},
             {"pointers", pointers},
             {"arguments", joined(passed)},
             {"request", asks ? request : ""},
             {"bytes", asks ? "dynUBufSize" : "nullptr"}});
  return out.take();
}

}  // namespace pto::jit::source

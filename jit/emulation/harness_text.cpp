#include "jit/emulation/harness_text.h"

#include "jit/source/text_writer.h"

namespace pto::jit::source {
namespace {

// Includes nothing that a kernel has to include for itself.
constexpr std::string_view kHead = R"(
#include <cstddef>
#include <cstdint>
#include <pto/emulation/machine.hpp>
#include <pto/emulation/target.hpp>
#include <string>

namespace harness {

struct Buffer {
  const char* name;
  void* data;
  std::size_t bytes;
};

template <typename Kernel>
const char* run(const Buffer* buffers, std::size_t count, std::int64_t dynamic_bytes,
                Kernel&& kernel) {
  static thread_local std::string text;
  text.clear();
  pto::emulation::Machine machine(pto::kTarget, dynamic_bytes);
  for (std::size_t i = 0; i < count; ++i)
    machine.add_memory(buffers[i].name, buffers[i].data, buffers[i].bytes);
  for (const pto::emulation::Report& report : machine.run(kernel))
    text += std::string(name_of(report.kind)) + ": " + report.message + "\n";
  return text.c_str();
}

}  // namespace harness
)";

constexpr std::string_view kRun = R"(
extern "C" const char* emulate_$name(const harness::Buffer* buffers, std::size_t count,
                                     [[maybe_unused]] const std::int64_t* extents) {
  return harness::run(buffers, count, $bytes, [&] { $entry_$name($arguments); });
}
)";

}  // namespace

std::string harness_head() {
  TextWriter out;
  out.lines(kHead);
  return out.take();
}

std::string harness_text(const SourcePlan& plan) {
  std::vector<std::string> arguments;
  const std::size_t pointers = plan.tensors.size() + (plan.group ? 1 : 0);
  for (std::size_t i = 0; i < pointers; ++i)
    arguments.push_back("buffers[" + std::to_string(i) + "].data");
  for (std::size_t i = 0; i < plan.extents.size(); ++i)
    arguments.push_back("extents[" + std::to_string(i) + "]");
  if (plan.group && plan.group->is_triggered) arguments.emplace_back("{}");
  if (plan.group && !plan.group->is_triggered)
    arguments.push_back(std::to_string(plan.group->root));
  if (plan.is_launched) arguments.emplace_back("nullptr");
  TextWriter out;
  out.lines(kRun, {{"name", plan.name},
                   {"entry", plan.is_launched ? "launch" : "run"},
                   {"bytes", std::to_string(plan.dynamic_bytes)},
                   {"arguments", joined(arguments)}});
  return out.take();
}

}  // namespace pto::jit::source

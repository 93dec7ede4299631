#include "jit/cli/source_check.h"

#include "ir/spec_text.h"
#include "jit/cli/made_up.h"
#include "jit/emulation/host_program.h"
#include "jit/source/kernel_text.h"
#include "targets/planner.h"

namespace pto::jit::cli {
namespace {

Result<HostProgram> build(const SourcePlan& plan) {
  const bool is_auto = plan.placement == Placement::Auto;
  return HostProgram::build({source::harness_head() + source::kernel_text(plan) +
                                 source::launch_text(plan) + source::harness_text(plan),
                             std::string(plan.host_flags) + (is_auto ? " -D__PTO_AUTO__" : "")});
}

// The kernel's pointers in their order, then the memory it finds by address.
std::vector<source::HostBuffer> buffers_of(const KernelSpec& spec, MadeUpMemory& memory,
                                           std::vector<std::uint64_t>& addresses) {
  std::vector<source::HostBuffer> out;
  const auto add = [&](std::string_view name, std::vector<std::byte>& bytes) {
    out.push_back({name.data(), bytes.data(), bytes.size()});
  };
  for (const Operand& operand : operands_of(spec.op)) {
    const bool is_memory = spec.op != Op::CommTScatter || operand.role == Role::Table;
    if (is_memory) add(operand.name, memory.of(operand.role));
  }
  if (memory.ranks.empty()) return out;
  for (std::vector<std::byte>& rank : memory.ranks)
    addresses.push_back(reinterpret_cast<std::uint64_t>(rank.data()));
  out.push_back({"dst", addresses.data(), addresses.size() * sizeof(std::uint64_t)});
  for (std::vector<std::byte>& rank : memory.ranks) add("rank", rank);
  return out;
}

struct CheckedKernel {
  const SourcePlan& plan;
  const HostProgram& program;
  const KernelSpec& bound;
  const KernelPlan& meaning;
};

Result<Done> run_pattern(const CheckedKernel& kernel, IndexPattern pattern) {
  Result<MadeUpMemory> memory = made_up_memory(kernel.bound, kernel.meaning, pattern);
  if (!memory) return memory.error();
  MadeUpMemory expected = *memory;
  interpret_on(kernel.bound, kernel.meaning, expected);
  const std::array<std::int64_t, kDims> values = extents_of(kernel.bound);
  std::vector<std::int64_t> extents;
  for (const ExtentParameter& extent : kernel.plan.extents)
    extents.push_back(values[static_cast<std::size_t>(extent.dim)]);
  std::vector<std::uint64_t> addresses;
  const std::vector<source::HostBuffer> buffers = buffers_of(kernel.bound, *memory, addresses);
  const Result<std::string> reports = kernel.program.run(kernel.plan.name, buffers, extents);
  if (!reports) return reports.error();
  const std::string where = std::string(name_of(pattern)) + " indices";
  if (!reports->empty())
    return error("check.report", "the emulation reports, with " + where + ":\n" + *reports);
  if (!(*memory == expected))
    return error("check.result",
                 "with " + where + " the kernel leaves other memory than the interpreter");
  return Done{};
}

std::string count_text(std::size_t count, std::string_view what) {
  return std::to_string(count) + " " + std::string(what) + (count == 1 ? "" : "s");
}

}  // namespace

Result<std::string> check_source(const LegalSpec& legal, const SourcePlan& plan,
                                 const std::vector<Binding>& bindings) {
  if (plan.host_flags.empty())
    return error("check.target", "there is no emulation of the simulator to check the text in");
  const Result<KernelSpec> bound = made_up_binding(legal, bindings);
  if (!bound) return bound.error();
  const Result<HostProgram> program = build(plan);
  if (!program) return program.error();
  const std::string compiled = "compiled by " + *host_compiler() + " without a warning";
  if (plan.group && plan.group->is_triggered)
    return compiled + ", not run: the CCU is not emulated";
  const KernelPlan meaning = make_plan(legal);
  const bool has_policy = meaning.oob != Oob::Undefined;
  std::size_t runs = 0;
  for (const IndexPattern pattern : kIndexPatterns) {
    if (runs > 0 && !meaning.has_index()) break;
    if (pattern == IndexPattern::Beyond && !has_policy) continue;
    if (Result<Done> done = run_pattern({plan, *program, *bound, meaning}, pattern); !done)
      return done.error();
    ++runs;
  }
  return compiled + ", run " + count_text(runs, "time") + " in the emulation as " + print(*bound) +
         ": nothing reported, memory equal to the interpreter's";
}

}  // namespace pto::jit::cli

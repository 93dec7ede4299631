// A kernel's text put to the test: compiled by the host's compiler, run in the emulation, and
// compared with what the interpreter leaves in the same memory.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "ir/result.h"
#include "jit/checks/emulation/host_program.h"
#include "jit/checks/made_up.h"
#include "jit/checks/trace.h"
#include "jit/files/operand_inputs.h"
#include "targets/binding.h"
#include "targets/source_plan.h"

namespace pto::jit::cli {

// Memory and extents are made up where nothing is given.
struct CheckInputs {
  std::vector<Binding> bindings = {};
  std::vector<OperandInput> given = {};
  std::uint32_t seconds = 60;  // that one run may take
};

struct Checked {
  std::string compiler;
  std::string spec = {};            // with every value bound
  std::vector<NamedRun> runs = {};  // none: what it does is not emulated
  bool is_free_of_warnings = true;
};

// The memory of one run: made up, but for what files hold.
Result<OperandStore> run_operands(const BoundSpec& bound, const CheckInputs& inputs,
                                  IndexPattern pattern);

// "3 elements of table, the first at 17"; empty when there is none.
std::string difference(const OperandStore& actual, const OperandStore& expected,
                       const KernelSpec& spec);

// Whether a file holds the operands of this role.
bool is_given(const CheckInputs& inputs, Role role);

// The text a plan becomes, with what it takes to run it.
HostUnit unit_of(const SourcePlan& plan);

// An error when the text is refused, reported on, or wrong. `unit` has the kernel of `plan`.
Result<Checked> check_kernel(const LegalSpec& legal, const SourcePlan& plan, const HostUnit& unit,
                             const CheckInputs& inputs);

// Whether the kernel itself, or its form, is found wanting, and not what it takes to check it.
bool is_about_kernel(const Diagnostics& found);

// What was done, in sentences, and as data.
std::string describe(const Checked& checked);
nlohmann::json to_json(const Checked& checked);

}  // namespace pto::jit::cli

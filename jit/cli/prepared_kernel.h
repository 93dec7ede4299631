// What run and audit share: from their options to a kernel that has been called on its operands.
#pragma once

#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "jit/cli/command.h"
#include "jit/cli/index_place.h"
#include "jit/cli/operand_files.h"
#include "jit/cli/operand_memory.h"
#include "targets/verify.h"

namespace pto::jit::cli {

struct KernelOptions {
  std::string spec;
  std::vector<std::string> in;
  std::vector<std::string> out;
  std::vector<std::string> bind;
  std::string backend;
  bool json = false;
};

void add_kernel_options(CLI::App& command, KernelOptions& options);

struct PreparedKernel {
  LegalSpec legal;
  BoundKernel kernel;
  OperandFiles files;
};

// Or how the command ends instead: Exit::Broken for a rule, Exit::Unusable for everything else.
// For an audit the spec becomes its audited variant.
std::variant<PreparedKernel, Ending> prepare(const KernelOptions& options, Purpose purpose);

struct Finding {
  std::int64_t count = 0;
  IndexPlace first;  // where there is one
};

// What an audited kernel found; nothing in others.
struct Findings {
  std::int64_t indices = 0;  // looked at
  Finding out_of_bounds;
  Finding collisions;
};

// Loads the operands, calls the kernel and writes its results.
Result<Findings> call_prepared(const PreparedKernel& prepared, const std::string& backend);

// The size of every allocation is up to the user's spec and files: what does not fit is an ending
// like any other.
Ending if_it_fits(const std::function<Ending()>& work);

}  // namespace pto::jit::cli

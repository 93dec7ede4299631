// What run and audit share: from their options to a kernel that has been called on its operands.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "jit/calls/index_place.h"
#include "jit/doors/cli/arguments.h"
#include "jit/doors/cli/command.h"
#include "jit/doors/cli/thread_options.h"
#include "jit/files/operand_files.h"
#include "jit/files/operand_inputs.h"
#include "runtime/kernel.h"
#include "targets/binding.h"

namespace pto::jit::cli {

struct KernelOptions {
  std::string spec;
  std::vector<std::string> in;
  std::vector<std::string> out;
  std::vector<std::string> bind;
  Result<Backend> backend = Backend::Auto;
  ThreadOptions threads = {};  // of run
  bool json = false;
};

void add_kernel_options(Arguments& command, KernelOptions& options);

// Everything that --bind says, as one text.
std::string bind_text(const KernelOptions& options);

// What is to be run, on which files, by whom.
struct KernelRun {
  BoundSpec kernel;
  OperandFiles files;
  std::vector<OperandInput> inputs;
  Backend backend;
  Parallel parallel;
};

// For an audit the spec becomes its audited variant.
Result<KernelRun> prepare(const KernelOptions& options, Purpose purpose);

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
Result<Findings> carry_out(const KernelRun& run);

}  // namespace pto::jit::cli

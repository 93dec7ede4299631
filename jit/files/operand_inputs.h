// The files of --in, opened, and what the shapes of .npy files tell about the runtime dimensions of
// a spec.
#pragma once

#include <span>
#include <vector>

#include "ir/operands.h"
#include "jit/files/input_file.h"
#include "jit/files/operand_files.h"
#include "targets/binding.h"

namespace pto::jit::cli {

struct OperandInput {
  MemoryOperand operand;
  InputFile file;
};

// A pipe has its bytes once, whoever reads them: an error where it is given for two operands.
Result<Done> check_pipes(const KernelSpec& spec, const OperandFiles& files);

Result<std::vector<OperandInput>> open_inputs(const KernelSpec& spec, const OperandFiles& files);

// The given values, and those that arrays tell of what is still open: a table's shape its extents
// and that it is packed, a tile's shape its valid extents. A tile's array of the padded shape may
// be its storage, so it is asked last.
std::vector<Binding> with_told_extents(const LegalSpec& legal, std::vector<Binding> given,
                                       std::span<const OperandInput> inputs);

}  // namespace pto::jit::cli

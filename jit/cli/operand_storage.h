// Operands between files and memory: read into the store of a call, written back from it.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/result.h"
#include "jit/cli/files.h"
#include "jit/cli/operand_files.h"
#include "runtime/operands.h"
#include "targets/binding.h"

namespace pto::jit::cli {

// The shape of an operand's storage: padded rows and cols of a tile in whatever order its layout
// has them, the extents of a table, a table with gaps flat.
std::vector<std::int64_t> storage_shape(const BoundSpec& kernel, Role role);

// Every operand from its file, or zeros where it has none; ranks that no option names have no
// result to keep and share theirs.
Result<OperandStore> load_operands(const BoundSpec& kernel, const OperandFiles& files);

// The written operands as they are now.
std::vector<OutputFile> output_files(const BoundSpec& kernel, const OperandStore& store,
                                     const OperandFiles& files);

}  // namespace pto::jit::cli

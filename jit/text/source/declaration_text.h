// Prints what a kernel declares: type aliases, tensors in global memory, tiles and their places.
#pragma once

#include <string>

#include "jit/text/source/text_writer.h"
#include "targets/source_plan.h"

namespace pto::jit::source {

// A kernel that is written out reaches its table by a pointer, not by a tensor.
std::size_t declared_tensors(const SourcePlan& plan);

void write_types(TextWriter& out, const SourcePlan& plan);
void write_tensor(TextWriter& out, const SourcePlan& plan, const TensorPlan& tensor);
void write_tiles(TextWriter& out, const SourcePlan& plan);

// ", TableShape(tableShape3), TableStride(32)"; nothing when all of it is in the type.
std::string tensor_arguments(const SourcePlan& plan, const TensorPlan& tensor);

}  // namespace pto::jit::source

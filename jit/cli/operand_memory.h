// The operands of one call: read from their files or made of zeros, put into a call frame, and
// turned back into files.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "ir/frame.h"
#include "ir/plan.h"
#include "ir/result.h"
#include "ir/spec.h"
#include "jit/cli/buffer.h"
#include "jit/cli/files.h"
#include "jit/cli/operand_files.h"

namespace pto::jit::cli {

// A kernel whose runtime dimensions have values.
struct BoundKernel {
  KernelSpec spec;
  KernelPlan plan;
};

// The shape of an operand's storage: padded rows and cols of a tile in whatever order its layout
// has them, the extents of a table, a table with gaps flat.
std::vector<std::int64_t> storage_shape(const BoundKernel& kernel, Role role);

class OperandMemory {
 public:
  // Every file is read and checked before this returns.
  static Result<OperandMemory> load(const BoundKernel& kernel, const OperandFiles& files);

  // Points into this object's memory, wherever the object is moved.
  const Frame& frame() const { return frame_; }

  // The written operands as they are now.
  std::vector<OutputFile> outputs(const BoundKernel& kernel, const OperandFiles& files) const;

 private:
  Result<Done> load_operands(const BoundKernel& kernel, const OperandFiles& files);
  Result<Done> load_ranks(const BoundKernel& kernel, const OperandFiles& files);
  Result<std::byte*> load_one(const BoundKernel& kernel, const FileOperand& operand,
                              const std::string& path);
  const Buffer& buffer_of(const FileOperand& operand) const;

  struct Held {
    FileOperand operand;
    Buffer buffer;
  };

  Frame frame_;
  std::vector<Held> held_;
  std::vector<void*> ranks_;
};

}  // namespace pto::jit::cli

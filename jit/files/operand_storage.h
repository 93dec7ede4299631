// Operands between files and memory: what is read is mapped, what is written is written where it
// will stay.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "ir/result.h"
#include "jit/files/mapped_file.h"
#include "jit/files/operand_files.h"
#include "jit/files/operand_inputs.h"
#include "jit/files/output_set.h"
#include "runtime/operands.h"
#include "targets/binding.h"

namespace pto::jit::cli {

class LoadedOperands {
 public:
  // Every operand from its file, or zeros where it has none; ranks that no option names have no
  // result to keep and share theirs. An operand with an output is a staged file of that output.
  static Result<LoadedOperands> load(const BoundSpec& kernel, const OperandFiles& files,
                                     std::span<const OperandInput> inputs);

  const OperandStore& store() const { return *store_; }

  // An error when memory was not what the files should have held.
  Result<Done> check() const;

  // Completes the outputs, then gives them their names.
  Result<Done> fill() { return outputs_.fill(); }
  Result<Done> take_names() { return outputs_.take_names(); }

 private:
  friend class OperandLoader;

  struct Written {
    MemoryOperand operand;
    Output* output;
    std::shared_ptr<const MappedFile> mapping;  // null for what is written in place
  };

  std::vector<InputFile> inputs_;
  OutputSet outputs_;
  std::vector<Written> written_;
  std::optional<OperandStore> store_;
};

}  // namespace pto::jit::cli

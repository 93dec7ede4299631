// What --in and --out say: which operand, and which file.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "ir/operands.h"
#include "ir/result.h"
#include "ir/spec.h"

namespace pto::jit::cli {

struct OperandFile {
  MemoryOperand operand;
  std::string path;
};

struct OperandFiles {
  std::vector<OperandFile> in;
  std::vector<OperandFile> out;

  // Empty when the operand has none.
  std::string input_of(const MemoryOperand& operand) const;
};

// What the files are for. An audit looks at indices: without --out they are all it needs. A check
// makes up what it is not given.
enum class Purpose : std::uint8_t { Run, Audit, Check };

// Each of `in` and `out` is NAME=FILE. Every operand that is read has a file, what is written has
// one at least, and nothing is given twice.
Result<OperandFiles> parse_operand_files(const KernelSpec& spec, std::span<const std::string> in,
                                         std::span<const std::string> out, Purpose purpose);

// The operands that are only read, in the order of the text.
std::vector<MemoryOperand> operands_read(const KernelSpec& spec);

}  // namespace pto::jit::cli

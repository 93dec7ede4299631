// What one instruction does to what is known of registers and stack slots.
#pragma once

#include "tests/machine_code/decoded.h"
#include "tests/machine_code/pointers.h"

namespace pto::jit::tests {

// Whether an operand is memory that is read or written, not an address alone.
bool is_memory(const ZydisDecodedOperand& operand);
bool is_written(const ZydisDecodedOperand& operand);

// Where memory lies, and where without its index.
Known address(const ZydisDecodedOperand& operand, const CodeState& state);
Known base_of(const ZydisDecodedOperand& operand, const CodeState& state);

// Follows an instruction of a kernel of `plan`.
void apply(const Instruction& instruction, const KernelPlan& plan, CodeState& state);

bool stores_around_caches(const Instruction& instruction);

}  // namespace pto::jit::tests

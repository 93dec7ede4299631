// A spec taken all the way: judged, planned, compiled, and run beside inaccessible pages by
// generated code, the interpreter and the model, which must leave the same memory.
#pragma once

#include <cstdint>
#include <string>

#include "targets/verify.h"
#include "tests/fuzz/tally.h"

namespace pto::jit::tests {

// What is wrong with the kernel; empty: nothing. `number` picks the rest, as draws.h has it.
std::string complaint_about_kernel(const LegalSpec& legal, std::uint64_t number, Tally& tally);

}  // namespace pto::jit::tests

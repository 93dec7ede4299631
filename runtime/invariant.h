// What happens when the program itself is wrong: it says so and stops, in every build.
#pragma once

namespace pto::jit {

[[noreturn]] void broken_invariant(const char* what);

}  // namespace pto::jit

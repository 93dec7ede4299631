// A KernelSpec as bytes and back, member by member: any bytes make one, with any value in any
// member, bools that are neither true nor false included.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "ir/spec.h"

namespace pto::jit::tests {

struct Members {
  KernelSpec spec;
  std::uint64_t number = 0;  // behind the spec's
};

// Missing bytes are zeros.
Members members_in(std::string_view bytes);
std::string bytes_of(const Members& members);

}  // namespace pto::jit::tests

// The spec without runtime dimensions that does what another one does with the values of a frame.
#pragma once

#include <optional>
#include <span>

#include "ir/frame.h"
#include "ir/operands.h"
#include "targets/verify.h"

namespace pto::jit {

// `read` is what the kernel of `legal` reads of a frame. Nothing where the values break a rule, for
// runtime dimensions or for static ones, which may not be zero: such a frame needs the kernel that
// reads it.
std::optional<KernelSpec> static_twin(const LegalSpec& legal, const Frame& frame,
                                      std::span<const Dim> read);

}  // namespace pto::jit

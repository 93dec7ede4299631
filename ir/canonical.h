// canonical(spec): the one representative of all specs that cannot differ in meaning.
#pragma once

#include "ir/spec.h"

namespace pto::jit {

// Idempotent. Clears operands and fields the operation does not have, leaves out packed strides and
// strides of extent-one dimensions, and a conflict policy that says what holds anyway.
KernelSpec canonical(const KernelSpec& spec);

// The spec with its padding cleared; and that without the operands and fields its operation does
// not have.
KernelSpec without_junk(const KernelSpec& spec);
KernelSpec own_parts(const KernelSpec& spec);

// True when no stride differs from the packed one, as far as it is known; dimensions of extent one
// never count. A table with runtime strides is not packed until they are bound.
bool is_packed(const Table& table);

}  // namespace pto::jit

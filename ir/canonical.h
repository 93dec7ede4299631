// canonical(spec): the one representative of all specs that cannot differ in meaning, and the key
// made from it.
#pragma once

#include <cstdint>

#include "ir/spec.h"

namespace pto::jit {

// Idempotent. Clears operands and fields the operation does not have, leaves out packed strides and
// strides of extent-one dimensions, and a conflict policy that says what holds anyway.
KernelSpec canonical(const KernelSpec& spec);

// True when no stride differs from the packed one, as far as it is known; dimensions of extent one
// never count. A table with runtime strides is not packed until they are bound.
bool is_packed(const Table& table);

// What a kernel is found by. Two keys are equal exactly when the canonical specs are.
struct SpecKey {
  KernelSpec spec;

  bool operator==(const SpecKey&) const = default;
  std::uint64_t hash() const;
};

SpecKey make_key(const KernelSpec& spec);

}  // namespace pto::jit

// One function for each operation of the model.
#pragma once

#include "ir/spec.h"
#include "tests/model/model.h"

namespace pto::jit::model {

void scatter_to_table(const KernelSpec& spec, const Memory& memory);   // MSCATTER
void gather_from_table(const KernelSpec& spec, const Memory& memory);  // MGATHER
void scatter_to_tile(const KernelSpec& spec, const Memory& memory);    // TSCATTER, index form
void expand_by_mask(const KernelSpec& spec, const Memory& memory);     // TSCATTER, mask form
void gather_by_bytes(const KernelSpec& spec, const Memory& memory);    // TGATHERB
void scatter_to_ranks(const KernelSpec& spec, const Memory& memory);   // TSCATTER, communication

}  // namespace pto::jit::model

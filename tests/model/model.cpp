// Chooses the loop that performs a spec.
#include "tests/model/model.h"

#include "tests/model/operations.h"

namespace pto::jit::model {

void run(const KernelSpec& bound, const Memory& memory) {
  switch (bound.op) {
    case Op::MScatter: return scatter_to_table(bound, memory);
    case Op::MGather: return gather_from_table(bound, memory);
    case Op::TScatter: return scatter_to_tile(bound, memory);
    case Op::TScatterMask: return expand_by_mask(bound, memory);
    case Op::TGatherB: return gather_by_bytes(bound, memory);
    case Op::CommTScatter: return scatter_to_ranks(bound, memory);
  }
}

}  // namespace pto::jit::model

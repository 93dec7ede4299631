#include <string>

#include "jit/mpi/group_state.h"
#include "jit/mpi/put_carrier.h"
#include "jit/ranks/scatter_parts.h"

namespace pto::jit::mpi {
namespace {

Result<Done> move(const ParallelGroup& ranks, MPI_Win window, const CheckedScatter& checked,
                  const CompileOptions& options) {
  if (ranks.bytes() == 0) return Done{};
  if (ranks.is_all_in_reach()) return scatter_directly(ranks, checked, options);
  const Result<Delivery> delivery = make_delivery(checked, options);
  if (!delivery) return delivery.error();
  PutCarrier carrier(window);
  return deliver(ranks, *delivery, carrier);
}

}  // namespace

Result<Done> scatter(Group& group, const KernelSpec& spec, const BufferView& source,
                     const ScatterOptions& options) {
  Group::State& state = *group.state_;
  const auto run = [&]() -> Result<Done> {
    if (group.rank() != group.root()) {
      return error("call.rank", "rank " + std::to_string(group.rank()) +
                                    " called it; only the root, rank " +
                                    std::to_string(group.root()) + ", may");
    }
    const Result<CheckedScatter> checked = check_scatter(state.ranks, spec, source, options);
    if (!checked) return checked.error();
    return move(state.ranks, state.exposed.get(), *checked, options.compile);
  };
  Result<Done> done = run();
  state.shared.sync();
  if (!done) state.last = done;
  return done;
}

}  // namespace pto::jit::mpi

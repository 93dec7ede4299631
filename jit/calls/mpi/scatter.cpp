#include <string>
#include <utility>

#include "jit/calls/mpi/group_state.h"
#include "jit/calls/mpi/put_carrier.h"

namespace pto::jit::mpi {

struct Group::Root {
  State& state;
  const KernelSpec& spec;
  const BufferView& source;
  const ScatterOptions& options;

  Result<Done> run() {
    if (state.rank != state.ranks.root()) {
      return error("call.rank", "rank " + std::to_string(state.rank) +
                                    " called it; only the root, rank " +
                                    std::to_string(state.ranks.root()) + ", may");
    }
    if (!state.ready || !state.ready->asked.is(spec, source, options)) {
      state.ready.reset();
      if (Result<Done> done = prepare(); !done) return done;
    }
    return state.ready ? move(state.ready->move) : Done{};
  }

 private:
  // Nothing is ready where nothing is to be moved.
  Result<Done> prepare() {
    const Result<CheckedScatter> checked = check_scatter(state.ranks, spec, source, options);
    if (!checked) return checked.error();
    if (state.ranks.bytes() == 0) return Done{};
    const auto keep = [&](auto made) -> Result<Done> {
      if (!made) return made.error();
      state.ready = {AskedScatter(spec, source, options), std::move(*made)};
      return Done{};
    };
    return state.ranks.is_all_in_reach()
               ? keep(DirectScatter::make(state.ranks, *checked, options.compile))
               : keep(make_delivery(*checked, options));
  }

  Result<Done> move(std::variant<DirectScatter, Delivery>& ready) {
    if (DirectScatter* direct = std::get_if<DirectScatter>(&ready)) {
      direct->run();
      return Done{};
    }
    PutCarrier carrier(state.exposed.get());
    return deliver(state.ranks, std::get<Delivery>(ready), carrier, state.times);
  }
};

Result<Done> scatter(Group& group, const KernelSpec& spec, const BufferView& source,
                     const ScatterOptions& options) {
  Group::State& state = *group.state_;
  Result<Done> done = Group::Root{state, spec, source, options}.run();
  state.shared.sync();
  if (!done) state.last = done;
  return done;
}

}  // namespace pto::jit::mpi

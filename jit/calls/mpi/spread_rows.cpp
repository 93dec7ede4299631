// gather_rows and scatter_rows: indices go to the owners of their rows, rows go to or from them.
#include <limits>
#include <optional>
#include <string>

#include "jit/calls/mpi/spread_state.h"

namespace pto::jit::mpi {

struct SpreadMove {
  SpreadTable::State& table;
  const KernelSpec& spec;
  const CallArguments& arguments;
  const CompileOptions& options;

  Result<Done> run(Op op) {
    const Result<Route> route = prepare(op);
    if (Result<Done> all = table.all.agree(outcome_of(route)); !all) return all;
    const Result<Meeting> met = meet(table.all.get(), *route, fingerprint());
    if (!met) return met.error();
    if (Result<Done> room = table.all.agree(make_room(*met)); !room) return room;
    const std::byte* named = reinterpret_cast<const std::byte*>(route->rows.data());
    if (Result<Done> asked = exchange(table.all.get(), {named, met->sent, table.asked.bytes.data(),
                                                        met->received, sizeof(std::uint32_t)});
        !asked)
      return asked;
    return table.all.agree(op == Op::MGather ? gather(*route, *met) : scatter(*route, *met));
  }

 private:
  std::byte* out() const { return table.outgoing.bytes.data(); }
  std::byte* in() const { return table.incoming.bytes.data(); }

  // Everything that may be refused is, before the ranks meet.
  Result<Route> prepare(Op op) {
    if (spec.op != op) {
      return error("spread.form", std::string(operation_of(spec.op).text) + " does not do this; " +
                                      std::string(operation_of(op).text) + ".row does");
    }
    if (op == Op::MScatter && table.is_const && table.local_rows > 0)
      return error("call.const", "table is written, and this rank's rows are const");
    Result<SpreadCall> checked = check_spread(table.shape, spec, arguments);
    if (!checked) return checked.error();
    if (Result<Done> owner = check_owner(table.shape, *checked); !owner) return owner.error();
    if (checked->count > std::numeric_limits<int>::max() / table.size) {
      return error("spread.count", std::to_string(checked->count) + " indices are more than " +
                                       std::to_string(table.size) + " ranks can count");
    }
    call = std::move(*checked);
    return route_of(table.shape, *call, table.size);
  }

  std::uint64_t fingerprint() const {
    const KernelSpec& whole = call->whole;
    std::uint64_t out = 0;
    for (const auto part :
         {static_cast<std::uint64_t>(whole.target), static_cast<std::uint64_t>(whole.op),
          static_cast<std::uint64_t>(whole.oob), static_cast<std::uint64_t>(whole.atomic),
          static_cast<std::uint64_t>(whole.conflict),
          static_cast<std::uint64_t>(whole.table.dtype)})
      out = out * 16 + part;
    return (out << 32) + static_cast<std::uint32_t>(whole.data.vc);
  }

  static Result<Done> grow(Storage& storage, std::int64_t bytes) {
    if (std::ssize(storage.bytes) >= bytes && storage.bytes.data() != nullptr) return Done{};
    Result<Storage> larger = zeros(bytes, "the rows that ranks exchange");
    if (!larger) return larger.error();
    storage = std::move(*larger);
    return Done{};
  }

  Result<Done> make_room(const Meeting& met) {
    const bool is_gather = spec.op == Op::MGather;
    const std::int64_t row = call->row_bytes();
    const std::int64_t going = is_gather ? met.received_rows : met.sent_rows;
    const std::int64_t coming = is_gather ? met.sent_rows : met.received_rows;
    if (Result<Done> made = grow(table.asked, met.received_rows * 4); !made) return made;
    if (Result<Done> made = grow(table.outgoing, going * row); !made) return made;
    return grow(table.incoming, coming * row);
  }

  Result<Done> work_on(std::byte* rows, const Meeting& met) const {
    return do_owner_work(
        table.shape, *call,
        {table.memory, table.local_rows,
         reinterpret_cast<const std::uint32_t*>(table.asked.bytes.data()), rows, met.received_rows},
        options);
  }

  Result<Done> gather(const Route& route, const Meeting& met) {
    const Result<Done> worked = work_on(out(), met);
    const Result<Done> swapped =
        exchange(table.all.get(), {out(), met.received, in(), met.sent, call->row_bytes()});
    if (!worked) return worked;
    if (!swapped) return swapped;
    return move_rows(*call, route, in(), options);
  }

  Result<Done> scatter(const Route& route, const Meeting& met) {
    const Result<Done> packed = move_rows(*call, route, out(), options);
    const Result<Done> swapped =
        exchange(table.all.get(), {out(), met.sent, in(), met.received, call->row_bytes()});
    if (!packed) return packed;
    if (!swapped) return swapped;
    return work_on(in(), met);
  }

 public:
  std::optional<SpreadCall> call = {};

  static SpreadTable::State& state_of(SpreadTable& table) { return *table.state_; }
};

Result<Done> gather_rows(SpreadTable& table, const KernelSpec& spec, const CallArguments& arguments,
                         const CompileOptions& options) {
  return SpreadMove{SpreadMove::state_of(table), spec, arguments, options}.run(Op::MGather);
}

Result<Done> scatter_rows(SpreadTable& table, const KernelSpec& spec,
                          const CallArguments& arguments, const CompileOptions& options) {
  return SpreadMove{SpreadMove::state_of(table), spec, arguments, options}.run(Op::MScatter);
}

}  // namespace pto::jit::mpi

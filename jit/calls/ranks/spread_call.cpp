#include "jit/calls/ranks/spread_call.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <string>

#include "ir/quantity.h"
#include "jit/calls/call_check.h"
#include "targets/profile.h"

namespace pto::jit {
namespace {

Diagnostic refuse(const char* id, std::string message) {
  return error("spread." + std::string(id), std::move(message));
}

Result<Done> check_form(const SpreadShape& shape, const LegalSpec& legal) {
  const KernelSpec& spec = legal.spec();
  const bool moves_rows = family_of(spec.op) == Family::Memory && spec.coalesce == Coalesce::Row &&
                          legal.profile().behaviour.has_modes;
  if (!moves_rows || spec.table.layout != TableLayout::Nd)
    return refuse("form",
                  "a spread table takes mgather.row and mscatter.row on ND tables of a2a3 and a5");
  if (spec.audit) return refuse("audit", "a spread table has no audit");
  if (spec.table.dtype == shape.dtype) return Done{};
  return refuse("dtype", "the table is " + std::string(name_of(shape.dtype)) + "; the spec says " +
                             std::string(name_of(spec.table.dtype)));
}

// The spec with rows side by side for its table. Nobody else writes them, so nothing is combined;
// a row that does not travel is left out or zero.
KernelSpec exchange_of(const KernelSpec& spec) {
  KernelSpec out = spec;
  const bool is_gather = written_role(spec.op) == Role::Data;
  out.table.shape = {1, 1, 1, kRuntime, spec.data.vc};
  out.table.strides = {};
  out.oob = is_gather ? spec.oob : Oob::Skip;
  out.atomic = Atomic::None;
  out.conflict = Conflict::Unstated;
  return out;
}

std::int64_t width_of(const SpreadShape& shape, const KernelSpec& spec,
                      std::span<const Binding> bindings) {
  if (spec.data.vc != kRuntime) return spec.data.vc;
  const auto given = std::ranges::find(bindings, Dim::DataVc, &Binding::dim);
  return given == bindings.end() ? shape.width : given->value;
}

Result<CheckedCall> check_exchange(const SpreadShape& shape, const KernelSpec& spec,
                                   const CallArguments& arguments) {
  const Result<LegalSpec> legal = verify(exchange_of(spec));
  if (!legal) return legal.error();
  const std::int64_t extents[] = {0, width_of(shape, spec, arguments.bindings)};
  std::vector<BufferView> views(arguments.buffers.begin(), arguments.buffers.end());
  views.push_back({.operand = "table", .dtype = shape.dtype, .shape = extents});
  return check_call(*legal, {.buffers = views, .bindings = arguments.bindings});
}

// What the whole table says of each dimension that the spec leaves open.
std::int64_t value_of(const SpreadShape& shape, const KernelSpec& tiles, Dim dim) {
  if (role_of(dim) != Role::Table) return get(tiles, dim);
  const auto at = static_cast<int>(dim) - static_cast<int>(Dim::TableD0);
  const std::array<std::int64_t, 10> all = {1,
                                            1,
                                            1,
                                            shape.rows,
                                            shape.width,
                                            shape.rows * shape.pitch,
                                            shape.rows * shape.pitch,
                                            shape.rows * shape.pitch,
                                            shape.pitch,
                                            1};
  return std::max<std::int64_t>(all[static_cast<std::size_t>(at)], at < 5 ? 0 : 1);
}

Result<BoundSpec> bind_whole(const SpreadShape& shape, const LegalSpec& legal,
                             const KernelSpec& tiles) {
  std::vector<Binding> values;
  for (const Dim dim : runtime_dims(legal.spec()))
    values.push_back({dim, value_of(shape, tiles, dim)});
  Result<BoundSpec> bound = jit::bind(legal, values);
  if (!bound) return bound;
  const Table& table = bound->spec().table;
  const std::int64_t rows = extents(table, 0, 4).value;
  const std::int64_t pitch = stride_of(table, 3).value;
  if (rows == shape.rows && table.shape[4] == shape.width && (rows <= 1 || pitch == shape.pitch))
    return bound;
  return refuse("shape", "the spec's table has " + std::to_string(rows) + " rows of " +
                             std::to_string(table.shape[4]) + ", " + std::to_string(pitch) +
                             " apart; the ranks' have " + std::to_string(shape.rows) + " of " +
                             std::to_string(shape.width) + ", " + std::to_string(shape.pitch) +
                             " apart");
}

// Where an index leads; nothing where it leads nowhere.
std::int64_t slot_of(std::uint32_t index, std::int64_t rows, Oob oob) {
  if (index < rows) return index;
  if (rows == 0) return -1;
  switch (oob) {
    case Oob::Clamp: return rows - 1;
    case Oob::Wrap: return index % rows;
    case Oob::Undefined:
    case Oob::Skip:
    case Oob::Zero: break;
  }
  return -1;
}

}  // namespace

Result<SpreadCall> check_spread(const SpreadShape& shape, const KernelSpec& spec,
                                const CallArguments& arguments) {
  const Result<LegalSpec> legal = verify(spec);
  if (!legal) return legal.error();
  if (Result<Done> fits = check_form(shape, *legal); !fits) return fits.error();
  Result<CheckedCall> exchange = check_exchange(shape, legal->spec(), arguments);
  if (!exchange) return exchange.error();
  const Result<BoundSpec> whole = bind_whole(shape, *legal, exchange->kernel.spec());
  if (!whole) return whole.error();
  const Frame& frame = exchange->operands.frame();
  return SpreadCall{whole->spec(), exchange->kernel, frame,
                    static_cast<const std::uint32_t*>(frame.index), whole->spec().data.vr};
}

Result<Route> route_of(const SpreadShape& shape, const SpreadCall& call, std::int32_t ranks) {
  Route out;
  out.counts.resize(static_cast<std::size_t>(ranks));
  out.places.assign(static_cast<std::size_t>(call.count), kNowhere);
  if (call.row_bytes() == 0) return out;
  // Of 32 bits, as indices are: a division of more takes several times as long.
  const auto per_rank = static_cast<std::uint32_t>(shape.rows_per_rank);
  struct Home {
    std::uint32_t rank;
    std::uint32_t row;
  };
  std::vector<Home> homes(out.places.size());
  for (std::size_t i = 0; i < homes.size(); ++i) {
    const std::uint32_t index = call.indices[i];  // read once: others may write it
    const std::int64_t slot = slot_of(index, shape.rows, call.whole.oob);
    if (slot >= 0) {
      const auto number = static_cast<std::uint32_t>(slot);
      homes[i] = {number / per_rank, number % per_rank};
      ++out.counts[homes[i].rank];
      out.places[i] = 0;
    } else if (call.whole.oob == Oob::Undefined && shape.rows > 0) {
      return error("index.range", "idx at position " + std::to_string(i) + " is " +
                                      std::to_string(index) + ", the table has " +
                                      std::to_string(shape.rows) + " rows on all ranks");
    }
  }
  std::vector<std::uint32_t> next(out.counts.size());
  std::exclusive_scan(out.counts.begin(), out.counts.end(), next.begin(), 0U);
  out.rows.resize(static_cast<std::size_t>(
      std::accumulate(out.counts.begin(), out.counts.end(), std::int64_t{0})));
  for (std::size_t i = 0; i < homes.size(); ++i) {
    if (out.places[i] == kNowhere) continue;
    out.places[i] = next[homes[i].rank]++;
    out.rows[out.places[i]] = homes[i].row;
  }
  return out;
}

Result<Done> move_rows(const SpreadCall& call, const Route& route, std::byte* rows,
                       const CompileOptions& options) {
  const Result<Kernel> kernel = compile(call.exchange.legal(), options);
  if (!kernel) return kernel.error();
  KernelSpec bound = call.exchange.spec();
  bound.table.shape[3] = static_cast<std::int32_t>(route.rows.size());
  Frame frame = call.frame;
  frame.extents = extents_of(bound);
  frame.index = route.places.data();
  frame.table = rows;
  (*kernel)(frame);
  return Done{};
}

}  // namespace pto::jit

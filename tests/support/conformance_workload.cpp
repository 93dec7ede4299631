#include "tests/support/conformance_workload.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>

#include "ir/interpreter.h"
#include "ir/spec_text.h"
#include "jit/doors/cli/bind_text.h"
#include "tests/support/deck.h"

namespace pto::jit::tests {
namespace {

using Indices = std::vector<std::uint32_t>;

// Distinct as long as there are slots left.
Indices distinct(const IndexSpace& space, Random& random) {
  std::vector<std::uint32_t> slots(static_cast<std::size_t>(space.capacity));
  std::iota(slots.begin(), slots.end(), 0U);
  for (std::size_t i = slots.size(); i > 1; --i) std::swap(slots[i - 1], slots[random.below(i)]);
  Indices out;
  for (std::size_t i = 0; i < space.count; ++i) out.push_back(slots[i % slots.size()]);
  return out;
}

std::uint64_t index_named(std::string_view pattern, std::size_t at, std::uint64_t capacity,
                          Random& random) {
  const std::uint64_t good = random.next() % capacity;
  if (pattern == "oob") return at % 2 == 0 ? good : capacity + good;
  if (pattern == "same") return capacity / 2;
  if (pattern == "dup") return good % std::max<std::uint64_t>(capacity / 4, 1);
  return good;
}

std::int64_t offset_in(const Tile& tile, std::int64_t row, std::int64_t col) {
  return tile.layout == TileLayout::ColMajor ? col * tile.rows + row : row * tile.cols + col;
}

IndexSpace index_space(const Workload& load) {
  const Frame frame = frame_of(load.bound);
  const Tile& tile = load.bound.index;
  const bool in_bytes = load.bound.op == Op::TGatherB;
  return {.count = static_cast<std::size_t>(tile.vr) * static_cast<std::size_t>(tile.vc),
          .capacity = static_cast<std::uint64_t>(value_in(frame, load.plan.capacity)),
          .unit = in_bytes ? static_cast<std::uint64_t>(load.plan.unit.run.factor) : 1};
}

}  // namespace

std::optional<Indices> indices_named(std::string_view pattern, const IndexSpace& space,
                                     std::uint32_t seed) {
  constexpr std::array<std::string_view, 7> kNames = {"no_dup", "random", "same", "seq",
                                                      "oob",    "dup",    "-"};
  if (std::ranges::find(kNames, pattern) == kNames.end()) return std::nullopt;
  if (space.capacity == 0) return Indices(space.count, 0);
  Random random(seed);
  if (pattern == "no_dup") return distinct(space, random);
  Indices out;
  for (std::size_t i = 0; i < space.count; ++i) {
    const std::uint64_t index = pattern == "seq" ? i * space.unit % space.capacity
                                                 : index_named(pattern, i, space.capacity, random);
    out.push_back(static_cast<std::uint32_t>(index));
  }
  return out;
}

void set_indices(Workload& load, const Indices& indices) {
  const Tile& tile = load.bound.index;
  const auto size = static_cast<std::size_t>(size_of(tile.dtype));
  std::fill(load.memory.index.begin(), load.memory.index.end(), std::byte{0xff});
  std::size_t next = 0;
  for (std::int64_t row = 0; row < tile.vr; ++row) {
    for (std::int64_t col = 0; col < tile.vc && next < indices.size(); ++col) {
      const auto at = static_cast<std::size_t>(offset_in(tile, row, col));
      std::memcpy(load.memory.index.data() + at * size, &indices[next++], size);
    }
  }
}

std::optional<Workload> make_workload(const ConformanceCase& entry, std::uint32_t seed) {
  const Result<KernelSpec> spec = parse(entry.spec);
  if (!spec) return std::nullopt;
  const Result<LegalSpec> legal = verify(*spec);
  const auto bindings = cli::parse_bindings(*spec, entry.bind == "-" ? "" : entry.bind);
  if (!legal || !bindings) return std::nullopt;
  const Result<BoundSpec> bound = jit::bind(*legal, *bindings);
  if (!bound) return std::nullopt;
  std::optional<Workload> load = make_workload(*legal, bound->spec(), Pattern::Sequential, seed);
  if (!load || !load->plan.has_index()) return load;
  const std::optional<Indices> indices = indices_named(entry.index, index_space(*load), seed);
  if (!indices) return std::nullopt;
  set_indices(*load, *indices);
  load->replay = "replay: '" + print(*spec) + "' bind '" + entry.bind + "' indices " + entry.index +
                 " seed " + std::to_string(seed);
  return load;
}

}  // namespace pto::jit::tests

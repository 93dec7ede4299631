#include "tests/xbyak/mutant_cases.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>
#include <span>

#include "ir/positions.h"
#include "ir/storage.h"
#include "tests/support/workload.h"
#include "tests/xbyak/mutant_bindings.h"

namespace pto::jit::tests {
namespace {

constexpr std::size_t kFewestCases = 300;

// --- indices ------------------------------------------------------------------------------------

enum class Filling : std::uint8_t {
  Dealt,     // as the workload has them
  Ramp,      // each slot once, as far as there are enough
  Large,     // the same, and sums of halves beyond the largest
  Small,     // the same, and sums of halves below the least that is normal
  Halfway,   // few slots again and again, and sums of brain floats halfway between two
  HalfBad,   // the same, and one in eight out of range
  LateBad,   // a ramp whose last third is out of range
  FirstBad,  // a ramp whose first few are
  AllBad,    // nothing in range
  OneBad,    // a ramp with one index out of range
  SomeBad,   // one in three
  Mixed,     // of each four, some: another choice each time
  Edge,      // the last slot, the one behind it and the first, again and again
  Far,       // the last slots, plus multiples of 2^29 that are lost in a shift or a product
  Multiple,  // of the capacity, where a quotient is most easily wrong
  Apart      // slots that begin at the same place of an audit's hash table
};
constexpr std::array kFillings = {
    Filling::Ramp,    Filling::LateBad, Filling::FirstBad, Filling::AllBad,   Filling::OneBad,
    Filling::SomeBad, Filling::Edge,    Filling::Far,      Filling::Multiple, Filling::Apart};

bool has_bad(Filling filling) {
  return filling != Filling::Dealt && filling != Filling::Halfway && filling != Filling::Ramp &&
         filling != Filling::Large && filling != Filling::Small && filling != Filling::Apart;
}

constexpr std::uint64_t kMostLanes = 8;  // of a group
constexpr std::uint64_t kIndices = std::uint64_t{1} << 32;

struct Indices {
  std::uint64_t count = 0;
  std::uint64_t capacity = 0;
  std::uint64_t seed = 0;
};

std::uint64_t mixed(std::uint64_t value) {
  value *= 0x9e3779b97f4a7c15;
  return value ^ (value >> 29);
}

std::uint64_t index_at(Filling filling, std::uint64_t at, const Indices& all) {
  const std::uint64_t slots = std::max<std::uint64_t>(all.capacity, 1);
  const std::uint64_t entries = std::bit_floor(2 * all.count + 1) * 2;
  const std::uint64_t dice = mixed(all.seed + at);
  const std::uint64_t good = at % slots;
  const std::uint64_t few = (dice >> 32) % std::min<std::uint64_t>(slots, 16);
  const std::uint64_t beyond = slots + dice / 3 % (4 * slots);
  const std::uint64_t bad = at % 2 == 0 ? all.capacity : ~std::uint64_t{0};
  switch (filling) {
    case Filling::Dealt:
    case Filling::Ramp:
    case Filling::Large:
    case Filling::Small: return good;
    case Filling::Halfway: return few;
    case Filling::HalfBad: return dice % 8 == 0 ? bad : few;
    case Filling::LateBad: return at >= all.count - all.count / 3 ? bad : good;
    case Filling::FirstBad: return at <= all.seed % kMostLanes ? bad : good;
    case Filling::AllBad: return bad;
    case Filling::OneBad: return at == mixed(all.seed) % all.count ? bad : good;
    case Filling::SomeBad: return dice % 3 == 0 ? beyond : good;
    case Filling::Mixed: return ((at / 4 * 4 + all.seed) >> at % 4) % 2 == 1 ? beyond : good;
    case Filling::Edge: return at % 3 == 0 ? slots - 1 : at % 3 == 1 ? all.capacity : 0;
    case Filling::Far: return slots - 1 - at % std::min<std::uint64_t>(slots, 5) + (dice % 8 << 29);
    case Filling::Multiple: return dice % (kIndices / slots) * slots;
    case Filling::Apart: return at % ((slots + entries - 1) / entries) * entries;
  }
  return good;
}

Frame frame_of(const Workload& load) {
  Frame frame;
  frame.extents = extents_of(load.bound);
  return frame;
}

void fill_indices(Workload& load, Filling filling, std::uint64_t seed) {
  if (filling == Filling::Dealt) return;
  const Frame frame = frame_of(load);
  std::vector<std::size_t> offsets;
  for_each_point(load.plan, frame, Order::Forward, [&](const Point& point) {
    offsets.push_back(static_cast<std::size_t>(point.index));
  });
  const Indices all{offsets.size(), static_cast<std::uint64_t>(value_in(frame, load.plan.capacity)),
                    seed};
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    const std::uint64_t index = index_at(filling, i, all);
    std::memcpy(load.memory.index.data() + offsets[i], &index, load.plan.index_size);
  }
}

// --- data ---------------------------------------------------------------------------------------

bool adds(const KernelPlan& plan, DType number) {
  return plan.combine == Atomic::Add && plan.number == number;
}

// Signs stay, and what else is kept of each; the rest is set.
void limit_halves(Workload& load, unsigned kept, unsigned set) {
  for (std::vector<std::byte>* memory : {&load.memory.data, &load.memory.table}) {
    for (std::size_t at = 0; at + 1 < memory->size(); at += 2) {
      std::uint16_t half = 0;
      std::memcpy(&half, &(*memory)[at], sizeof half);
      half = static_cast<std::uint16_t>((half & (0x8000U | kept)) | set);
      std::memcpy(&(*memory)[at], &half, sizeof half);
    }
  }
}

// To 256 and more, in steps of two, are added one and three.
void meet_halfway(Workload& load) {
  const auto set_all = [](std::vector<std::byte>& memory, auto&& made_of) {
    for (std::size_t at = 0; at + 1 < memory.size(); at += 2) {
      const auto value = static_cast<std::uint16_t>(made_of(static_cast<unsigned>(memory[at])));
      std::memcpy(&memory[at], &value, sizeof value);
    }
  };
  constexpr unsigned kOne = 0x3f80;
  constexpr unsigned kThree = 0x4040;
  set_all(load.memory.table, [](unsigned any) { return 0x4380 | (any & 0x7f); });
  set_all(load.memory.data, [](unsigned any) { return any % 2 == 0 ? kOne : kThree; });
}

// --- memory -------------------------------------------------------------------------------------

template <class Range>
std::vector<std::byte> bytes_of(const Range& range) {
  const auto bytes = std::as_bytes(std::span(range));
  return {bytes.begin(), bytes.end()};
}

// An extent said to be larger than memory is: indices in range of what there is stay in range, and
// a capacity has low halves that mean nothing.
using Enlarged = std::optional<Dim>;
constexpr std::size_t kAskew = 4;
constexpr std::int64_t kBeyond32Bits = (std::int64_t{1} << 32) + 1;

// Lays out the memory of one case, room by room.
class Layout {
 public:
  Layout(Sandbox& sandbox, Guard guard, std::size_t spare)
      : sandbox_(sandbox), guard_(guard), spare_(spare) {}

  Case lay_out(const Workload& load, const Enlarged& enlarged) {
    Frame frame = frame_of(load);
    if (enlarged) frame.extents[static_cast<std::size_t>(*enlarged)] = kBeyond32Bits;
    place_operands(load, frame);
    const std::vector<std::byte> poison(sizeof(AuditReport), Sandbox::kPoison);
    frame.report = reinterpret_cast<AuditReport*>(add(poison));
    const auto scratch = static_cast<std::size_t>(scratch_bytes(load.plan, frame));
    out_.scratch.at = sandbox_.place(room_++, scratch, guard_);
    out_.scratch.before.assign(scratch, Sandbox::kPoison);
    frame.scratch = out_.scratch.at;
    out_.frame = reinterpret_cast<const Frame*>(add(bytes_of(std::array{frame})));
    return std::move(out_);
  }

 private:
  std::byte* add(const std::vector<std::byte>& content) {
    std::byte* at = sandbox_.place(room_++, content.size() + spare_, guard_);
    if (guard_ == Guard::Before) at += spare_;
    out_.pieces.push_back({at, content, {}});
    return at;
  }

  void place_operands(const Workload& load, Frame& frame) {
    const Op op = load.bound.op;
    const auto place = [&](Role role, const std::vector<std::byte>& content) {
      if (has_memory(op, role)) set_buffer(frame, op, role, add(content));
    };
    place(Role::Data, load.memory.data);
    place(Role::Index, load.memory.index);
    place(Role::Store, load.memory.store);
    place(Role::Table, load.memory.table);
    std::vector<std::byte*> ranks;
    ranks.reserve(load.memory.ranks.size());
    for (const std::vector<std::byte>& rank : load.memory.ranks) ranks.push_back(add(rank));
    frame.ranks = reinterpret_cast<void**>(add(bytes_of(ranks)));
  }

  Sandbox& sandbox_;
  const Guard guard_;
  const std::size_t spare_;  // bytes between each piece and its inaccessible page
  std::size_t room_ = 0;
  Case out_;
};

class Collector {
 public:
  Collector(Sandbox& sandbox, const Sample& sample, std::uint32_t seed)
      : sandbox_(sandbox), plan_(sample.plan), legal_(*verify(sample.entry.spec)), seed_(seed) {}

  // Storage ends and begins at an inaccessible page by turns; now and then, with other indices each
  // time, it lies askew.
  void add(const KernelSpec& bound, Pattern pattern, Filling filling, Enlarged enlarged = {}) {
    if (!plan_.has_index()) pattern = Pattern::Sequential;
    if (has_bad(filling) && plan_.oob == Oob::Undefined && !plan_.audit.is_on) return;
    std::optional<Workload> load = make_workload(legal_, bound, pattern, seed_ + count_++);
    if (!load || load->memory.table.size() + kAskew > Sandbox::kRoomBytes) return;
    if (plan_.has_index()) fill_indices(*load, filling, count_);
    if (filling == Filling::Large) limit_halves(*load, 0, 0x7bff);
    if (filling == Filling::Small) limit_halves(*load, 0x1ff, 0);
    if (filling == Filling::Halfway || filling == Filling::HalfBad) meet_halfway(*load);
    Layout layout(sandbox_, cases_.size() % 2 == 0 ? Guard::Behind : Guard::Before,
                  mixed(cases_.size()) % 7 == 3 ? kAskew : 0);
    cases_.push_back(layout.lay_out(*load, enlarged));
  }

  std::size_t size() const { return cases_.size(); }
  std::vector<Case> take() { return std::move(cases_); }

 private:
  Sandbox& sandbox_;
  const KernelPlan& plan_;
  const LegalSpec legal_;
  const std::uint32_t seed_;
  std::uint32_t count_ = 0;
  std::vector<Case> cases_;
};

}  // namespace

std::vector<Case> make_cases(Sandbox& sandbox, const Sample& sample, std::uint32_t seed) {
  Collector collector(sandbox, sample, seed);
  const std::vector<KernelSpec> bindings = legal_bindings(sample);
  while (collector.size() < kFewestCases) {
    for (const KernelSpec& bound : bindings) {
      for (const Pattern pattern : kPatterns) collector.add(bound, pattern, Filling::Dealt);
      for (const Filling filling : kFillings) collector.add(bound, Pattern::Sequential, filling);
    }
  }
  for (const KernelSpec& bound : one_extent_at_a_time(sample.plan, bindings)) {
    collector.add(bound, Pattern::Sequential, Filling::Ramp);
    collector.add(bound, Pattern::Random, Filling::Dealt);
    for (int again = 0; again < 3 && sample.plan.oob == Oob::Wrap; ++again)
      collector.add(bound, Pattern::Sequential, Filling::Multiple);
    for (int again = 0; again < 4; ++again)
      collector.add(bound, Pattern::Sequential, Filling::Mixed);
  }
  for (const KernelSpec& bound : all_extents_at_once(sample.plan, bindings, seed)) {
    collector.add(bound, Pattern::Random, Filling::Dealt);
    collector.add(bound, Pattern::Sequential, Filling::SomeBad);
  }
  for (KernelSpec several : bindings) {
    if (sample.plan.capacity.is_static()) break;
    const Dim outermost = sample.plan.capacity.dims[0];
    set(several, outermost, std::max<std::int64_t>(get(several, outermost), 3));
    for (const Filling filling : {Filling::Ramp, Filling::Dealt})
      collector.add(several, Pattern::Random, filling, outermost);
  }
  for (const KernelSpec& bound : bindings) {
    for (int again = 0; again < 4 && adds(sample.plan, DType::F16); ++again) {
      for (const Filling filling : {Filling::Large, Filling::Small})
        collector.add(bound, Pattern::Sequential, filling);
    }
    for (int again = 0; again < 16 && adds(sample.plan, DType::BF16); ++again) {
      for (const Filling filling : {Filling::Halfway, Filling::HalfBad})
        collector.add(bound, Pattern::Sequential, filling);
    }
  }
  return collector.take();
}

Aftermath run(Sandbox& sandbox, const Case& on) {
  for (const Piece& piece : on.pieces)
    std::copy(piece.before.begin(), piece.before.end(), piece.at);
  std::copy(on.scratch.before.begin(), on.scratch.before.end(), on.scratch.at);
  return sandbox.call(on.frame);
}

void remember(Case& on, const Aftermath& aftermath) {
  on.aftermath = aftermath;
  for (Piece& piece : on.pieces) piece.after.assign(piece.at, piece.at + piece.before.size());
}

bool left_the_same_memory(const Case& on) {
  return std::all_of(on.pieces.begin(), on.pieces.end(), [](const Piece& piece) {
    return std::equal(piece.after.begin(), piece.after.end(), piece.at);
  });
}

}  // namespace pto::jit::tests

#include "ir/parts.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "ir/boxes.h"
#include "ir/interpreter.h"
#include "ir/plan_facts.h"
#include "ir/quantity.h"
#include "ir/reach.h"

namespace pto::jit {
namespace {

// Whether the bytes that a piece clears are one run, or follow each other from piece to piece in
// each of several.
bool can_part_fill(const KernelPlan& plan, Parting parting) {
  if (plan.fill_bytes == 0) return true;
  if (parting == Parting::Slots) return plan.digit_count == 1 && is_one_run(plan);
  return is_one_run(plan) || (plan.level_count == 1 && plan.block == 0);
}

bool meet(const void* a, const void* b, std::int64_t bytes) {
  const auto [first, second] =
      std::minmax({reinterpret_cast<std::uintptr_t>(a), reinterpret_cast<std::uintptr_t>(b)});
  return second - first < static_cast<std::uintptr_t>(bytes);
}

bool ranks_are_apart(const KernelPlan& plan, const Frame& frame) {
  const std::int64_t bytes = reach_of(plan, frame).addressed;
  for (std::int32_t i = 0; i < plan.ranks; ++i) {
    for (std::int32_t k = 0; k < i; ++k) {
      if (meet(frame.ranks[i], frame.ranks[k], bytes)) return false;
    }
  }
  return true;
}

void box_levels(KernelPlan& plan) {
  for (std::size_t depth = 0; depth < plan.level_count; ++depth) {
    const bool is_width = plan.block > 0 && depth + 1U == plan.level_count;
    Amount& extent = plan.levels[depth].extent;
    if (!extent.is(1) && !is_width) extent = Amount::of(Dim::Part0 + static_cast<int>(depth));
  }
}

// One part of a call.
class Part {
 public:
  Part(const KernelPlan& plan, const Frame& frame, const PartRange& range)
      : plan_(plan), frame_(frame), range_(range) {}

  // Where the bytes of its pieces begin on the side that is written, in each copy of the unit's
  // run; what lies behind the last piece goes with it.
  void clear_own(std::int64_t pieces) const {
    const bool to_table = plan_.direction == Direction::ToTable;
    auto* written = static_cast<std::byte*>(to_table ? frame_.table : frame_.tile);
    const bool is_last = range_.last == pieces;
    const std::int64_t first = range_.first == 0 ? 0 : begin_of(range_.first);
    const std::int64_t last = is_last ? 0 : begin_of(range_.last);
    const std::vector<std::int64_t> copies = copies_of_run();
    for (std::size_t i = 0; i < copies.size(); ++i) {
      const std::int64_t next = i + 1 < copies.size() ? copies[i + 1] : plan_.fill_bytes;
      const std::int64_t begin = copies[i] + first;
      const std::int64_t end = is_last ? next : copies[i] + last;
      std::memset(written + begin, 0, static_cast<std::size_t>(end - begin));
    }
  }

  void move_slots(const std::function<void(const Frame&)>& kernel) const {
    Frame own = frame_;
    own.part = {range_.first, range_.last - range_.first, 0};
    kernel(own);
  }

  void move_positions(const std::function<void(const Frame&)>& kernel) const {
    const BoxedWalk walk(plan_, frame_);
    const std::int64_t of_rank = std::max<std::int64_t>(walk.positions(), 1);
    for (std::int64_t at = range_.first; at < range_.last;) {
      const std::int64_t rank = plan_.ranks > 0 ? at / of_rank : 0;
      const std::int64_t before = rank * of_rank;
      const std::int64_t end = std::min(range_.last, before + of_rank);
      const Frame own = frame_of_rank(rank);
      walk.cut(at - before, end - before, [&](const Box& box) { kernel(frame_of(own, box)); });
      at = end;
    }
  }

 private:
  std::int64_t begin_of(std::int64_t piece) const {
    if (parting_of(plan_) == Parting::Slots) return piece * value_in(frame_, plan_.digits[0].step);
    const Point place = BoxedWalk(plan_, frame_).place_of(piece);
    return plan_.direction == Direction::ToTable ? place.table : place.tile;
  }

  std::vector<std::int64_t> copies_of_run() const {
    const bool to_table = plan_.direction == Direction::ToTable;
    std::vector<std::int64_t> out{0};
    for (const Repeat* repeat : {&plan_.unit.inner, &plan_.unit.outer}) {
      const std::int64_t step = value_in(frame_, to_table ? repeat->table_step : repeat->tile_step);
      const std::int64_t count = value_in(frame_, repeat->count);
      const std::size_t before = out.size();
      for (std::int64_t i = 1; i < count; ++i) {
        for (std::size_t k = 0; k < before; ++k) out.push_back(out[k] + i * step);
      }
    }
    std::sort(out.begin(), out.end());
    return out;
  }

  Frame frame_of_rank(std::int64_t rank) const {
    Frame out = frame_;
    if (plan_.ranks == 0) return out;
    out.table = frame_.ranks[rank];
    out.tile = static_cast<std::byte*>(frame_.tile) + rank * value_in(frame_, plan_.rank_step);
    return out;
  }

  static Frame frame_of(const Frame& rank, const Box& box) {
    Frame out = rank;
    out.tile = static_cast<std::byte*>(rank.tile) + box.from.tile;
    if (rank.index) out.index = static_cast<const std::byte*>(rank.index) + box.from.index;
    out.table = static_cast<std::byte*>(rank.table) + box.from.table;
    out.part = box.extents;
    return out;
  }

  const KernelPlan& plan_;
  const Frame& frame_;
  const PartRange& range_;
};

}  // namespace

std::string_view name_of(Parting parting) {
  constexpr std::array<std::string_view, 3> kNames = {"not", "by positions", "by slots"};
  return kNames[static_cast<std::size_t>(parting)];
}

Parting parting_of(const KernelPlan& plan) {
  const bool is_shared = plan.direction == Direction::ToTable && plan.has_index();
  const Parting parting = is_shared ? Parting::Slots : Parting::Positions;
  return can_part_fill(plan, parting) ? parting : Parting::None;
}

std::int64_t pieces_in(const KernelPlan& plan, const Frame& frame) {
  const Parting parting = parting_of(plan);
  if (parting == Parting::None || !writes_are_apart(plan, frame)) return 1;
  if (parting == Parting::Slots) {
    const std::int64_t nameable = std::int64_t{1} << (8 * plan.index_size);
    return std::min(value_in(frame, plan.capacity), nameable);
  }
  const std::int64_t positions = BoxedWalk(plan, frame).positions();
  if (plan.ranks == 0) return positions;
  return ranks_are_apart(plan, frame) ? saturating_product(positions, plan.ranks) : 1;
}

KernelPlan part_plan(const KernelPlan& plan) {
  KernelPlan out = plan;
  out.fill_bytes = 0;
  out.audit = {};
  if (parting_of(plan) == Parting::Slots) {
    out.own = {true, Amount::of(Dim::Part0), Amount::of(Dim::Part1)};
    if (out.oob == Oob::Skip) out.oob = Oob::Undefined;  // own slots are in range
    return out;
  }
  out.ranks = 0;
  out.rank_step = 0;
  box_levels(out);
  return out;
}

KernelPlan audit_plan(const KernelPlan& plan) {
  KernelPlan out = plan;
  out.fill_bytes = 0;
  out.gate = Amount::of(Dim::Part0);
  return out;
}

void run_part(const KernelPlan& plan, const Frame& frame, const PartRange& range,
              std::int64_t pieces, const std::function<void(const Frame&)>& kernel) {
  if (range.first >= range.last && pieces > 0) return;
  const Part part(plan, frame, range);
  if (plan.fill_bytes > 0) part.clear_own(pieces);
  parting_of(plan) == Parting::Slots ? part.move_slots(kernel) : part.move_positions(kernel);
}

Frame audit_frame(const Frame& frame) {
  Frame out = frame;
  out.part = {};
  return out;
}

}  // namespace pto::jit

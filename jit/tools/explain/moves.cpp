// Positions one after the other: the index each has, what that resolves to, who was there before.
#include <algorithm>
#include <set>
#include <unordered_map>

#include "ir/interpreter_lanes.h"
#include "ir/mnemonic.h"
#include "ir/storage.h"
#include "ir/walk.h"
#include "jit/tools/explain/views.h"

namespace pto::jit::cli {
namespace {

constexpr std::size_t kShown = 64;
constexpr std::int64_t kMostCells = 256;

using Walker = Interpreter<1>;

class Moves {
 public:
  Moves(const BoundSpec& bound, const OperandStore& memory)
      : bound_(bound), plan_(bound.plan()), frame_(memory.frame()), work_(work_of(bound, frame_)) {
    const KernelSpec& spec = bound.spec();
    const Operation& row = operation_of(spec.op);
    out_.to_table = plan_.direction == Direction::ToTable;
    const Role walked = out_.to_table ? row.from : row.to;
    out_.tile = operand_name(spec.op, walked);
    out_.table = operand_name(spec.op, out_.to_table ? row.to : row.from);
    if (plan_.has_index()) out_.index = operand_name(spec.op, Role::Index);
    if (is_tile(walked)) tile_ = &tile_of(spec, walked);
    // A cell of ranks is a unit of one of them, and they are shown one behind the other.
    is_by_slot_ = plan_.has_index() && !row.counts_bytes;
    cell_bytes_ = std::max<std::int64_t>(value_in(frame_, plan_.unit.run), 1);
    out_.cell_is = is_by_slot_ ? "a slot of " + count_text(work_.bytes_per_index, "byte")
                               : count_text(cell_bytes_, "byte");
  }

  MoveView run() {
    Walker walker(plan_, frame_);
    std::int64_t rank = -1;
    if (value_in(frame_, plan_.gate) != 0) {
      walker.each_rank([&] {
        ++rank;
        walker.positions([&](const Walker::Position& at) { add(walker, at, rank); });
      });
    }
    count_cells();
    return std::move(out_);
  }

 private:
  void add(Walker& walker, const Walker::Position& at, std::int64_t rank) {
    MoveStep step{.position = out_.positions++};
    step.from = place_of(at.points[0].tile, rank);
    std::int64_t cell = -1;
    if (plan_.has_index()) {
      cell = look_up(walker, at, step);
    } else {
      const auto bytes = static_cast<std::int64_t>(walker.walked_table(at).lanes[0]);
      cell = plan_.ranks > 0 ? step.position : (bytes + plan_.table_base) / cell_bytes_;
    }
    step.cell = cell;
    if (cell >= 0 && out_.to_table) note_collision(step);
    if (out_.steps.size() >= kShown) return;
    step.outcome = outcome_of(step);
    out_.steps.push_back(std::move(step));
  }

  std::int64_t look_up(Walker& walker, const Walker::Position& at, MoveStep& step) {
    const Walker::Index raw = walker.load_index(at);
    const Slot<Walker> slot = resolve(plan_, walker, raw);
    step.index = raw.lanes[0];
    step.is_outside = raw.lanes[0] >= static_cast<std::uint64_t>(work_.capacity);
    out_.outside += step.is_outside ? 1 : 0;
    if (!slot.live.lanes[0]) return -1;
    const auto found = static_cast<std::int64_t>(slot.at.lanes[0]);
    return is_by_slot_ ? found : found / cell_bytes_;
  }

  void note_collision(MoveStep& step) {
    const auto [known, is_new] = last_at_.try_emplace(step.cell, step.position);
    if (is_new) return;
    step.collides_with = known->second;
    known->second = step.position;
    ++out_.collisions;
  }

  // "src[3,0]"; of a table, its element.
  std::string place_of(std::int64_t bytes, std::int64_t rank) const {
    std::int64_t element = bytes / plan_.element_size;
    if (plan_.ranks > 0) element += rank * value_in(frame_, plan_.rank_step) / plan_.element_size;
    if (tile_ == nullptr) return out_.tile + "[" + std::to_string(element) + "]";
    const TilePoint point = point_in(*tile_, element);
    return out_.tile + "[" + std::to_string(point.row) + "," + std::to_string(point.col) + "]";
  }

  std::string outcome_of(const MoveStep& step) const {
    const std::string cell = std::to_string(step.cell);
    const std::string bytes = count_text(work_.bytes_per_index, "byte");
    std::string out;
    if (step.is_outside)
      out = "beyond the end (" + std::to_string(work_.capacity) + "), " +
            std::string(name_of(policy_of(plan_))) + ": ";
    if (step.cell < 0)
      return out + (policy_of(plan_) == Oob::Zero ? "zeros are left" : "nothing moves");
    const std::string there =
        out_.table + (plan_.ranks > 0 ? " of its rank, cell " : " cell ") + cell;
    out += out_.to_table ? bytes + " to " + there : bytes + " from " + there;
    if (step.collides_with < 0) return out;
    const std::string earlier = "position " + std::to_string(step.collides_with);
    return out + (plan_.combine == Atomic::None ? ", where " + earlier + " has written"
                                                : ", combined with that of " + earlier);
  }

  // All cells, or where there are too many those that the steps meet.
  void count_cells() {
    std::set<std::int64_t> met;
    for (const MoveStep& step : out_.steps) {
      if (step.cell >= 0) met.insert(step.cell);
    }
    const std::int64_t reach = met.empty() ? 0 : *met.rbegin() + 1;
    const std::int64_t slots =
        is_by_slot_ ? work_.capacity : (work_.capacity + cell_bytes_ - 1) / cell_bytes_;
    out_.table_cells = plan_.has_index() ? std::max(slots, reach) : reach;
    if (out_.table_cells <= kMostCells) {
      for (std::int64_t i = 0; i < out_.table_cells; ++i) out_.cells.push_back(i);
    } else {
      out_.cells.assign(met.begin(), met.end());
    }
  }

  const BoundSpec& bound_;
  const KernelPlan& plan_;
  const Frame& frame_;
  Work work_;
  MoveView out_;
  const Tile* tile_ = nullptr;
  bool is_by_slot_ = true;
  std::int64_t cell_bytes_ = 1;
  std::unordered_map<std::int64_t, std::int64_t> last_at_;
};

}  // namespace

MoveView move_view(const BoundSpec& bound, const OperandStore& memory, std::string indices) {
  MoveView out = Moves(bound, memory).run();
  out.indices = std::move(indices);
  return out;
}

}  // namespace pto::jit::cli

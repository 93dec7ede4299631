#include "ir/interpreter.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unordered_set>
#include <vector>

#include "ir/half.h"
#include "ir/walk.h"

namespace pto::jit {
namespace {

// One position of the walk, as byte offsets.
struct Point {
  std::int64_t index = 0;
  std::int64_t tile = 0;
  std::int64_t table = 0;
};

template <int kGroup>
class Interpreter {
 public:
  struct Index {
    std::array<std::uint64_t, kGroup> lanes{};
  };
  struct Mask {
    std::array<bool, kGroup> lanes{};
  };
  struct Position {
    int count = 0;
    std::int64_t flat = 0;  // of the first lane, for audits
    std::array<Point, kGroup> points{};
  };
  struct Place {
    std::byte* table;
    std::byte* tile;
  };
  using Value = std::uint32_t;  // an element's bits
  struct Parts {
    Index quotient;
    Index remainder;
  };
  struct Owned {
    Position at;
    Mask live;
  };

  Interpreter(const KernelPlan& plan, const Frame& frame) : plan_(plan), frame_(frame) {
    tile_ = static_cast<std::byte*>(frame.tile);
    table_ = static_cast<std::byte*>(frame.table) + plan.table_base;
  }

  // Masks and index arithmetic, lane by lane.
  Index zero() const { return {}; }
  Mask always() const {
    Mask out;
    out.lanes.fill(true);
    return out;
  }
  Mask inverted(const Mask& mask) const {
    return made<Mask>([&](int i) { return !at(mask, i); });
  }
  Mask below(const Index& index, const Amount& limit) const {
    const std::uint64_t bound = value(limit);
    return made<Mask>([&](int i) { return at(index, i) < bound; });
  }
  Index at_most_last(const Index& index, const Amount& capacity) const {
    const std::uint64_t last = value(capacity) - 1;
    return made<Index>([&](int i) { return std::min(at(index, i), last); });
  }
  Index modulo(const Index& index, const Amount& capacity) const {
    return divided(index, capacity).remainder;
  }
  Index scaled(const Index& index, const Amount& step) const {
    const std::uint64_t factor = value(step);
    return made<Index>([&](int i) { return at(index, i) * factor; });
  }
  Index added(const Index& a, const Index& b) const {
    return made<Index>([&](int i) { return at(a, i) + at(b, i); });
  }
  // A runtime divisor may be zero where no slot is live; any quotient will do then.
  Parts divided(const Index& index, const Amount& radix) const {
    const std::uint64_t divisor = std::max<std::uint64_t>(value(radix), 1);
    return {made<Index>([&](int i) { return at(index, i) / divisor; }),
            made<Index>([&](int i) { return at(index, i) % divisor; })};
  }

  Index load_index(const Position& position) const {
    return made<Index>([&](int i) -> std::uint64_t {
      if (i >= position.count) return 0;
      std::uint32_t raw = 0;
      const auto* from = static_cast<const std::byte*>(frame_.index);
      std::memcpy(&raw, from + position.points[static_cast<std::size_t>(i)].index,
                  plan_.index_size);
      return raw;
    });
  }
  Index walked_table(const Position& position) const {
    return made<Index>([&](int i) {
      return static_cast<std::uint64_t>(position.points[static_cast<std::size_t>(i)].table);
    });
  }

  // The walk.
  template <class Body>
  void when_nonzero(const Amount& gate, Body&& body) {
    if (value(gate) != 0) body();
  }
  template <class Body>
  void each_rank(Body&& body) {
    if (plan_.ranks == 0) return body();
    for (std::int32_t rank = 0; rank < plan_.ranks; ++rank) {
      table_ = static_cast<std::byte*>(frame_.ranks[rank]);
      tile_ = static_cast<std::byte*>(frame_.tile) + rank * value_in(frame_, plan_.rank_step);
      body();
    }
  }
  template <class Body>
  void positions(Body&& body) {
    grouped(points(), body);
  }
  template <class Body>
  void positions_backward(Body&& body) {
    std::vector<Point> all = points();
    std::reverse(all.begin(), all.end());
    grouped(all, body);
  }
  template <class Body>
  void slots(const Amount& capacity, Body&& body) {
    const std::uint64_t count = value(capacity);
    for (std::uint64_t first = 0; first < count; first += kGroup) {
      limit_ = count;
      body(made<Index>([&](int i) { return first + static_cast<std::uint64_t>(i); }));
    }
  }
  template <class Find>
  Owned last_match(const Index& mine, Find&& find) {
    Owned owned;
    owned.at.count = kGroup;
    positions([&](const Position& position) {
      const auto slot = find(position);
      for (int i = 0; i < position.count; ++i) {
        if (at(slot.live, i))
          take_if_mine(mine, at(slot.at, i), position.points[static_cast<std::size_t>(i)], owned);
      }
    });
    return owned;
  }

  void forget_slots() { seen_.clear(); }
  Mask first_seen(const Index& slot, const Mask& live) {
    Mask out;
    for (int i = 0; i < kGroup; ++i) {
      out.lanes[static_cast<std::size_t>(i)] =
          at(live, i) && i < active_ && seen_.insert(at(slot, i)).second;
    }
    return out;
  }

  // Moving.
  template <class Body>
  void each_lane(const Position& position, const Index& far, const Mask& live, Body&& body) {
    for (int i = 0; i < position.count; ++i) {
      if (!at(live, i)) continue;
      body(Place{table_ + at(far, i), tile_ + position.points[static_cast<std::size_t>(i)].tile});
    }
  }
  template <class Body>
  void repeat(const Repeat& repeat, const Place& place, Body&& body) {
    const std::int64_t count = value_in(frame_, repeat.count);
    const std::int64_t table_step = value_in(frame_, repeat.table_step);
    const std::int64_t tile_step = value_in(frame_, repeat.tile_step);
    for (std::int64_t i = 0; i < count; ++i) {
      body(Place{place.table + i * table_step, place.tile + i * tile_step});
    }
  }
  template <class Body>
  void each_element(const Place& place, const Amount& run, Body&& body) {
    const std::int64_t bytes = value_in(frame_, run);
    for (std::int64_t at = 0; at < bytes; at += plan_.element_size) {
      body(Place{place.table + at, place.tile + at});
    }
  }
  void copy(const Place& place, const Amount& run) {
    const bool to_table = plan_.direction == Direction::ToTable;
    std::memcpy(to_table ? place.table : place.tile, to_table ? place.tile : place.table,
                value(run));
  }
  void clear_tile(const Place& place, const Amount& run) { std::memset(place.tile, 0, value(run)); }
  void clear_written(std::int64_t bytes) {
    void* written = plan_.direction == Direction::ToTable ? frame_.table : frame_.tile;
    std::memset(written, 0, static_cast<std::size_t>(bytes));
  }

  // Arithmetic on single elements.
  Value load_table(const Place& place) const { return load(place.table); }
  Value load_tile(const Place& place) const { return load(place.tile); }
  void store_table(const Place& place, Value made) {
    std::memcpy(place.table, &made, plan_.element_size);
  }
  Value sum(Value a, Value b) const {
    switch (plan_.number) {
      case DType::F32:
        return std::bit_cast<Value>(std::bit_cast<float>(a) + std::bit_cast<float>(b));
      case DType::F16: return narrow_f16(widen_f16(half(a)) + widen_f16(half(b)));
      case DType::BF16: return narrow_bf16(widen_bf16(half(a)) + widen_bf16(half(b)));
      case DType::I8:
      case DType::U8:
      case DType::I16:
      case DType::U16:
      case DType::I32:
      case DType::U32: return a + b;
      case DType::F8E4M3:
      case DType::F8E5M2:
      case DType::HIF8: break;
    }
    refuse();
  }
  Value pick_if_less(Value a, Value b, Value yes, Value no) const {
    switch (plan_.number) {
      case DType::F32: return std::bit_cast<float>(a) < std::bit_cast<float>(b) ? yes : no;
      case DType::I32:
        return std::bit_cast<std::int32_t>(a) < std::bit_cast<std::int32_t>(b) ? yes : no;
      case DType::U32: return a < b ? yes : no;
      case DType::I8:
      case DType::U8:
      case DType::I16:
      case DType::U16:
      case DType::F16:
      case DType::BF16:
      case DType::F8E4M3:
      case DType::F8E5M2:
      case DType::HIF8: break;
    }
    refuse();
  }

  // Auditing.
  template <class Body>
  void audit_positions(Body&& body) {
    const AuditWalk& audit = plan_.audit;
    std::vector<Point> all;
    for (std::uint64_t r = 0; r < value(audit.rows); ++r) {
      for (std::uint64_t c = 0; c < value(audit.cols); ++c) {
        all.push_back({static_cast<std::int64_t>(r) * audit.row_step +
                           static_cast<std::int64_t>(c) * audit.col_step,
                       0, 0});
      }
    }
    grouped(all, body);
  }
  void count_outside(const Position& position, const Mask& outside) {
    note(position, outside, frame_.report->out_of_bounds, frame_.report->first_out_of_bounds);
  }
  void count_repeated(const Position& position, const Mask& live, const Mask& first) {
    const Mask repeated = made<Mask>([&](int i) { return at(live, i) && !at(first, i); });
    note(position, repeated, frame_.report->collisions, frame_.report->first_collision);
  }

 private:
  template <class Lanes>
  static auto at(const Lanes& lanes, int i) {
    return lanes.lanes[static_cast<std::size_t>(i)];
  }
  template <class Lanes, class Make>
  static Lanes made(Make&& make) {
    Lanes out;
    for (int i = 0; i < kGroup; ++i) out.lanes[static_cast<std::size_t>(i)] = make(i);
    return out;
  }
  static std::uint16_t half(Value bits) { return static_cast<std::uint16_t>(bits); }
  std::uint64_t value(const Amount& amount) const {
    return static_cast<std::uint64_t>(value_in(frame_, amount));
  }
  Value load(const std::byte* from) const {
    Value out = 0;
    std::memcpy(&out, from, plan_.element_size);
    return out;
  }

  // A broken invariant: no legal spec has such a plan.
  [[noreturn]] void refuse() const {
    std::fprintf(stderr, "pto-jit: no arithmetic for this plan:\n%s", print(plan_).c_str());
    std::abort();
  }

  // Every position in walk order.
  std::vector<Point> points() const {
    std::vector<Point> out;
    add_points(0, {}, out);
    return out;
  }
  void add_points(std::size_t depth, const Point& from, std::vector<Point>& out,
                  std::int64_t inner = -1) const {
    if (depth == plan_.level_count) return out.push_back(from);
    const Level& level = plan_.levels[depth];
    const bool is_blocked = plan_.block > 0;
    std::int64_t extent = value_in(frame_, level.extent);
    if (is_blocked && depth + 1 == plan_.level_count) extent = std::min(extent, inner);
    const std::int64_t columns = extent;
    if (is_blocked && depth == 0) extent = (extent + plan_.block - 1) / plan_.block;
    const std::int64_t tile_step = value_in(frame_, level.tile_step);
    const std::int64_t table_step = value_in(frame_, level.table_step);
    for (std::int64_t i = 0; i < extent; ++i) {
      const std::int64_t left = is_blocked && depth == 0 ? columns - i * plan_.block : inner;
      add_points(depth + 1,
                 {from.index + i * level.index_step, from.tile + i * tile_step,
                  from.table + i * table_step},
                 out, left);
    }
  }

  template <class Body>
  void grouped(const std::vector<Point>& all, Body&& body) {
    for (std::size_t first = 0; first < all.size(); first += kGroup) {
      Position position;
      position.flat = static_cast<std::int64_t>(first);
      position.count = static_cast<int>(std::min<std::size_t>(kGroup, all.size() - first));
      std::copy_n(all.begin() + static_cast<std::ptrdiff_t>(first), position.count,
                  position.points.begin());
      active_ = position.count;
      body(position);
    }
  }

  void take_if_mine(const Index& mine, std::uint64_t slot, const Point& point, Owned& owned) const {
    for (int i = 0; i < kGroup; ++i) {
      if (at(mine, i) != slot || at(mine, i) >= limit_) continue;
      owned.at.points[static_cast<std::size_t>(i)] = point;
      owned.live.lanes[static_cast<std::size_t>(i)] = true;
    }
  }

  void note(const Position& position, const Mask& found, std::int64_t& count,
            std::int64_t& first) const {
    for (int i = 0; i < position.count; ++i) {
      if (!at(found, i)) continue;
      if (count++ == 0) first = position.flat + i;
    }
  }

  const KernelPlan& plan_;
  const Frame& frame_;
  std::byte* tile_ = nullptr;
  std::byte* table_ = nullptr;
  std::uint64_t limit_ = 0;
  int active_ = 0;
  std::unordered_set<std::uint64_t> seen_;
};

template <int kGroup>
void run(const KernelPlan& plan, const Frame& frame, WalkKind kind) {
  Interpreter<kGroup> interpreter(plan, frame);
  if (plan.audit.is_on) {
    *frame.report = {};
    audit(plan, interpreter);
  }
  switch (kind) {
    case WalkKind::Forward: return walk(plan, interpreter);
    case WalkKind::Backward: return walk_backward(plan, interpreter);
    case WalkKind::ByOwner: return walk_by_owner(plan, interpreter);
  }
}

}  // namespace

std::int64_t value_in(const Frame& frame, const Amount& amount) {
  std::int64_t value = amount.factor;
  for (std::size_t i = 0; i < amount.count; ++i) {
    value *= frame.extents[static_cast<std::size_t>(amount.dims[i])];
  }
  return value;
}

void interpret(const KernelPlan& plan, const Frame& frame, const InterpretOptions& options) {
  switch (options.group) {
    case 4: return run<4>(plan, frame, options.walk);
    case 16: return run<16>(plan, frame, options.walk);
    default: return run<1>(plan, frame, options.walk);
  }
}

}  // namespace pto::jit

// The loops of a walk: every level of a plan, the innermost one in groups of neighbouring
// positions.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "ir/plan.h"
#include "ir/plan_facts.h"
#include "jit/backends/llvm/amounts.h"
#include "jit/backends/llvm/function_builder.h"

namespace pto::jit::llvm_backend {

// Where the first lane stands; the others follow by the steps of the innermost level.
struct Position {
  Value index = nullptr;
  Value tile = nullptr;
  Value table = nullptr;  // bytes from the table's start, in walks without an index
  Value flat = nullptr;   // in audits
  int lanes = 1;
  Value count = nullptr;  // of lanes that are there, where that may be less than all of them
  bool leaves = false;    // its loop, where not all lanes are live
};

class Levels {
 public:
  // `group`, a power of two, is how many positions are taken at a time where there are so many.
  // Above 0, `partial` is how many of the rest are, of which some may be missing.
  Levels(FunctionBuilder& f, const KernelPlan& plan, const Amounts& amounts, int group, int partial)
      : f_(f), plan_(plan), amounts_(amounts), group_(group), partial_(partial) {}

  // `whole` is given what writes the loop over whole groups, and has it done, saying whether groups
  // leave it: another then goes on from there.
  template <class Body, class Whole>
  void each(const Position& start, Body&& body, Whole&& whole) const {
    descend(0, start, nullptr, Work<Body, Whole>{body, whole});
  }

 private:
  template <class Body, class Whole>
  struct Work {
    Body& body;
    Whole& whole;
  };

  // `columns` are those of the innermost level, where they are not what the plan says.
  template <class Work>
  void descend(std::size_t depth, const Position& from, Value columns, const Work& work) const {
    const Level& here = plan_.levels[depth];
    if (depth + 1 == plan_.level_count) return across(from, columns, work);
    if (here.extent.is(1) && plan_.block == 0) return descend(depth + 1, from, columns, work);
    const bool is_blocked = plan_.block > 0 && depth == 0;
    const auto down = static_cast<std::uint64_t>(is_blocked ? plan_.block : 1);
    amounts_.when_positive(here.extent, [&](Value count) {
      const Rows rows = may_join(depth) ? joined(here, count) : Rows{count, columns};
      const std::array first{from.index, from.tile, from.table, rows.count};
      f_.loop(first, [&](const std::array<Value, 4>& now) {
        const Position at{now[0], now[1], now[2], nullptr, 1};
        const Value left =
            is_blocked ? f_.least(amounts_[innermost(plan_).extent], now[3]) : nullptr;
        descend(depth + 1, at, is_blocked ? left : rows.columns, work);
        const Position next = stepped(at, here, f_.number(1));
        const Value rest = f_.sub(now[3], down);
        return Turn<4>{{next.index, next.tile, next.table, rest}, is_positive(rest)};
      });
    });
  }

  template <class Work>
  void across(const Position& from, Value columns, const Work& work) const {
    const Level& here = innermost(plan_);
    if (columns) return across_runtime(from, columns, work);
    if (!here.extent.is_static()) return across_runtime(from, amounts_[here.extent], work);
    across_static(from, here.extent.factor, work);
  }

  // Whole groups, then smaller ones.
  template <class Work>
  void across_static(const Position& from, std::int64_t count, const Work& work) const {
    const std::int64_t whole = count / group_;
    Position at = from;
    if (whole > 1) {
      work.whole([&](bool leaves) {
        groups(with_lanes(from, group_, leaves), f_.number(whole), work.body);
      });
      at = stepped(from, innermost(plan_), f_.number(whole * group_));
    }
    for (int lanes = whole == 1 ? group_ : group_ / 2; lanes > 0; lanes /= 2) {
      if ((count & lanes) == 0) continue;
      if (const std::int64_t rest = count & (2 * lanes - 1); lanes < partial_ && rest > 1) {
        at.lanes = partial_;
        at.count = f_.number(rest);
        return work.body(at);
      }
      work.body(with_lanes(at, lanes));
      at = stepped(at, innermost(plan_), f_.number(lanes));
    }
  }

  // Whole groups, the larger ones of what is left, then positions one by one.
  template <class Work>
  void across_runtime(const Position& from, Value count, const Work& work) const {
    Position at = from;
    Value rest = count;
    for (int lanes = group_; lanes > 1 && (lanes == group_ || is_worth_halving(lanes));
         lanes /= 2) {
      const auto group = static_cast<std::uint64_t>(lanes);
      const Value whole = f_.shift_right(rest, static_cast<unsigned>(std::countr_zero(group)));
      const auto loop = [&](bool leaves) {
        groups(with_lanes(at, lanes, leaves), whole, work.body);
      };
      f_.when(is_positive(whole), [&] { lanes == group_ ? work.whole(loop) : loop(false); });
      at = stepped(at, innermost(plan_), f_.mul(whole, group));
      rest = f_.both(rest, group - 1);
    }
    f_.when(is_positive(rest), [&] {
      partial_ > 0 ? partial_groups(at, rest, work.body)
                   : groups(with_lanes(at, 1), rest, work.body);
    });
  }

  // At least one position: as many at a time as are there.
  template <class Body>
  void partial_groups(const Position& from, Value count, Body& body) const {
    const std::array first{from.index, from.tile, from.table, count};
    f_.loop(first, [&](const std::array<Value, 4>& now) {
      const Position at{now[0], now[1], now[2], nullptr, partial_, now[3]};
      body(at);
      const Position next = stepped(at, innermost(plan_), f_.number(partial_));
      const Value left = f_.sub(now[3], static_cast<std::uint64_t>(partial_));
      return Turn<4>{{next.index, next.tile, next.table, left}, is_positive(left)};
    });
  }

  // At least one group.
  template <class Body>
  void groups(const Position& from, Value count, Body& body) const {
    const auto loop = [&](const std::array<Value, 4>& first, bool leaves) {
      return f_.loop(first, [&](const std::array<Value, 4>& now) {
        const Position at{now[0], now[1], now[2], nullptr, from.lanes, nullptr, leaves};
        body(at);
        const Position next = stepped(at, innermost(plan_), f_.number(at.lanes));
        const Value left = f_.sub(now[3], 1);
        return Turn<4>{{next.index, next.tile, next.table, left}, f_.is_nonzero(left)};
      });
    };
    const auto last = loop({from.index, from.tile, from.table, count}, from.leaves);
    if (from.leaves) f_.when(f_.is_nonzero(last[3]), [&] { loop(last, false); });
  }

  static Position with_lanes(Position at, int lanes, bool leaves = false) {
    at.lanes = lanes;
    at.leaves = leaves;
    return at;
  }
  // Rows that turn out to lie one behind the other are one row.
  struct Rows {
    Value count;
    Value columns;
  };
  bool may_join(std::size_t depth) const {
    return depth + 2 == plan_.level_count && plan_.block == 0 &&
           !innermost(plan_).extent.is_static();
  }
  Rows joined(const Level& level, Value count) const;

  Value is_positive(Value count) const { return f_.is_less_signed(f_.number(0), count); }
  Position stepped(const Position& from, const Level& level, Value count) const;

  // Positions.
  bool is_worth_halving(int lanes) const { return partial_ == 0 && lanes >= kWorthHalving; }
  static constexpr int kWorthHalving = 8;

  FunctionBuilder& f_;
  const KernelPlan& plan_;
  const Amounts& amounts_;
  const int group_;
  const int partial_;
};

}  // namespace pto::jit::llvm_backend

// The loops of a walk: every level of a plan, the innermost one in groups of neighbouring
// positions.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "ir/plan.h"
#include "ir/plan_facts.h"
#include "jit/llvm/amounts.h"
#include "jit/llvm/function_builder.h"

namespace pto::jit::llvm_backend {

// Where the first lane stands; the others follow by the steps of the innermost level.
struct Position {
  Value index = nullptr;
  Value tile = nullptr;
  Value table = nullptr;  // bytes from the table's start, in walks without an index
  Value flat = nullptr;   // in audits
  int lanes = 1;
};

class Levels {
 public:
  // `group`, a power of two, is how many positions are taken at a time where there are so many.
  Levels(FunctionBuilder& f, const KernelPlan& plan, const Amounts& amounts, int group)
      : f_(f), plan_(plan), amounts_(amounts), group_(group) {}

  template <class Body>
  void each(const Position& start, Body&& body) const {
    descend(0, start, nullptr, body);
  }

 private:
  // `left` is how many columns a block has, from its first one on.
  template <class Body>
  void descend(std::size_t depth, const Position& from, Value left, Body& body) const {
    const Level& here = plan_.levels[depth];
    if (depth + 1 == plan_.level_count) return across(from, left, body);
    if (here.extent.is(1) && plan_.block == 0) return descend(depth + 1, from, left, body);
    const bool is_blocked = plan_.block > 0 && depth == 0;
    const auto down = static_cast<std::uint64_t>(is_blocked ? plan_.block : 1);
    amounts_.when_positive(here.extent, [&](Value count) {
      const std::array first{from.index, from.tile, from.table, count};
      f_.loop(first, [&](const std::array<Value, 4>& now) {
        const Position at{now[0], now[1], now[2], nullptr, 1};
        descend(depth + 1, at, is_blocked ? now[3] : left, body);
        const Position next = stepped(at, here, f_.number(1));
        const Value rest = f_.sub(now[3], down);
        return Turn<4>{{next.index, next.tile, next.table, rest}, is_positive(rest)};
      });
    });
  }

  template <class Body>
  void across(const Position& from, Value left, Body& body) const {
    const Level& here = innermost(plan_);
    if (left) return across_runtime(from, f_.least(amounts_[here.extent], left), body);
    if (!here.extent.is_static()) return across_runtime(from, amounts_[here.extent], body);
    across_static(from, here.extent.factor, body);
  }

  // Whole groups, then one smaller group.
  template <class Body>
  void across_static(const Position& from, std::int64_t count, Body& body) const {
    const std::int64_t whole = count / group_;
    const auto rest = static_cast<int>(count % group_);
    Position at = from;
    if (whole > 1) at = groups(at, f_.number(whole), group_, body);
    if (whole == 1) {
      body(with_lanes(at, group_));
      at = stepped(at, innermost(plan_), f_.number(group_));
    }
    if (rest > 0) body(with_lanes(at, rest));
  }

  // Whole groups, then positions one by one.
  template <class Body>
  void across_runtime(const Position& from, Value count, Body& body) const {
    Position at = from;
    Value rest = count;
    if (group_ > 1) {
      const auto group = static_cast<std::uint64_t>(group_);
      const Value whole = f_.shift_right(count, static_cast<unsigned>(std::countr_zero(group)));
      f_.when(is_positive(whole), [&] { groups(from, whole, group_, body); });
      at = stepped(from, innermost(plan_), f_.mul(whole, group));
      rest = f_.both(count, group - 1);
    }
    f_.when(is_positive(rest), [&] { groups(at, rest, 1, body); });
  }

  // At least one group; returns where the last one ends.
  template <class Body>
  Position groups(const Position& from, Value count, int lanes, Body& body) const {
    const std::array first{from.index, from.tile, from.table, count};
    const auto last = f_.loop(first, [&](const std::array<Value, 4>& now) {
      const Position at{now[0], now[1], now[2], nullptr, lanes};
      body(at);
      const Position next = stepped(at, innermost(plan_), f_.number(lanes));
      const Value left = f_.sub(now[3], 1);
      return Turn<4>{{next.index, next.tile, next.table, left}, f_.is_nonzero(left)};
    });
    return {last[0], last[1], last[2], nullptr, 1};
  }

  static Position with_lanes(Position at, int lanes) {
    at.lanes = lanes;
    return at;
  }
  Value is_positive(Value count) const { return f_.is_less_signed(f_.number(0), count); }
  Position stepped(const Position& from, const Level& level, Value count) const;

  FunctionBuilder& f_;
  const KernelPlan& plan_;
  const Amounts& amounts_;
  const int group_;
};

}  // namespace pto::jit::llvm_backend

// The walks of ir/walk.h written down: an emitter whose values are expressions of the text. One
// scalar handles an index, or one lane of a launch.
#pragma once

#include <string>
#include <vector>

#include "ir/walk.h"
#include "jit/text/source/text_writer.h"
#include "targets/source_plan.h"

namespace pto::jit::source {

// Whether the text may point into tiles: not where the device's compiler places them.
inline bool has_local_pointers(const SourcePlan& plan) {
  return plan.placement == Placement::Manual;
}

class WalkText {
 public:
  using Index = std::string;
  using Value = std::string;
  using Mask = std::string;  // empty: always

  struct Position {
    std::string index;  // in the index tile
    std::string tile;
    std::string table;  // where the walk itself addresses it
  };
  struct Place {
    std::string table;
    std::string tile;
  };
  struct Parts {
    std::string quotient;
    std::string remainder;
  };
  struct Owner {
    Position at;
    Mask live;
  };

  WalkText(const SourcePlan& plan, TextWriter& out)
      : plan_(plan), body_(*plan.expanded), walk_(body_.walk), out_(out) {}

  // The walk of the plan, with the last writer of each slot found by its owner among lanes.
  void write();

  // How many warps of 32 lanes a launch has.
  std::int64_t warps() const;

  Mask always() const { return ""; }
  Mask inverted(const Mask& mask) const { return "!(" + mask + ")"; }
  Mask below(const Index& raw, const Amount& capacity) const;
  Index at_most_last(const Index& raw, const Amount& capacity);
  Index modulo(const Index& raw, const Amount& capacity);
  Index scaled(const Index& slot, const Amount& step) const;
  Parts divided(const Index& slot, const Amount& radix) const;
  void accumulate(Index& sum, const Index& more) const { sum += " + " + more; }
  Index load_index(const Position& at);
  Index walked_table(const Position& at) const { return at.table; }

  template <class Body>
  void when_nonzero(const Amount& amount, Body&& body) {
    const bool is_asked = !amount.is_static();
    if (is_asked) open("if (" + amount_text(amount) + " != 0) {");
    body();
    if (is_asked) close();
  }

  template <class Body>
  void each_rank(Body&& body) {
    body();
  }

  template <class Body>
  void positions(Body&& body) {
    const int outside = depth_;
    const Position at = open_positions();
    body(at);
    close_to(outside);
  }

  // Every slot has a lane that looks for the last position naming it.
  template <class Body>
  void slots(const Amount& capacity, Body&& body) {
    const int outside = depth_;
    open_slots(capacity);
    body("slot");
    out_.lines("break;");
    close_to(outside);
  }

  template <class Find>
  Owner last_match(const Index& mine, Find&& find) {
    const Position at = open_scan();
    const Index found = find(at).at;
    out_.lines("if ($found != $mine) continue;", {{"found", found}, {"mine", mine}});
    return {at, always()};
  }

  template <class Body>
  void each_lane(const Position& at, const Index& far, const Mask& live, Body&& body) {
    if (!live.empty()) open("if (" + live + ") {");
    body(Place{far, at.tile});
    if (!live.empty()) close();
  }

  template <class Body>
  void repeat(const Repeat& times, const Place& place, Body&& body) {
    if (times.count.is(1)) return body(place);
    if (body_.means == Means::Bursts && &times == &walk_.unit.inner) return body(place);
    const std::string name = &times == &walk_.unit.inner ? "n" : "m";
    open_shared(name, amount_text(times.count));
    body(Place{plus(place.table, term(name, times.table_step)),
               plus(place.tile, term(name, times.tile_step))});
    close();
  }

  void copy(const Place& place, const Amount& bytes);
  void clear_tile(const Place& place, const Amount& bytes);
  void clear_written(std::int64_t bytes);

  template <class Body>
  void each_element(const Place& place, const Amount& bytes, Body&& body) {
    if (body_.means == Means::Bursts) return burst(place, bytes);  // the store path adds
    const Place at = open_elements(place, bytes);
    body(at);
    if (!is_single(bytes)) close();
  }

  Value load_table(const Place& at);
  Value load_tile(const Place& at);
  Value sum(const Value& table, const Value& tile);
  Value pick_if_less(const Value& less, const Value& than, const Value& yes, const Value& no);
  void store_table(const Place& at, const Value& value);

 private:
  // Elements of tiles and of the table, as the text reads and writes them.
  std::string local_at(const std::string& operand, const std::string& place) const;
  std::string set_local(const std::string& operand, const std::string& place,
                        const Value& value) const;
  std::string tile_at(const Place& at) const;
  std::string set_tile(const Place& at, const Value& value) const;
  std::string table_at(const Place& at) const;
  std::string set_table(const Place& at, const Value& value) const;

  std::string amount_text(const Amount& amount) const;
  Amount in_elements(const Amount& bytes) const;
  bool is_single(const Amount& bytes) const { return in_elements(bytes).is(1); }
  std::string term(const std::string& name, const Amount& step_bytes) const;
  std::string plus(const std::string& left, const std::string& right) const;
  std::string index_type() const;
  std::string element_type() const;
  std::string tile_pointer() const { return body_.tile + "Ub"; }
  std::string table_pointer() const { return body_.table + (body_.is_in_memory ? "Gm" : "Ub"); }

  bool is_by_rows() const;
  bool finds_last() const {
    return body_.means == Means::Lanes && walk_.writer == Writer::Last &&
           walk_.direction == Direction::ToTable;
  }
  std::int64_t row_warps() const;
  std::int64_t warps_per_row() const;
  Amount count_of_positions() const;
  Position open_positions();
  Position open_lanes();
  void open_slots(const Amount& capacity);
  Position open_scan();
  Place open_elements(const Place& place, const Amount& bytes);
  Position position_of(const std::vector<std::string>& names) const;
  void burst(const Place& place, const Amount& bytes);
  std::string narrowed(const Amount& amount, const std::string& type) const;
  std::string gap_text(const Amount& step, const Amount& bytes) const;

  void open(const std::string& line);
  void open_shared(const std::string& name, const std::string& count);
  void close();
  void close_to(int depth);

  const SourcePlan& plan_;
  const ExpandedBody& body_;
  const KernelPlan& walk_;
  TextWriter& out_;
  int depth_ = 0;  // loops and conditions that are open
};

}  // namespace pto::jit::source

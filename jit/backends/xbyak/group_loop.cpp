#include "jit/backends/xbyak/group_loop.h"

namespace pto::jit::xbyak {
namespace {

// Columns of the last of them, as far as the plan tells.
std::int64_t narrowest_block(const KernelPlan& plan) {
  const Amount& columns = plan.levels[0].extent;
  return columns.is_static() ? (columns.factor - 1) % plan.block + 1 : 1;
}

}  // namespace

bool GroupLoop::takes_groups() const {
  const bool fits = !plan_.capacity.is_static() || plan_.capacity.factor <= 0xffffffff ||
                    plan_.oob == Oob::Undefined || strategy_.singles;
  return strategy_.group > 1 && fits && !innermost_.extent.is(1) &&
         (strategy_.masks_rest || has_whole_groups());
}

bool GroupLoop::has_whole_groups() const {
  const Amount& extent = innermost_.extent;
  return !extent.is_static() || extent.factor >= strategy_.group;
}

bool GroupLoop::leaves_some() const {
  const Amount& extent = innermost_.extent;
  return !knows_extent() || extent.factor % strategy_.group != 0;
}

bool GroupLoop::may_refuse_groups() const {
  if (!plan_.has_index() || strategy_.singles) return false;
  // Mixed groups that go aside are compared with all bits of the capacity, and others go there when
  // in doubt.
  const bool goes_aside = sorts_out(kPlainWay) && tools_.aside.takes(kPlainWay);
  const bool compares_lanes = plan_.oob != Oob::Undefined && !goes_aside;
  const bool looks = compares_lanes || tools_.form.slots_short() > 0;
  return has_digits_to_come() || (looks && !plan_.capacity.is_static());
}

bool GroupLoop::leaves_singles() const {
  if (!takes_groups() || may_refuse_groups()) return true;
  return !strategy_.masks_rest && leaves_some();
}

int GroupLoop::few_singles() const {
  if (!takes_groups() || strategy_.masks_rest || may_refuse_groups()) return 0;
  if (!knows_extent() || !plan_.has_index()) return 0;
  const auto left = static_cast<int>(innermost_.extent.factor % strategy_.group);
  return left < kFewSingles ? left : 0;
}

bool GroupLoop::repeats() const {
  const Amount& extent = innermost_.extent;
  const bool is_long = !extent.is_static() || extent.factor >= kTurns * strategy_.group;
  return is_long && tools_.form.repeats();
}

// Lanes that are left as they are while all are in range, in a loop that goes round.
bool GroupLoop::sorts_out(const Way& way) const {
  const Amount& extent = innermost_.extent;
  const bool is_long = !extent.is_static() || extent.factor >= 2 * strategy_.group;
  return is_long && takes_apart() && !strategy_.singles && plan_.digit_count == 1 &&
         (strategy_.scan || tools_.aside.takes(way));
}

void GroupLoop::start(Label& singles, Label& rest) {
  if (may_refuse_groups()) refuse_groups(singles);
  tools_.form.start_groups();
  if (strategy_.prefetch > 0) tools_.prefetch.start();
  tools_.resolver.hold_numbers();
  const bool holds_one = plan_.block > 0 && narrowest_block(plan_) >= strategy_.group;
  if (knows_extent() || repeats() || holds_one) return;
  a_.serving(Purpose::FasterPath, [&] { a_.cmp(a_.at.count, strategy_.group); });
  a_.jb(rest, Assembler::T_NEAR);
}

void GroupLoop::refuse_groups(Label& singles) {
  a_.serving(Purpose::HugeTable, [&] { a_.load(a_.rdx, plan_.capacity); });
  if (has_digits_to_come()) {
    tools_.resolver.jump_if_places_are_far(singles);
  } else {
    a_.serving(Purpose::HugeTable, [&] {
      a_.mov(a_.eax, 0xffffffff);
      a_.cmp(a_.rdx, a_.rax);
      a_.ja(singles, Assembler::T_NEAR);
    });
  }
  const std::int64_t few = tools_.form.slots_short();
  if (few == 0 || plan_.capacity.is_static()) return;
  a_.serving(Purpose::SmallTable, [&] {
    a_.cmp(a_.rdx, static_cast<int>(few));
    a_.jbe(singles, Assembler::T_NEAR);
  });
}

void GroupLoop::leave() {
  tools_.form.leave_groups();
  tools_.resolver.release_numbers();
}

// Leaves for `fewer` when there are not that many groups; whether there can be.
bool GroupLoop::start_turns(int turns, Label& fewer) {
  if (turns == 1 && !repeats()) return true;
  const Amount& extent = innermost_.extent;
  const std::int64_t many = kTurns * strategy_.group;
  if (turns == 1 && knows_extent() && extent.factor % many < strategy_.group) return false;
  if (knows_extent()) return true;
  a_.serving(Purpose::FasterPath, [&] { a_.cmp(a_.at.count, turns * strategy_.group); });
  a_.jb(fewer, Assembler::T_NEAR);
  return true;
}

void GroupLoop::jump_if_none(Label& to) {
  a_.serving(Purpose::SomeLeft, [&] {
    a_.test(a_.at.count, a_.at.count);
    a_.jz(to, Assembler::T_NEAR);
  });
}

// A way of one length would not take the run that another has taken.
void GroupLoop::leave_way(const Way& next, Label& rest) {
  a_.serving_if(next.kind == Way::Kind::Exact, Purpose::WayDone,
                [&] { a_.jmp(rest, Assembler::T_NEAR); });
}

// How many indices a loop is given, when that is known.
std::optional<std::int64_t> GroupLoop::given_to(int turns) const {
  if (!knows_extent()) return std::nullopt;
  const std::int64_t all = innermost_.extent.factor;
  const bool is_second = turns == 1 && repeats();
  return is_second ? all % (kTurns * strategy_.group) : all;
}

// Of a loop that goes round once only what others need is left.
void GroupLoop::step(int turns, Label& again) {
  const Level& here = innermost_;
  const int indices = strategy_.group * turns;
  const std::optional<std::int64_t> given = given_to(turns);
  if (given == indices && (strategy_.masks_rest || !leaves_singles())) return;
  if (plan_.has_index()) a_.add_amount(a_.at.index, here.index_step * indices);
  a_.add_amount(a_.at.tile, here.tile_step * indices);
  if (!plan_.has_index()) a_.add_amount(a_.at.table, here.table_step * indices);
  a_.sub(a_.at.count, indices);
  if (given && *given < 2 * indices) return;
  a_.cmp(a_.at.count, indices);
  a_.serving(Purpose::FasterPath, [&] { a_.jae(again, Assembler::T_NEAR); });
}

// One for all loops, of which one runs at a time.
const GroupLoop::Strip& GroupLoop::strip() {
  if (!strip_)
    strip_ = {a_.new_area(static_cast<int>(strategy_.strip) * 4), a_.new_slot(), a_.new_slot()};
  return *strip_;
}

// As many whole vectors of indices as it holds, or as there are.
void GroupLoop::fill_strip(const Strip& strip, Label& done) {
  const int lanes = a_.isa.vector_bytes() / 4;
  a_.serving(Purpose::StripTest, [&] { a_.cmp(a_.at.count, lanes); });
  a_.jb(done, Assembler::T_NEAR);
  a_.serving(Purpose::StripLength, [&] {
    a_.mov(a_.edx, static_cast<int>(strategy_.strip));
    a_.cmp(a_.at.count, a_.rdx);
    a_.cmovb(a_.rdx, a_.at.count);
    a_.and_(a_.edx, -lanes);
  });
  a_.sub(a_.at.count, a_.rdx);
  a_.serving(Purpose::StripRest, [&] { a_.mov(a_[strip.count], a_.at.count); });
  a_.mov(a_.at.count, a_.rdx);
  const std::size_t slots = strip.slots.within(0, strategy_.strip / lanes * lanes * 4);
  a_.lea(a_.rax, a_.ptr[a_.rsp + slots]);
  tools_.lane_resolver.resolve_strip(a_.rax, a_.rdx);
  a_.serving(Purpose::StripRest, [&] { a_.mov(a_[strip.index], a_.at.index); });
  a_.lea(a_.at.index, a_.ptr[a_.rsp + slots]);
}

void GroupLoop::leave_strip(const Strip& strip) {
  a_.serving(Purpose::StripRest, [&] {
    a_.mov(a_.at.index, a_[strip.index]);
    a_.mov(a_.at.count, a_[strip.count]);
  });
}

void GroupLoop::start_rest(Label& done) {
  if (!knows_extent()) jump_if_none(done);
  a_.serving(Purpose::RestBits, [&] { a_.mov(a_.eax, -1); });
  a_.bzhi(a_.eax, a_.eax, a_.at.count.cvt32());
  a_.kmovd(a_.mask.rest, a_.eax);
}

}  // namespace pto::jit::xbyak

#include "jit/backends/xbyak/aside.h"

#include <algorithm>
#include <bit>

#include "jit/backends/xbyak/runs.h"

namespace pto::jit::xbyak {
namespace {

// The most bytes that a unit moved this way can have.
std::int64_t most_bytes(const Way& way, const Amount& run) {
  switch (way.kind) {
    case Way::Kind::Plain: return run.is_static() ? run.factor : Strategy::kMostAside + 1;
    case Way::Kind::Exact: return way.bytes();
    case Way::Kind::Ends: return std::int64_t{2} * way.bytes();
    case Way::Kind::Loop:
    case Way::Kind::Stream: break;
  }
  return Strategy::kMostAside + 1;
}

}  // namespace

bool Aside::takes(const Way& way) const {
  return strategy_.aside > 0 && units_.are_direct(way) &&
         most_bytes(way, plan_.unit.run) <= strategy_.aside;
}

std::int64_t Aside::lane_bytes() const {
  const Amount& run = plan_.unit.run;
  return ((run.is_static() ? run.factor : strategy_.aside) + 7) / 8 * 8;
}

void Aside::keep_memory() {
  if (strategy_.aside == 0) return;
  const int lanes = is_shared() ? 1 : strategy_.group;
  const std::int64_t bytes = lane_bytes() * lanes + (scale() > 1 ? 8 : 0);
  memory_ = a_.new_area(static_cast<int>(has_line() ? bytes + kLine : bytes));
  if (!is_read()) return;
  const Xbyak::RegExp zeros = a_.rsp + memory_.within(0, has_line() ? bytes + kLine : bytes);
  a_.serving(Purpose::AsideZeros, [&] { clear_short(a_, zeros, bytes); });
  if (!has_line()) return;
  a_.serving(Purpose::AsideLine,
             [&] { clear_short(a_, zeros + static_cast<std::size_t>(bytes), kLine); });
}

std::int64_t Aside::lane_at(const Way& way, int lane) const {
  const std::int64_t at = is_shared() ? 0 : lane * lane_bytes();
  memory_.within(at, slack() + most_bytes(way, plan_.unit.run));
  return at;
}

void Aside::load_address(const Xbyak::Reg64& to, std::int64_t at) {
  a_.lea(to, a_.ptr[a_.rsp + memory_.within(at, 0)]);
}

std::int64_t Aside::scale() const {
  const Amount& step = plan_.digits[0].step;
  return plan_.digit_count == 1 && is_scale(step) ? step.factor : 1;
}

// Numbers count whole steps from the table, so that the memory begins some bytes later.
Loan Aside::enter_numbers() {
  const Loan out = a_.take();
  load_address(out.reg(), slack());
  if (has_line()) a_.serving(Purpose::AsideLine, [&] { a_.and_(out.reg(), -kLine); });
  a_.sub(out.reg(), a_.at.table);
  if (scale() > 1) a_.sar(out.reg(), std::countr_zero(static_cast<std::uint64_t>(scale())));
  shared_ = out.reg().getIdx();
  return out;
}

void Aside::replace(const Xbyak::Reg64& number, const Way& way, int lane) {
  const Xbyak::Reg64 first(shared_);
  const auto further = static_cast<std::size_t>(lane_at(way, lane) / scale());
  if (further == 0) return a_.cmovae(number, first);
  a_.serving(Purpose::AsideOwn, [&] { a_.lea(a_.rdx, a_.ptr[first + further]); });
  a_.cmovae(number, a_.rdx);
}

Loan Aside::enter() {
  if (!is_shared()) return {};
  const Loan shared = a_.take();
  load_address(shared.reg(), 0);
  shared_ = shared.reg().getIdx();
  return shared;
}

void Aside::redirect(const Xbyak::Reg64& address, const Mask& live, const Way& way, int lane) {
  const bool counts = carry_if_counts(a_, live, lane);
  const std::int64_t own = lane_at(way, lane);
  if (!is_shared()) a_.serving(Purpose::AsideOwn, [&] { load_address(a_.rdx, own); });
  const Xbyak::Reg64 memory = is_shared() ? Xbyak::Reg64(shared_) : Xbyak::Reg64(a_.rdx);
  counts ? a_.cmovnc(address, memory) : a_.cmovc(address, memory);
}

}  // namespace pto::jit::xbyak

#include "jit/xbyak/aside.h"

#include <algorithm>

#include "jit/xbyak/runs.h"

namespace pto::jit::xbyak {
namespace {

// The most bytes that a unit moved this way can have.
std::int64_t most_bytes(const Way& way, const Amount& run) {
  switch (way.kind) {
    case Way::Kind::Plain: return run.factor;
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
  const std::int64_t bytes = lane_bytes() * lanes;
  memory_ = a_.new_area(static_cast<int>(bytes));
  if (!is_read()) return;
  a_.serving(Purpose::AsideZeros,
             [&] { clear_short(a_, a_.rsp + static_cast<std::size_t>(memory_.offset), bytes); });
}

void Aside::load_address(const Xbyak::Reg64& to, int lane) {
  const auto offset = static_cast<std::size_t>(memory_.offset + lane * lane_bytes());
  a_.lea(to, a_.ptr[a_.rsp + offset]);
}

Loan Aside::enter() {
  if (!is_shared()) return {};
  const Loan shared = a_.take();
  load_address(shared.reg(), 0);
  shared_ = shared.reg().getIdx();
  return shared;
}

void Aside::redirect(const Xbyak::Reg64& address, const Mask& live, int lane) {
  const bool counts = carry_if_counts(a_, live, lane);
  if (!is_shared()) a_.serving(Purpose::AsideOwn, [&] { load_address(a_.rdx, lane); });
  const Xbyak::Reg64 memory = is_shared() ? Xbyak::Reg64(shared_) : Xbyak::Reg64(a_.rdx);
  counts ? a_.cmovnc(address, memory) : a_.cmovc(address, memory);
}

}  // namespace pto::jit::xbyak

#include "jit/backends/xbyak/prefetch.h"

#include <algorithm>

namespace pto::jit::xbyak {
namespace {

constexpr int kLine = 64;

}  // namespace

void Prefetch::start() {
  fewest_ = a_.new_slot();
  a_.serving(Purpose::PrefetchFrom, [&] { choose_fewest(); });
}

// More than there are when the table is near.
void Prefetch::choose_fewest() {
  a_.mov(a_[fewest_], strategy_.prefetch + strategy_.group);
  if (plan_.capacity.is_static() && plan_.digits[0].step.is_static()) return;
  Label far;
  a_.load(a_.rdx, plan_.capacity);
  resolver_.multiply(a_.rdx, plan_.digits[0].step);
  a_.load_constant(a_.rax, strategy_.prefetch_from);
  a_.cmp(a_.rdx, a_.rax);
  a_.ja(far);
  a_.mov(a_[fewest_], 0x7fffffff);
  a_.L(far);
}

void Prefetch::ask(const Way& way) {
  Label none;
  a_.serving(Purpose::PrefetchTest, [&] {
    a_.cmp(a_.at.count, a_[fewest_]);
    a_.jb(none, Assembler::T_NEAR);
  });
  for (int lane = 0; lane < strategy_.group; ++lane) {
    const auto offset = static_cast<std::size_t>((strategy_.prefetch + lane) * plan_.index_size);
    plan_.index_size == 2 ? a_.movzx(a_.edx, a_.word[a_.at.index + offset])
                          : a_.mov(a_.edx, a_.dword[a_.at.index + offset]);
    resolver_.multiply(a_.rdx, plan_.digits[0].step);
    ask_row(way);
  }
  a_.L(none);
}

// rdx: where the row begins in the table. Of one whose length is known only at run time, the lines
// of the pieces that its way copies from either end.
void Prefetch::ask_row(const Way& way) {
  const Amount& run = plan_.unit.run;
  const std::int64_t bytes = run.is_static() ? run.factor : std::max(way.bytes(), kLine);
  const std::int64_t lines = std::min<std::int64_t>((bytes + kLine - 1) / kLine, strategy_.lines);
  const bool has_end = way.kind == Way::Kind::Ends && lines < strategy_.lines;
  if (has_end) a_.add(a_.rdx, a_.at.table);
  const Address begin = has_end ? Address(a_.rdx) : Address(a_.at.table) + Address(a_.rdx);
  for (std::int64_t at = 0; at < lines * kLine; at += kLine) ask_line(begin + at);
  for (std::int64_t at = kLine; has_end && at <= lines * kLine; at += kLine)
    ask_line(begin + Address(way.run) + -at);
}

// Those far ahead go to the second cache, for the first would have lost them again.
void Prefetch::ask_line(const Address& at) {
  const bool is_far = strategy_.prefetch >= kFarAhead;
  a_.ask_line(writes_table() ? Moves::Wanted::Written
              : is_far       ? Moves::Wanted::Second
                             : Moves::Wanted::First,
              at);
}

}  // namespace pto::jit::xbyak

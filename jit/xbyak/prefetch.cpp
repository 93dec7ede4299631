#include "jit/xbyak/prefetch.h"

namespace pto::jit::xbyak {

void Prefetch::start() {
  fewest_ = a_.new_slot();
  a_.serving(Purpose::PrefetchFrom, [&] { choose_fewest(); });
}

// More than there are when the table is near.
void Prefetch::choose_fewest() {
  a_.mov(a_[fewest_], strategy_.prefetch + strategy_.group);
  if (plan_.capacity.is_static() && plan_.digits[0].step.is_static()) return;
  Xbyak::Label far;
  a_.load(a_.rdx, plan_.capacity);
  resolver_.multiply(a_.rdx, plan_.digits[0].step);
  a_.load_constant(a_.rax, strategy_.prefetch_from);
  a_.cmp(a_.rdx, a_.rax);
  a_.ja(far);
  a_.mov(a_[fewest_], 0x7fffffff);
  a_.L(far);
}

void Prefetch::ask() {
  Xbyak::Label none;
  a_.serving(Purpose::PrefetchTest, [&] {
    a_.cmp(a_.at.count, a_[fewest_]);
    a_.jb(none, Assembler::T_NEAR);
  });
  for (int lane = 0; lane < strategy_.group; ++lane) {
    const auto offset = static_cast<std::size_t>((strategy_.prefetch + lane) * plan_.index_size);
    plan_.index_size == 2 ? a_.movzx(a_.edx, a_.word[a_.at.index + offset])
                          : a_.mov(a_.edx, a_.dword[a_.at.index + offset]);
    resolver_.multiply(a_.rdx, plan_.digits[0].step);
    a_.prefetchw(a_.ptr[a_.at.table + a_.rdx]);
  }
  a_.L(none);
}

}  // namespace pto::jit::xbyak

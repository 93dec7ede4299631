// Indices looked over before groups of them are divided: where all are in range none has to be.
// Many at a time, for whether one of many is out of range can be guessed: mostly one is, or none.
#include "jit/xbyak/lane_resolver.h"

namespace pto::jit::xbyak {

using Xbyak::RegExp;
using Xbyak::Xmm;

namespace {

constexpr int kLookedOver = 128;

}  // namespace

void LaneResolver::start_scan() {
  outside_ = a_.new_slot();
  ahead_ = a_.new_slot();
  a_.serving(Purpose::AllInside, [&] { a_.mov(a_[ahead_], 0); });
}

void LaneResolver::scan(int taken) {
  Label known;
  const Loan at = a_.take();
  const Loan left = a_.take();
  const auto write = [&] {
    a_.sub(a_[ahead_], taken);
    a_.jns(known, Assembler::T_NEAR);
    a_.mov(left.reg(), a_.at.count);
    a_.mov(a_.eax, kLookedOver);
    a_.cmp(left.reg(), a_.rax);
    a_.cmova(left.reg(), a_.rax);
    a_.lea(a_.rax, a_.ptr[left.reg() - taken]);
    a_.mov(a_[ahead_], a_.rax);
    a_.mov(at.reg(), a_.at.index);
    look_over({at.reg(), left.reg()});
  };
  a_.serving(Purpose::AllInside, write);
  a_.L(known);
}

void LaneResolver::look_over(const ScanPlace& place) {
  const Xmm most = a_.vec.spare.of(a_.isa.vector_bytes());
  const Xmm beyond = a_.vec.first.of(a_.isa.vector_bytes());
  const Xmm limit = a_.vec.limit.of(a_.isa.vector_bytes());
  a_.vpxor(a_.vec.spare.x(), a_.vec.spare.x(), a_.vec.spare.x());
  scan_vectors(most, place);
  scan_rest(most, place);
  if (strategy_.avx512) {
    a_.vpcmpud(a_.mask.spent, most, limit, 5);
    a_.kmovw(a_.eax, a_.mask.spent);
  } else {
    a_.vpmaxud(beyond, most, limit);
    a_.vpcmpeqd(beyond, beyond, most);
    a_.vmovmskps(a_.eax, beyond);
  }
  a_.mov(a_[outside_], a_.rax);
}

void LaneResolver::keep_most(const Xmm& most, const RegExp& from) {
  if (plan_.index_size == 4) return a_.vpmaxud(most, most, a_.ptr[from]);
  const Xmm more = a_.vec.first.of(static_cast<int>(most.getBit()) / 8);
  a_.vpmovzxwd(more, a_.ptr[from]);
  a_.vpmaxud(most, most, more);
}

void LaneResolver::scan_vectors(const Xmm& most, const ScanPlace& place) {
  const int indices = a_.isa.vector_bytes() / 4;
  Label again, fewer;
  a_.cmp(place.left, indices);
  a_.jb(fewer);
  a_.L(again);
  keep_most(most, place.at);
  a_.add(place.at, indices * plan_.index_size);
  a_.sub(place.left, indices);
  a_.cmp(place.left, indices);
  a_.jae(again);
  a_.L(fewer);
}

// Less than a vector: under a mask, or half of one, for what is less than that is no group.
void LaneResolver::scan_rest(const Xmm& most, const ScanPlace& place) {
  if (strategy_.avx512) {
    a_.mov(a_.eax, -1);
    a_.bzhi(a_.eax, a_.eax, place.left.cvt32());
    a_.kmovd(a_.mask.rest, a_.eax);
    const Xmm more = a_.vec.first.z();
    plan_.index_size == 2 ? a_.vpmovzxwd(more | a_.mask.rest | a_.T_z, a_.ptr[place.at])
                          : a_.vmovdqu32(more | a_.mask.rest | a_.T_z, a_.ptr[place.at]);
    return a_.vpmaxud(most, most, more);
  }
  if (strategy_.group > 4) return;
  Label none;
  const Xmm more = a_.vec.first.x();
  a_.cmp(place.left, 4);
  a_.jb(none);
  plan_.index_size == 2 ? a_.vpmovzxwd(more, a_.ptr[place.at]) : a_.vmovdqu(more, a_.ptr[place.at]);
  a_.vpmaxud(most, most, a_.vec.first.y());
  a_.L(none);
}

}  // namespace pto::jit::xbyak

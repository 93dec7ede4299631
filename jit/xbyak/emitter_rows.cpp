// Runs of whole groups: which ways of copying a kernel has, which one a call takes, and the copies.
#include "jit/xbyak/emitter.h"
#include "jit/xbyak/runs.h"

namespace pto::jit::xbyak {

using Xbyak::Reg64;

namespace {

// The largest power of two that divides every length a run can have, as far as pieces go.
int granule_of(const KernelPlan& plan) {
  const auto factor = static_cast<std::uint64_t>(plan.unit.run.factor);
  return static_cast<int>(std::min<std::uint64_t>(factor & (~factor + 1), 64));
}

}  // namespace

// Longest first: a way is taken by every run it is long enough for.
Emitter::GroupWays Emitter::group_ways() const {
  using Kind = GroupWay::Kind;
  GroupWays ways;
  const std::int64_t longest = longest_run(plan_);
  const auto add = [&](const GroupWay& way) {
    const int least = way.width * way.pieces;
    if (way.kind == Kind::Exact ? least <= longest : least < longest) ways.all[ways.count++] = way;
  };
  const bool is_single = plan_.unit.inner.count.is(1) && plan_.unit.outer.count.is(1);
  if (strategy_.stream_from > 0) add({Kind::Stream, 0, 0});
  if (plan_.unit.run.is_static() || plan_.combine != Atomic::None || !is_single) {
    add({Kind::Plain, 0, 0});
    return ways;
  }
  const int vector = a_.isa.vector_bytes();
  const int granule = granule_of(plan_);
  add({Kind::Loop, vector, 8});
  for (const int pieces : {4, 2}) add({Kind::Ends, vector, pieces});
  add({Kind::Ends, vector / 2, 2});  // crosses fewer lines than two of a whole vector
  for (int width = vector; width >= granule; width /= 2) {
    add({Kind::Exact, width, 1});
    if (width / 2 > granule) add({Kind::Ends, width / 2, 1});
  }
  return ways;
}

void Emitter::enter_way(const GroupWay& way, Xbyak::Label& next) {
  way_ = way;
  switch (way.kind) {
    case GroupWay::Kind::Plain: return;
    case GroupWay::Kind::Stream:
      a_.test(a_.at.table, 63);
      a_.jnz(next, Assembler::T_NEAR);
      if (plan_.capacity.is_static()) return;
      a_.load(a_.rdx, plan_.capacity);
      multiply(a_.rdx, plan_.digits[0].step);
      a_.mov(a_.rax, strategy_.stream_from);
      a_.cmp(a_.rdx, a_.rax);
      return a_.jb(next, Assembler::T_NEAR);
    case GroupWay::Kind::Exact:
      a_.cmp(a_[a_.slot_of(plan_.unit.run)], way.width * way.pieces);
      return a_.jne(next, Assembler::T_NEAR);
    case GroupWay::Kind::Ends:
    case GroupWay::Kind::Loop:
      run_ = a_.take();
      a_.load(run_.reg(), plan_.unit.run);
      a_.cmp(run_.reg(), way.width * way.pieces);
      return a_.jbe(next, Assembler::T_NEAR);
  }
}

// Stores around the caches are ordered by the fence only.
void Emitter::leave_way() {
  if (way_.kind == GroupWay::Kind::Stream) a_.sfence();
  run_ = {};
  way_ = {};
}

// How many indices must be left for rows ahead to be asked for; more than there are when the table
// is near.
void Emitter::start_prefetch() {
  prefetch_at_ = a_.new_slot();
  a_.mov(a_[prefetch_at_], strategy_.prefetch + strategy_.group);
  if (plan_.capacity.is_static() && plan_.digits[0].step.is_static()) return;
  Xbyak::Label far;
  a_.load(a_.rdx, plan_.capacity);
  multiply(a_.rdx, plan_.digits[0].step);
  a_.load_constant(a_.rax, strategy_.prefetch_from);
  a_.cmp(a_.rdx, a_.rax);
  a_.ja(far);
  a_.mov(a_[prefetch_at_], 0x7fffffff);
  a_.L(far);
}

// Never reads an index behind the last.
void Emitter::prefetch_rows() {
  Xbyak::Label none;
  a_.cmp(a_.at.count, a_[prefetch_at_]);
  a_.jb(none, Assembler::T_NEAR);
  for (int lane = 0; lane < strategy_.group; ++lane) {
    const auto offset = static_cast<std::size_t>((strategy_.prefetch + lane) * plan_.index_size);
    plan_.index_size == 2 ? a_.movzx(a_.edx, a_.word[a_.at.index + offset])
                          : a_.mov(a_.edx, a_.dword[a_.at.index + offset]);
    multiply(a_.rdx, plan_.digits[0].step);
    a_.prefetchw(a_.ptr[a_.at.table + a_.rdx]);
  }
  a_.L(none);
}

// Of a run that is written out.
std::int64_t Emitter::known_bytes(const Amount& run) const {
  return way_.kind == GroupWay::Kind::Exact ? way_.width * way_.pieces : run.factor;
}

void Emitter::copy(const Place& place, const Amount& run) {
  const bool to_table = plan_.direction == Direction::ToTable;
  const Xbyak::RegExp& to = to_table ? place.table : place.tile;
  const Xbyak::RegExp& from = to_table ? place.tile : place.table;
  if (copies_ends()) return copy_ends(a_, to, from, {way_.width, way_.pieces, run_.reg()});
  if (way_.kind == GroupWay::Kind::Stream && run_is_direct())
    return stream_short(a_, to, from, run.factor);
  if (run_is_direct()) return copy_short(a_, to, from, known_bytes(run));
  const Reg64 table = place.table_reg.reg();
  const Reg64 tile = place.tile_reg.reg();
  const LongCopy copy{to_table ? table : tile, to_table ? tile : table, run, plan_.element_size,
                      strategy_.string_from};
  if (way_.kind == GroupWay::Kind::Stream) return stream_run(a_, copy);
  if (way_.kind == GroupWay::Kind::Loop) return copy_long(a_, copy);
  copy_run(a_, copy);
}

void Emitter::clear_tile(const Place& place, const Amount& run) {
  if (copies_ends()) return clear_ends(a_, place.tile, {way_.width, way_.pieces, run_.reg()});
  if (run_is_direct()) return clear_short(a_, place.tile, known_bytes(run));
  if (way_.kind == GroupWay::Kind::Loop) return clear_long(a_, place.tile_reg.reg(), run);
  clear_run(a_, place.tile_reg.reg(), run, plan_.element_size);
}

}  // namespace pto::jit::xbyak

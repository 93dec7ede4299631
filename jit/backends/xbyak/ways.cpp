#include "jit/backends/xbyak/ways.h"

#include <algorithm>

namespace pto::jit::xbyak {
namespace {

// The largest power of two that divides every length a run can have, as far as pieces go.
int granule_of(const KernelPlan& plan) {
  const auto factor = static_cast<std::uint64_t>(plan.unit.run.factor);
  return static_cast<int>(std::min<std::uint64_t>(factor & (~factor + 1), 64));
}

}  // namespace

WayList Ways::list() const {
  WayList out;
  const std::int64_t longest = longest_run(plan_);
  const auto add = [&](const Way& way) {
    const bool is_exact = way.kind == Way::Kind::Exact;
    if (is_exact ? way.bytes() <= longest : way.bytes() < longest) out.all[out.count++] = way;
  };
  if (strategy_.stream_from > 0) add({Way::Kind::Stream});
  if (out.count > 0 && always_streams()) return out;
  if (plan_.unit.run.is_static() || plan_.combine != Atomic::None || !is_one_run(plan_)) {
    const bool has_vectors = !plan_.unit.run.is_static() && is_one_run(plan_) && combined_ > 0;
    for (int pieces = 4; has_vectors && pieces > 0; pieces /= 2)
      add({Way::Kind::Exact, combined_, pieces});
    add({Way::Kind::Plain});
    return out;
  }
  const int vector = a_.isa.vector_bytes();
  const int granule = granule_of(plan_);
  add({Way::Kind::Loop, vector, 8});
  add({Way::Kind::Ends, vector, 8, 4});
  // Half a vector crosses fewer lines than two of a whole one.
  for (const int width : {vector, vector / 2}) {
    add({Way::Kind::Ends, width, 4, 2, true});
    add({Way::Kind::Ends, width, 3, 1});
  }
  for (int width = vector; width >= granule; width /= 2) {
    add({Way::Kind::Exact, width, 1});
    if (width / 2 > granule) add({Way::Kind::Ends, width / 2, 2, 1});
  }
  return out;
}

Loan Ways::enter(Way& way, Label& next) {
  switch (way.kind) {
    case Way::Kind::Plain: return {};
    case Way::Kind::Stream: enter_stream(next); return {};
    case Way::Kind::Exact:
      a_.serving(Purpose::WayTest, [&] { a_.cmp(a_[a_.slot_of(plan_.unit.run)], way.bytes()); });
      a_.jne(next, Assembler::T_NEAR);
      return {};
    case Way::Kind::Ends:
    case Way::Kind::Loop: {
      Loan run = a_.take();
      way.run = run.reg();
      const bool is_string = way.kind == Way::Kind::Loop && strategy_.string_from > 0 &&
                             strategy_.string_from <= way.bytes();
      a_.serving_if(is_string, Purpose::StringTest, [&] {
        a_.load(run.reg(), plan_.unit.run);
        a_.serving(Purpose::WayTest, [&] { a_.cmp(run.reg(), way.bytes()); });
        a_.jbe(next, Assembler::T_NEAR);
      });
      return run;
    }
  }
  __builtin_unreachable();
}

void Ways::enter_stream(Label& next) {
  if (plan_.ranks > 0) return enter_slice_stream(next);
  plan_.direction == Direction::ToTable ? enter_table_stream(next) : enter_tile_stream(next);
}

// The strategy has counted the rows already.
bool Ways::always_streams() const {
  if (plan_.ranks > 0) return written_to_ranks(plan_).has_value();
  return plan_.direction == Direction::ToTile && plan_.unit.run.is_static() &&
         innermost_.extent.is_static();
}

void Ways::enter_table_stream(Label& next) {
  a_.serving(Purpose::StreamTest, [&] { a_.test(a_.at.table, 63); });
  a_.jnz(next, Assembler::T_NEAR);
  if (plan_.capacity.is_static()) return;
  a_.serving(Purpose::StreamTest, [&] {
    a_.load(a_.rdx, plan_.capacity);
    resolver_.multiply(a_.rdx, plan_.digits[0].step);
    leave_if_less(next);
  });
}

// All rows together, and each at least as long that it has a whole line.
void Ways::enter_tile_stream(Label& next) {
  const Amount& run = plan_.unit.run;
  if (always_streams()) return;
  a_.load(a_.rdx, run);
  if (!run.is_static()) {
    a_.serving(Purpose::StreamRow, [&] {
      a_.cmp(a_.rdx, kStreamedRow);
      a_.jb(next, Assembler::T_NEAR);
    });
  }
  a_.serving(Purpose::StreamTest, [&] {
    a_.imul(a_.rdx, a_.at.count);
    leave_if_less(next);
  });
}

// All ranks together, and each run at least as long that it has a whole line.
void Ways::enter_slice_stream(Label& next) {
  if (always_streams()) return;
  const MoveUnit& unit = plan_.unit;
  a_.load(a_.rdx, unit.run);
  if (!unit.run.is_static()) {
    a_.serving(Purpose::StreamRow, [&] {
      a_.cmp(a_.rdx, kStreamedRow);
      a_.jb(next, Assembler::T_NEAR);
    });
  }
  a_.serving(Purpose::StreamTest, [&] {
    for (const Amount& count : {Amount(plan_.ranks), unit.inner.count, unit.outer.count})
      resolver_.multiply(a_.rdx, count);
    for (std::size_t i = 0; i < plan_.level_count; ++i)
      resolver_.multiply(a_.rdx, plan_.levels[i].extent);
    leave_if_less(next);
  });
}

// rdx: bytes.
void Ways::leave_if_less(Label& next) {
  a_.mov(a_.rax, strategy_.stream_from);
  a_.cmp(a_.rdx, a_.rax);
  a_.jb(next, Assembler::T_NEAR);
}

// Stores around the caches are ordered by the fence only.
void Ways::leave(const Way& way) {
  if (way.kind == Way::Kind::Stream) a_.sfence();
}

}  // namespace pto::jit::xbyak

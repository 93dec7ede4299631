// The audit pass: indices out of range, and slots written twice, remembered in a hash table in the
// frame's scratch memory. An entry is a slot plus one; zero is empty.
#include <cstddef>

#include "ir/frame.h"
#include "jit/backends/llvm/emitter.h"

namespace pto::jit::llvm_backend {

Value Emitter::report_field(std::size_t offset) {
  return f_.moved(report_, static_cast<std::int64_t>(offset));
}

void Emitter::reset_report() {
  const AuditReport fresh;
  const auto set = [&](std::size_t offset, std::int64_t value) {
    f_.store(f_.number(value), report_field(offset));
  };
  set(offsetof(AuditReport, out_of_bounds), fresh.out_of_bounds);
  set(offsetof(AuditReport, first_out_of_bounds), fresh.first_out_of_bounds);
  set(offsetof(AuditReport, collisions), fresh.collisions);
  set(offsetof(AuditReport, first_collision), fresh.first_collision);
}

// One more finding; the first one is noted.
void Emitter::count(const Position& at, std::size_t count_field, std::size_t first_field) {
  const Value counter = report_field(count_field);
  const Value before = f_.load({Scalar::I64}, counter);
  f_.store(f_.add(before, 1), counter);
  f_.when(f_.is_zero(before), [&] { f_.store(at.flat, report_field(first_field)); });
}

void Emitter::count_outside(const Position& at, const Mask& outside) {
  if (outside.known == false) return;
  f_.when(outside.lanes[0], [&] {
    count(at, offsetof(AuditReport, out_of_bounds), offsetof(AuditReport, first_out_of_bounds));
  });
}

void Emitter::count_repeated(const Position& at, const Mask& live, const Mask& first) {
  const Value again = f_.is_not(first.lanes[0]);
  const Value repeated = live.known ? again : f_.both(live.lanes[0], again);
  f_.when(repeated, [&] {
    count(at, offsetof(AuditReport, collisions), offsetof(AuditReport, first_collision));
  });
}

// As scratch_bytes in ir/storage.h has it: the number of entries less one, then the entries.
void Emitter::forget_slots() {
  const Value indices = f_.mul(amounts_[plan_.audit.rows], amounts_[plan_.audit.cols]);
  const Value zeros = f_.leading_zeros(f_.add(f_.mul(indices, 2), 1));
  const Value entries = f_.power_of_two(f_.sub(f_.number(64), zeros));
  f_.store(f_.sub(entries, 1), scratch_);
  const Value first = f_.moved(scratch_, std::int64_t{8});
  f_.clear_bytes(first, f_.mul(entries, 8));
}

Emitter::Mask Emitter::first_seen(const Index& slot, const Mask& live) {
  const Value wanted = f_.extended(unpacked(slot).lanes[0], Scalar::I64);
  const auto search = [&] {
    const Value mask = f_.load({Scalar::I64}, scratch_);
    const Value entries = f_.moved(scratch_, std::int64_t{8});
    const Value mark = f_.add(wanted, 1);
    const Value start = f_.both(f_.mul(wanted, 0x9e3779b1), mask);
    Value is_empty = nullptr;
    Value entry = nullptr;
    f_.loop(std::array{start}, [&](const std::array<Value, 1>& at) {
      entry = f_.moved(entries, f_.mul(at[0], 8));
      const Value found = f_.load({Scalar::I64}, entry);
      is_empty = f_.is_zero(found);
      const Value is_end = f_.either(is_empty, f_.is_equal(found, mark));
      const Value next = f_.both(f_.add(at[0], 1), mask);
      return Turn<1>{{next}, f_.is_not(is_end)};
    });
    f_.when(is_empty, [&] { f_.store(mark, entry); });
    return is_empty;
  };
  if (live.known) return {std::nullopt, {search()}, false, nullptr};
  return {std::nullopt, {f_.value_when(live.lanes[0], f_.flag(false), search)}, false, nullptr};
}

}  // namespace pto::jit::llvm_backend

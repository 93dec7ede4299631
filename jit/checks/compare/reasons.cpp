#include "jit/checks/compare/reasons.h"

#include <array>

#include "ir/interpreter.h"
#include "ir/mnemonic.h"

namespace pto::jit {
namespace {

struct Cause {
  std::string_view id;
  std::string_view what;
};

// A part of a plan that targets may differ in.
struct Part {
  bool (*differs)(const KernelPlan& a, const KernelPlan& b);
  void (*take)(KernelPlan& into, const KernelPlan& from);
  Cause (*cause)(Op op);
};

bool scatters_into_tile(Op op) { return is_indexed(op) && written_role(op) == Role::Store; }

bool has_other_places(const KernelPlan& a, const KernelPlan& b) {
  return a.unit != b.unit || a.digits != b.digits || a.capacity != b.capacity ||
         a.table_base != b.table_base;
}

bool has_other_order(const KernelPlan& a, const KernelPlan& b) {
  return a.levels != b.levels || a.level_count != b.level_count || a.block != b.block;
}

void take_walk(KernelPlan& into, const KernelPlan& from) {
  into.levels = from.levels;
  into.level_count = from.level_count;
  into.block = from.block;
}

void take_places(KernelPlan& into, const KernelPlan& from) {
  take_walk(into, from);
  into.unit = from.unit;
  into.digits = from.digits;
  into.digit_count = from.digit_count;
  into.capacity = from.capacity;
  into.table_base = from.table_base;
}

constexpr std::array kParts = {
    Part{[](const KernelPlan& a, const KernelPlan& b) { return a.fill_bytes != b.fill_bytes; },
         [](KernelPlan& into, const KernelPlan& from) { into.fill_bytes = from.fill_bytes; },
         [](Op op) {
           return scatters_into_tile(op)
                      ? Cause{"0011", "the devices clear the whole destination first, cpu does not"}
                      : Cause{"0012", "one clears its destination first, the other does not"};
         }},
    Part{[](const KernelPlan& a, const KernelPlan& b) { return a.oob != b.oob; },
         [](KernelPlan& into, const KernelPlan& from) { into.oob = from.oob; },
         [](Op op) {
           return operation_of(op).counts_bytes
                      ? Cause{"0013",
                              "cpu clamps an offset beyond the source, the devices follow it"}
                      : Cause{"cpu.policy_ignored",
                              "cpu has no out-of-bounds policies: it follows every index"};
         }},
    Part{[](const KernelPlan& a, const KernelPlan& b) { return a.combine != b.combine; },
         [](KernelPlan& into, const KernelPlan& from) {
           into.combine = from.combine;
           into.number = from.number;
           into.writer = from.writer;
         },
         [](Op) { return Cause{"cpu.policy_ignored", "cpu has no atomics: it always replaces"}; }},
    Part{[](const KernelPlan& a, const KernelPlan& b) {
           return a.combine == b.combine && a.writer != b.writer;
         },
         [](KernelPlan& into, const KernelPlan& from) { into.writer = from.writer; },
         [](Op) {
           return Cause{"a5.default",
                        "without an order any of several writers of one slot may survive"};
         }},
    Part{[](const KernelPlan& a, const KernelPlan& b) {
           return has_other_order(a, b) && !has_other_places(a, b);
         },
         take_walk,
         [](Op) {
           return Cause{"0005",
                        "the walks differ in order: so do the last writer and the order of sums"};
         }},
    Part{has_other_places, take_places,
         [](Op op) {
           return operation_of(op).counts_bytes
                      ? Cause{"0014", "what one offset moves, or how far it may reach, differs"}
                      : Cause{"0021",
                              "a slot lies elsewhere: cpu counts elements and ignores "
                              "strides, rows have the pitch of their target"};
         }},
};

}  // namespace

std::vector<Reason> reasons_between(const BoundSpec& first, const BoundSpec& second,
                                    const MadeMemory& memory) {
  const auto result = [&](const KernelPlan& plan) {
    return memory.after(first, [&](const Frame& frame) { interpret(plan, frame); });
  };
  const OperandStore plain = result(first.plan());
  std::vector<Reason> out;
  for (const Part& part : kParts) {
    if (!part.differs(first.plan(), second.plan())) continue;
    KernelPlan mixed = first.plan();
    part.take(mixed, second.plan());
    const bool can_try = memory.has_room_for(first.spec(), mixed);
    const bool matters = !can_try || !result(mixed).holds_same(plain);
    const Cause cause = part.cause(first.spec().op);
    out.push_back({std::string(cause.id), std::string(cause.what), matters});
  }
  return out;
}

}  // namespace pto::jit

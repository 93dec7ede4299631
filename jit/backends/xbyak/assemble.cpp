#include "jit/backends/xbyak/assemble.h"

#include <memory>

#include "ir/walk.h"
#include "jit/backends/xbyak/emitter_audit.h"
#include "jit/backends/xbyak/emitter_backward.h"
#include "jit/backends/xbyak/strategy_forms.h"

namespace pto::jit::xbyak {
namespace {

static_assert(MovesVectors<Emitter> && MovesParts<Emitter> && MovesBackward<BackwardEmitter> &&
              Audits<AuditEmitter>);

struct alignas(64) CodeBuffer {
  std::byte bytes[Assembler::kMaxCode];
};

// On the heap: a library that is loaded late may have but a few hundred bytes of its own in each
// thread, and it is the cache's pointers that need them.
std::byte* code_buffer() {
  thread_local std::unique_ptr<CodeBuffer> buffer;
  if (!buffer) buffer = std::make_unique_for_overwrite<CodeBuffer>();
  return buffer->bytes;
}

// The frame is read into registers and slots.
void begin(Parts& parts) {
  Assembler& a = parts.task.a;
  const KernelPlan& plan = parts.task.plan;
  const Verb verb(a, "prologue");
  a.prologue();
  if (plan.combine != Atomic::None) parts.elements.prepare();
  a.serving(Purpose::GateValue, [&] { a.keep(plan.gate); });
  for_each_amount(plan, [&](const Amount& amount) { a.keep(amount); });
  parts.resolver.keep_divisors();
  parts.pointers.keep();
  parts.aside.keep_memory();
  if (!parts.groups.takes_groups()) return;
  if (parts.groups.may_refuse_groups()) parts.resolver.keep_places();
  parts.form.keep_constants();
  parts.lane_resolver.keep_limits();
  parts.own.keep_limits();
}

void write(Parts& parts) {
  const KernelPlan& plan = parts.task.plan;
  Emitter emitter(parts);
  const auto forward = [&] { walk(plan, emitter); };
  if (plan.audit.is_on) {
    AuditEmitter auditor(parts);
    audit(plan, auditor);
  }
  if (parts.task.strategy.backward == 0) return forward();
  BackwardEmitter newest_first(parts);
  newest_first.when_crowded([&] { walk_backward(plan, newest_first); }, forward);
}

void end(Parts& parts) {
  parts.task.a.epilogue();
  const Verb verb(parts.task.a, "constants");
  parts.elements.emit_constants();
}

}  // namespace

Result<std::span<const std::byte>> assemble(const KernelPlan& plan, const Strategy& strategy,
                                            Notes* notes) {
  try {
    std::byte* buffer = code_buffer();
    Assembler a(buffer, {strategy.avx2, strategy.avx512, strategy.fp16, strategy.whole}, notes);
    const KernelPlan walked = walked_by(strategy.form, plan);
    Parts parts(a, walked, strategy);
    begin(parts);
    write(parts);
    end(parts);
    a.ready();
    return std::span<const std::byte>(buffer, a.getSize());
  } catch (const Xbyak::Error& problem) {
    return error("xbyak.assemble",
                 std::string("the assembler refused the kernel: ") + problem.what());
  } catch (const std::bad_alloc&) {
    return error("memory.allocate", "no memory for the assembler");
  }
}

}  // namespace pto::jit::xbyak

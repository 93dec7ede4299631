#include "jit/xbyak/assemble.h"

#include "ir/walk.h"
#include "jit/xbyak/emitter.h"

namespace pto::jit::xbyak {
namespace {

static_assert(MovesVectors<Emitter> && MovesBackward<Emitter> && Audits<Emitter>);

alignas(64) thread_local std::byte code_buffer[Assembler::kMaxCode];

}  // namespace

Result<std::span<const std::byte>> assemble(const KernelPlan& plan, const Strategy& strategy) {
  try {
    Assembler a(code_buffer, {strategy.avx2, strategy.avx512, strategy.fp16});
    Emitter emitter(a, plan, strategy);
    emitter.begin();
    if (plan.audit.is_on) audit(plan, emitter);
    const auto forward = [&] { walk(plan, emitter); };
    if (strategy.backward > 0) {
      emitter.newest_first_if_crowded([&] { walk_backward(plan, emitter); }, forward);
    } else {
      forward();
    }
    emitter.end();
    a.ready(Xbyak::CodeArray::PROTECT_RW);
    return std::span<const std::byte>(code_buffer, a.getSize());
  } catch (const Xbyak::Error& problem) {
    return error("xbyak.assemble",
                 std::string("the assembler refused the kernel: ") + problem.what());
  } catch (const std::bad_alloc&) {
    return error("memory.allocate", "no memory for the assembler");
  }
}

}  // namespace pto::jit::xbyak

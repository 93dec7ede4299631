#include "jit/doors/python/known_call.h"

#include <algorithm>

#include "jit/doors/python/failure.h"

namespace pto::jit::python {
namespace {

bool is_aligned(const BufferView& view) {
  const auto size = static_cast<std::uintptr_t>(size_of(view.dtype));
  return view.data != nullptr && reinterpret_cast<std::uintptr_t>(view.data) % size == 0;
}

bool overlap(const BufferView& a, const BufferView& b) {
  const auto* first = static_cast<const std::byte*>(a.data);
  const auto* second = static_cast<const std::byte*>(b.data);
  return first < second + b.bytes && second < first + a.bytes;
}

// Whole arrays, which may be more than what is touched: who is in doubt asks again.
bool are_apart(std::span<const BufferView> views) {
  for (const BufferView& a : views) {
    for (const BufferView& b : views) {
      if (&a < &b && overlap(a, b)) return false;
    }
  }
  return true;
}

bool same(const Binding& a, const Binding& b) { return a.dim == b.dim && a.value == b.value; }

}  // namespace

KnownCall::KnownCall(const LegalSpec& legal, const GivenOperands& given, AuditReport& report)
    : bindings_(given.bindings().begin(), given.bindings().end()),
      checked_(value_of(check_call(
          legal, {.buffers = given.views(), .bindings = given.bindings(), .report = &report}))) {
  for (const BufferView& view : given.views()) {
    shapes_.push_back({std::string(view.operand),
                       view.bytes,
                       {view.shape.begin(), view.shape.end()},
                       {view.strides.begin(), view.strides.end()}});
  }
}

bool KnownCall::has_shapes(const GivenOperands& given) const {
  return std::ranges::equal(bindings_, given.bindings(), same) &&
         std::ranges::equal(shapes_, given.views(), [](const Shape& a, const BufferView& b) {
           return a.operand == b.operand && a.bytes == b.bytes &&
                  std::ranges::equal(a.extents, b.shape) &&
                  std::ranges::equal(a.strides, b.strides);
         });
}

std::optional<Frame> KnownCall::frame_on(const GivenOperands& given) const {
  const KernelSpec& spec = checked_.kernel.spec();
  const bool is_simple = !spec.audit && !is_collective(spec.op);
  const bool may_go = is_simple && has_shapes(given) &&
                      std::ranges::all_of(given.views(), is_aligned) && are_apart(given.views());
  if (!may_go) return std::nullopt;
  Frame out = frame();
  for (const BufferView& view : given.views()) {
    const auto operands = operands_of(spec.op);
    const auto found = std::ranges::find(operands, view.operand, &Operand::name);
    set_buffer(out, spec.op, found->role, view.data);
  }
  return out;
}

}  // namespace pto::jit::python

#include "jit/calls/ranks/asked_scatter.h"

#include <algorithm>

namespace pto::jit {
namespace {

bool are_same(const Binding& a, const Binding& b) { return a.dim == b.dim && a.value == b.value; }

bool are_same(const BufferView& a, const BufferView& b) {
  return a.data == b.data && a.bytes == b.bytes && a.dtype == b.dtype &&
         a.may_hold_bits == b.may_hold_bits && a.is_const == b.is_const;
}

}  // namespace

AskedScatter::AskedScatter(const KernelSpec& spec, const BufferView& source,
                           const ScatterOptions& options)
    : spec_(spec),
      source_{.operand = {},
              .data = source.data,
              .bytes = source.bytes,
              .dtype = source.dtype,
              .may_hold_bits = source.may_hold_bits,
              .is_const = source.is_const},
      shape_(source.shape.begin(), source.shape.end()),
      strides_(source.strides.begin(), source.strides.end()),
      bindings_(options.bindings.begin(), options.bindings.end()),
      compile_(options.compile),
      sending_(options.sending) {}

bool AskedScatter::is(const KernelSpec& spec, const BufferView& source,
                      const ScatterOptions& options) const {
  const auto same_binding = [](const Binding& a, const Binding& b) { return are_same(a, b); };
  return spec == spec_ && are_same(source, source_) && std::ranges::equal(source.shape, shape_) &&
         std::ranges::equal(source.strides, strides_) &&
         std::ranges::equal(options.bindings, bindings_, same_binding) &&
         options.compile == compile_ && options.sending == sending_;
}

}  // namespace pto::jit

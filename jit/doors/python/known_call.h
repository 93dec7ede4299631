// KnownCall: a call that has been checked. Another one on arrays of the same shapes differs from it
// only in where they lie.
#pragma once

#include <optional>
#include <vector>

#include "jit/calls/call_check.h"
#include "jit/doors/python/operands.h"

namespace pto::jit::python {

class KnownCall {
 public:
  // Throws what is wrong with it.
  KnownCall(const LegalSpec& legal, const GivenOperands& given, AuditReport& report);

  const BoundSpec& kernel() const { return checked_.kernel; }
  const Frame& frame() const { return checked_.operands.frame(); }

  // The frame of another call that may be made without a further check; nothing where that has to
  // be found out.
  std::optional<Frame> frame_on(const GivenOperands& given) const;

 private:
  // A view without its memory.
  struct Shape {
    std::string operand;
    std::int64_t bytes;
    std::vector<std::int64_t> extents;
    std::vector<std::int64_t> strides;
  };

  bool has_shapes(const GivenOperands& given) const;

  std::vector<Shape> shapes_;
  std::vector<Binding> bindings_;
  CheckedCall checked_;
};

}  // namespace pto::jit::python

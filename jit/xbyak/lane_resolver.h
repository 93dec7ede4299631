// Whole groups of indices resolved as vectors of 32-bit lanes.
#pragma once

#include "jit/xbyak/part.h"
#include "jit/xbyak/resolver.h"

namespace pto::jit::xbyak {

class LaneResolver : Part {
 public:
  LaneResolver(const Task& task, Resolver& resolver) : Part(task), resolver_(resolver) {}

  // In the prologue: what lanes are compared with.
  void keep_limits();

  // The indices of a group stay in memory until somebody looks at them; then they are lanes.
  Index load(const Group& group);
  void load_lanes(const Group& group);

  Index clamped(const Index& index);
  Index wrapped(const Index& index, const Amount& capacity);
  Index scaled(const Index& index, const Amount& step);
  // Lanes that count: for vectors as a mask, for others as bits of those that do not.
  Mask below(const Index& index);

 private:
  void keep_inverse();
  void find_outside(const Group& group);
  void multiply_high(const Group& group);
  Xbyak::Xmm lanes(const Group& group) const { return in(a_.vec.lanes, group); }
  static Xbyak::Xmm in(Vector vector, const Group& group) { return vector.of(4 * group.lanes); }
  bool moves_vectors() const { return strategy_.form != UnitForm::Lanes; }

  Resolver& resolver_;
};

// eax in all lanes of a vector.
void broadcast(Assembler& a, Vector to);

}  // namespace pto::jit::xbyak

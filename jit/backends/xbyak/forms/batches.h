// Eight 16-bit floats combined at once, where no two of them go to one slot.
#pragma once

#include "jit/backends/xbyak/elements.h"
#include "jit/backends/xbyak/forms/vector_form.h"
#include "jit/backends/xbyak/lanes.h"

namespace pto::jit::xbyak {

class BatchesForm final : public VectorForm {
 public:
  BatchesForm(const Task& task, Elements& elements, Lanes& lanes)
      : VectorForm(task), elements_(elements), lanes_(lanes) {}

  Value gather(const Index& far, const Mask& live) override;
  void scatter(const Index& far, Value value, const Mask& live) override;
  Value load_tiles(const Position& at) override;
  void jump_if_lanes_meet(const Index& far, const Mask& live, Label& meet) override;

 private:
  Xbyak::RegExp slot_of(const Index& far, const Loan& number, const Mask& live, int aside);
  void find_equal(const Xbyak::Ymm& to, const Mask& live);
  int wide(const Group& group) const { return group.lanes * plan_.element_size; }

  Elements& elements_;
  Lanes& lanes_;
};

}  // namespace pto::jit::xbyak

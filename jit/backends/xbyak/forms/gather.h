// Elements moved by gather and scatter instructions.
#pragma once

#include "jit/backends/xbyak/forms/vector_form.h"
#include "jit/backends/xbyak/lane_resolver.h"

namespace pto::jit::xbyak {

class GatherForm final : public VectorForm {
 public:
  GatherForm(const Task& task, LaneResolver& lanes) : VectorForm(task), lanes_(lanes) {}

  bool repeats() const override { return gathers(); }
  std::int64_t slots_short() const override;
  void keep_constants() override;
  void start_groups() override;
  void leave_groups() override { middle_ = {}; }
  Value gather(const Index& far, const Mask& live) override;
  void scatter(const Index& far, Value value, const Mask& live) override;

 private:
  bool gathers() const { return strategy_.form == UnitForm::Gather; }
  // Bytes that a lane counts: digits have been made bytes.
  std::int64_t scale() const { return plan_.digit_count == 1 ? plan_.digits[0].step.factor : 1; }
  bool is_narrow() const { return gathers() && per_lane() > 1; }
  Xbyak::Opmask spent_mask(const Group& group, const Mask& live);
  void gather_lanes(Vector from, const Index& far, const Mask& live);

  LaneResolver& lanes_;
  Loan middle_;  // of the table, as far as signed 32-bit lanes go
};

}  // namespace pto::jit::xbyak

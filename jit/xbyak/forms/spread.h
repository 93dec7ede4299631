// Neighbouring elements spread over evenly spaced places, together with the zeros between them.
#pragma once

#include "jit/xbyak/forms/vector_form.h"

namespace pto::jit::xbyak {

class SpreadForm final : public VectorForm {
 public:
  using VectorForm::VectorForm;

  bool repeats() const override { return true; }
  void scatter(const Index& far, Value value, const Mask& live) override;
  Value load_tiles(const Position& at) override;

 private:
  int widened() const { return spread_of(plan_) * plan_.element_size; }  // bytes
  Xbyak::Address table_of(const Group& group, int offset);
  void store_halves(const Group& group);
};

}  // namespace pto::jit::xbyak

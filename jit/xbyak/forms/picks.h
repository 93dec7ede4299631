// Elements of four bytes read one by one into a vector, and stored at once.
#pragma once

#include "jit/xbyak/forms/vector_form.h"
#include "jit/xbyak/lanes.h"

namespace pto::jit::xbyak {

class PicksForm final : public VectorForm {
 public:
  PicksForm(const Task& task, Lanes& lanes) : VectorForm(task), lanes_(lanes) {}

  Value gather(const Index& far, const Mask& live) override;
  void store_tiles(const Position& at, Value value, const Mask& where) override;

 private:
  static constexpr int kQuarter = 4;  // lanes of a vector of sixteen bytes

  void pick(const Index& far, const Loan& number, const Lane& lane);
  Xbyak::Xmm part(int lane) const { return (lane < kQuarter ? a_.vec.table : a_.vec.first).x(); }

  Lanes& lanes_;
};

}  // namespace pto::jit::xbyak

// Elements read one by one into vectors, of which each is stored at once.
#pragma once

#include "jit/backends/xbyak/forms/vector_form.h"
#include "jit/backends/xbyak/lanes.h"

namespace pto::jit::xbyak {

class PicksForm final : public VectorForm {
 public:
  PicksForm(const Task& task, Lanes& lanes) : VectorForm(task), lanes_(lanes) {}

  Value gather(const Index& far, const Mask& live) override;
  void store_tiles(const Position& at, Value value, const Mask& where) override;

 private:
  void pick(const Index& far, const Loan& number, const Lane& lane);
  void insert(const Xbyak::RegExp& from, int lane);
  int per_vector() const { return 16 / plan_.element_size; }  // lanes
  Xbyak::Xmm part(int lane) const {
    return (lane < per_vector() ? a_.vec.table : a_.vec.first).x();
  }

  Lanes& lanes_;
};

}  // namespace pto::jit::xbyak

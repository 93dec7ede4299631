// Elements of a table so small that it is held in two vector registers.
#pragma once

#include "jit/backends/xbyak/forms/vector_form.h"

namespace pto::jit::xbyak {

class RegistersForm final : public VectorForm {
 public:
  using VectorForm::VectorForm;

  bool repeats() const override { return true; }
  void start_walk() override;
  Value gather(const Index& far, const Mask& live) override;

 private:
  void load_table(const Vector& to, const Xbyak::RegExp& from, int bytes);
  std::int64_t table_bytes() const { return plan_.capacity.factor * plan_.element_size; }
};

}  // namespace pto::jit::xbyak

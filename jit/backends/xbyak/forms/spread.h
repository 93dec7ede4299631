// Neighbouring elements spread over evenly spaced places, together with the zeros between them.
// What lies behind them in a row, and behind the last row, is cleared by itself.
#pragma once

#include "jit/backends/xbyak/forms/vector_form.h"

namespace pto::jit::xbyak {

class SpreadForm final : public VectorForm {
 public:
  using VectorForm::VectorForm;

  bool repeats() const override { return true; }
  void keep_constants() override;
  void clear_behind(const Xbyak::Reg64& to) override;
  void start_groups() override;
  void scatter(const Index& far, Value value, const Mask& live) override;
  Value load_tiles(const Position& at) override;

 private:
  int widened() const { return spread_of(plan_) * plan_.element_size; }  // bytes
  bool is_permuted() const { return strategy_.avx512 && widened() > 8; }
  Xbyak::Address table_of(const Group& group, int offset);
  Xbyak::Opmask rest_of_stores();
  void store_halves(const Group& group);
  std::int64_t at_once(const Level& level) const;
  void load_filled(const Level& level);
  // Clears, of `bytes` from `to` on, those behind what the level fills.
  void clear_rest(const Xbyak::Reg64& to, const Level& level, std::int64_t bytes);
};

}  // namespace pto::jit::xbyak

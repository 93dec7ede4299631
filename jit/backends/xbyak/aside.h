// Units of indices out of range that are moved all the same: aside, to or from memory on the stack
// that stands in for their slots. No branch has to be guessed. Lanes that combine have one each,
// or they would wait for each other.
#pragma once

#include "jit/backends/xbyak/part.h"
#include "jit/backends/xbyak/units.h"

namespace pto::jit::xbyak {

class Aside : Part {
 public:
  Aside(const Task& task, const Units& units) : Part(task), units_(units) {}

  // In the prologue.
  void keep_memory();
  bool takes(const Way& way) const;
  // The register of the memory that lanes share, while they are moved; none where each has its own.
  Loan enter();
  // The register, while groups are moved, of the number that leads to the first lane's memory.
  Loan enter_numbers();
  // Where the flags say at or above: makes a number the one of a lane's memory.
  void replace(const Xbyak::Reg64& number, const Way& way, int lane);
  // Makes an address that of a lane's memory, unless the lane counts.
  void redirect(const Xbyak::Reg64& address, const Mask& live, const Way& way, int lane);

 private:
  bool is_read() const {
    return plan_.combine != Atomic::None || plan_.direction == Direction::ToTile;
  }
  bool is_shared() const { return plan_.combine == Atomic::None; }
  std::int64_t lane_bytes() const;
  std::int64_t scale() const;  // bytes that a number counts
  // What is written, or read by whole lines, begins with one, for two take twice as long.
  bool has_line() const {
    return scale() == 1 && (!is_read() || (is_shared() && lane_bytes() >= kLine));
  }
  // How far behind the memory's first byte the first lane's may begin.
  std::int64_t slack() const { return has_line() ? kLine - 1 : scale() - 1; }
  // How far behind the first lane's memory a lane's own begins, which holds a unit moved this way.
  std::int64_t lane_at(const Way& way, int lane) const;
  void load_address(const Xbyak::Reg64& to, std::int64_t at);

  static constexpr std::int64_t kLine = 64;

  const Units& units_;
  StackSlot memory_;
  int shared_ = 0;  // the register that has been lent
};

}  // namespace pto::jit::xbyak

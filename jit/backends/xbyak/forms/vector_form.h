// A form moves the elements of a group as vectors. Each is a part of its own; what a form does not
// say is as here: no constants, nothing to start, whole vectors in the tile.
#pragma once

#include "jit/backends/xbyak/part.h"

namespace pto::jit::xbyak {

class VectorForm : protected Part {
 public:
  explicit VectorForm(const Task& task) : Part(task) {}
  virtual ~VectorForm() = default;
  VectorForm(const VectorForm&) = delete;
  VectorForm& operator=(const VectorForm&) = delete;

  // Groups are short enough to write several of them in one go.
  virtual bool repeats() const { return false; }
  // From how many of the last slots it must not read.
  virtual std::int64_t slots_short() const { return 0; }

  virtual void keep_constants() {}  // in the prologue
  virtual void start_walk() {}      // once the walk's registers point somewhere
  // Where a walk fills cleared memory: clears, from `to` on, what no group of it is going to write.
  virtual void clear_behind(const Xbyak::Reg64& to);
  virtual void start_groups() {}
  virtual void leave_groups() {}

  virtual Value gather(const Index& far, const Mask& live);
  virtual void scatter(const Index& far, Value value, const Mask& live);
  virtual Value load_tiles(const Position& at);
  virtual void store_tiles(const Position& at, Value value, const Mask& where);
  // Only where a form combines: leaves for `meet` unless all lanes are distinct and count, or are
  // compared each by itself.
  virtual void jump_if_lanes_meet(const Index& far, const Mask& live, Label& meet);

 protected:
  Vector vector_of(Value value) const {
    return value.held == Held::Table ? a_.vec.table : a_.vec.tile;
  }
  int per_lane() const { return 4 / plan_.element_size; }  // elements in 32 bits
};

}  // namespace pto::jit::xbyak

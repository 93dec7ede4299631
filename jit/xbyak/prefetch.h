// Rows asked for ahead of time.
#pragma once

#include "jit/xbyak/part.h"
#include "jit/xbyak/resolver.h"

namespace pto::jit::xbyak {

class Prefetch : Part {
 public:
  Prefetch(const Task& task, Resolver& resolver) : Part(task), resolver_(resolver) {}

  bool is_wanted(const Way& way) const {
    return strategy_.prefetch > 0 && way.kind != Way::Kind::Stream;
  }
  void start();
  // For the group at which the walk stands. Never reads an index behind the last.
  void ask();

 private:
  void choose_fewest();

  Resolver& resolver_;
  StackSlot fewest_;  // how many indices must be left
};

}  // namespace pto::jit::xbyak

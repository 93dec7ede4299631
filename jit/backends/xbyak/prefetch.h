// Rows asked for ahead of time.
#pragma once

#include "jit/backends/xbyak/part.h"
#include "jit/backends/xbyak/resolver.h"

namespace pto::jit::xbyak {

class Prefetch : Part {
 public:
  Prefetch(const Task& task, Resolver& resolver) : Part(task), resolver_(resolver) {}

  // Stores around the caches want no line of what they write.
  bool is_wanted(const Way& way) const {
    return strategy_.prefetch > 0 && !(writes_table() && way.kind == Way::Kind::Stream);
  }
  void start();
  // For the group at which the walk stands. Never reads an index behind the last.
  void ask(const Way& way);

 private:
  bool writes_table() const { return plan_.direction == Direction::ToTable; }
  void choose_fewest();
  void ask_row(const Way& way);
  void ask_line(const Address& at);

  Resolver& resolver_;
  StackSlot fewest_;  // how many indices must be left
};

}  // namespace pto::jit::xbyak

// Ways of copying the runs of whole groups: which ones a kernel has, and which one a call takes.
#pragma once

#include <array>

#include "jit/backends/xbyak/part.h"
#include "jit/backends/xbyak/resolver.h"

namespace pto::jit::xbyak {

// Longest first: a way is taken by every run it is long enough for.
struct WayList {
  std::array<Way, 24> all{};
  std::size_t count = 0;
};

class Ways : Part {
 public:
  // `combined`: bytes of the widest vector that is combined; 0: there is none.
  Ways(const Task& task, Resolver& resolver, int combined)
      : Part(task), resolver_(resolver), combined_(combined) {}

  WayList list() const;

  // Leaves for `next` when a call does not take the way. The loan is its register.
  Loan enter(Way& way, Label& next);
  void leave(const Way& way);
  // Whether no call can take another way.
  bool always_streams() const;

 private:
  void enter_stream(Label& next);
  void enter_table_stream(Label& next);
  void enter_tile_stream(Label& next);
  void enter_slice_stream(Label& next);
  void leave_if_less(Label& next);

  Resolver& resolver_;
  const int combined_;
};

}  // namespace pto::jit::xbyak

// Scatters to groups of any size, with what the model makes of them: shared by the ranks of one
// process and those of many.
#pragma once

#include <cstdint>
#include <vector>

#include "jit/calls/buffer_view.h"
#include "runtime/ranks/layout.h"
#include "targets/binding.h"
#include "tests/support/workload.h"

namespace pto::jit::tests {

struct GroupCase {
  Workload load;
  Image expected;  // by the model

  const Table& tensor() const { return load.bound.peer; }
  std::vector<Binding> bindings() const;  // for each '?'
};

// For `ranks` ranks: 5-D shapes, padded strides, rows that nobody gets, stages smaller than the
// data both ways, zero extents, elements of every size. Equal in every process.
std::vector<GroupCase> group_cases(std::int32_t ranks);

// The root's source. Extents and strides stay with their owner.
class SourceView {
 public:
  explicit SourceView(const GroupCase& of);
  const BufferView& view() const { return view_; }

 private:
  Extents shape_{};
  Extents strides_{};
  std::vector<std::byte> bytes_;
  BufferView view_;
};

}  // namespace pto::jit::tests

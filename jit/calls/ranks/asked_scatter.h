// AskedScatter: the arguments of a scatter, kept to see whether the next one asks the same: then
// nothing has to be checked again.
#pragma once

#include <cstdint>
#include <vector>

#include "jit/calls/ranks/scatter.h"

namespace pto::jit {

class AskedScatter {
 public:
  AskedScatter(const KernelSpec& spec, const BufferView& source, const ScatterOptions& options);

  bool is(const KernelSpec& spec, const BufferView& source, const ScatterOptions& options) const;

 private:
  KernelSpec spec_;
  BufferView source_;  // without its spans, which are the caller's
  std::vector<std::int64_t> shape_;
  std::vector<std::int64_t> strides_;
  std::vector<Binding> bindings_;
  CompileOptions compile_;
  Sending sending_;
};

}  // namespace pto::jit

// Machine code, and which verb of the walks wrote what of it. Noted for those who ask; an ordinary
// compile keeps nothing.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "ir/plan.h"
#include "ir/result.h"
#include "runtime/host/host_features.h"

namespace pto::jit {

// The bytes from `begin` to `end` were written while `verb` was at work, or by a verb in its body.
struct Writing {
  std::string_view verb;
  std::size_t begin = 0;
  std::size_t end = 0;
};
using Writings = std::vector<Writing>;  // those within another before it

struct WrittenCode {
  std::vector<std::byte> bytes;
  Writings writings;
};

// The code that `compile` makes of a plan by xbyak; fails where a build has none.
Result<WrittenCode> written_code(const KernelPlan& plan, FeatureLevel level = FeatureLevel::Native);

// The verbs at work when the byte at `offset` was written, the one that wrote it last.
std::vector<std::string_view> verbs_at(const Writings& writings, std::size_t offset);

}  // namespace pto::jit

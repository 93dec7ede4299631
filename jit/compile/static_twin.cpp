#include "jit/compile/static_twin.h"

#include <algorithm>
#include <vector>

#include "ir/canonical.h"
#include "targets/binding.h"

namespace pto::jit {
namespace {

std::int64_t value_in(const Frame& frame, Dim dim) {
  return frame.extents[static_cast<std::size_t>(dim)];
}

// What the kernel does not read, and no rule ties to what it reads, may be anything that is legal;
// a frame need not tell.
void add_unread(std::vector<Binding>& values, const LegalSpec& legal, const Frame& frame) {
  KernelSpec bound = legal.spec();
  for (const Binding& one : values) set(bound, one.dim, one.value);
  follow_ties(bound, legal.profile());
  for (const Dim dim : runtime_dims(bound))
    values.push_back({dim, std::max<std::int64_t>(value_in(frame, dim), 1)});
}

}  // namespace

std::optional<KernelSpec> static_twin(const LegalSpec& legal, const Frame& frame,
                                      std::span<const Dim> read) {
  std::vector<Binding> values;
  for (const Dim dim : read) values.push_back({dim, value_in(frame, dim)});
  Result<BoundSpec> bound = bind(legal, values);
  if (!bound && bound.error().front().id == "bind.missing") {
    add_unread(values, legal, frame);
    bound = bind(legal, values);
  }
  if (!bound || !is_legal(bound->spec())) return std::nullopt;
  return canonical(bound->spec());
}

}  // namespace pto::jit

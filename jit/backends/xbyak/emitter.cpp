#include "jit/backends/xbyak/emitter.h"

#include "jit/backends/xbyak/runs.h"

namespace pto::jit::xbyak {

Index Emitter::load_index(const Position& at) {
  const Verb verb(a_);
  return at.group.is_single() ? parts_.resolver.load(at.group)
                              : parts_.lane_resolver.load(at.group);
}

Index Emitter::at_most_last(const Index& index, const Amount& capacity) {
  const Verb verb(a_);
  return index.group.is_single() ? parts_.resolver.clamped(index, capacity)
                                 : parts_.lane_resolver.clamped(index);
}

Index Emitter::modulo(const Index& index, const Amount& capacity) {
  const Verb verb(a_);
  return index.group.is_single() ? parts_.resolver.divided(index, capacity).remainder
                                 : parts_.lane_resolver.wrapped(index, capacity);
}

Index Emitter::scaled(const Index& index, const Amount& step) {
  const Verb verb(a_);
  return index.group.is_single() ? parts_.resolver.scaled(index, step)
                                 : parts_.lane_resolver.scaled(index, step);
}

void Emitter::accumulate(Index& sum, const Index& term) {
  const Verb verb(a_);
  sum.group.is_single() ? a_.add(sum.reg.reg(), term.reg.reg())
                        : parts_.lane_resolver.accumulate(sum, term);
}

Divided Emitter::divided(const Index& index, const Amount& radix) {
  const Verb verb(a_);
  return index.group.is_single() ? parts_.resolver.divided(index, radix)
                                 : parts_.lane_resolver.divided(index, radix);
}

Mask Emitter::below(const Index& index, const Amount& limit) {
  const Verb verb(a_);
  if (!index.group.is_single()) return parts_.lane_resolver.below(index);
  return {.kind = Mask::Kind::Below, .value = index, .limit = limit};
}

void Emitter::clear_written(std::int64_t bytes) {
  const Verb verb(a_);
  const Loan to = a_.take();
  const bool to_table = plan_.direction == Direction::ToTable;
  parts_.pointers.load_written(to.reg());
  if (to_table && plan_.table_base > 0) a_.sub(to.reg(), static_cast<int>(plan_.table_base));
  const bool is_spread = strategy_.form == UnitForm::Spread && parts_.groups.takes_groups();
  is_spread ? parts_.form.clear_behind(to.reg())
            : clear_run(a_, to.reg(), bytes, plan_.element_size);
}

}  // namespace pto::jit::xbyak

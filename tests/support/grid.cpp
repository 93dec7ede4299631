#include "tests/support/grid.h"

#include <algorithm>
#include <unordered_set>

#include "ir/canonical.h"
#include "runtime/cache/cache_entry.h"
#include "targets/verify.h"
#include "tests/support/grid_parts.h"

namespace pto::jit::tests {
namespace {

constexpr std::size_t kAuditOf = 7;  // one case in so many is audited
constexpr RuntimeSet kNothing = {"nothing", 0};

struct SpecHash {
  std::size_t operator()(const KernelSpec& spec) const { return hash_of(spec, 0); }
};

bool has_runtime_stride(const Table& table) {
  return std::find(table.strides.begin(), table.strides.end(), kRuntime) != table.strides.end();
}

// `base` with its strides written out where `spec` leaves some to run time.
KernelSpec bound_to(const KernelSpec& spec, const KernelSpec& base) {
  KernelSpec bound = base;
  if (has_runtime_stride(spec.table)) bound.table.strides = strides_of(base.table);
  if (has_runtime_stride(spec.peer)) bound.peer.strides = strides_of(base.peer);
  return bound;
}

class Assembly {
 public:
  explicit Assembly(const std::function<void(const GridCase&)>& visit) : visit_(visit) {}

  // Each base comes as it is, with some dimensions left to run time, and broken.
  void add_base(const KernelSpec& base) {
    add(audited_sometimes(base), kNothing);
    add(audited_sometimes(base), some_dimensions(base.op));
    add(broken(base), coin_.deal() == 0 ? kNothing : some_dimensions(base.op));
  }

 private:
  const RuntimeSet& some_dimensions(Op op) {
    return runtime_sets(op)[sets_[static_cast<std::size_t>(op)].deal()];
  }

  KernelSpec broken(const KernelSpec& base) {
    for (;;) {
      KernelSpec out = base;
      if (breakers()[breakers_.deal()](out, random_)) return out;
    }
  }

  KernelSpec audited_sometimes(KernelSpec base) {
    const bool has_index = has_role(base.op, Role::Index);
    base.audit = has_index && audits_.deal() == 0;
    return base;
  }

  void add(const KernelSpec& base, const RuntimeSet& set) {
    const KernelSpec spec = canonical(opened(base, set));
    if (!seen_.insert(spec).second) return;
    visit_({spec, bound_to(spec, base)});
  }

  static std::vector<Deck> decks() {
    std::vector<Deck> out;
    out.reserve(kOps);
    for (std::size_t op = 0; op < kOps; ++op)
      out.emplace_back(runtime_sets(static_cast<Op>(op)).size(), 100 + op);
    return out;
  }

  const std::function<void(const GridCase&)>& visit_;
  std::vector<Deck> sets_ = decks();
  Deck breakers_{breakers().size(), 1};
  Deck coin_{2, 2};
  Deck audits_{kAuditOf, 3};
  Random random_{4};
  std::unordered_set<KernelSpec, SpecHash> seen_;
};

bool is_runnable(const GridCase& entry) {
  const Result<LegalSpec> legal = verify(entry.spec);
  return legal && verify_bound(*legal, entry.bound);
}

}  // namespace

void for_each_case(const std::function<void(const GridCase&)>& visit) {
  Assembly assembly(visit);
  const VisitBase add = [&](const KernelSpec& base) { assembly.add_base(base); };
  for_each_memory_base(add);
  for_each_tile_base(add);
  for_each_group_base(add);
}

void for_each_spec(const std::function<void(const KernelSpec&)>& visit) {
  for_each_case([&](const GridCase& entry) { visit(entry.spec); });
}

std::vector<KernelSpec> legal_grid() {
  std::vector<KernelSpec> out;
  for_each_spec([&](const KernelSpec& spec) {
    if (is_legal(spec)) out.push_back(spec);
  });
  return out;
}

std::vector<GridCase> runnable_grid() {
  std::vector<GridCase> out;
  for_each_case([&](const GridCase& entry) {
    if (is_legal(entry.spec) && is_runnable(entry)) out.push_back(entry);
  });
  return out;
}

}  // namespace pto::jit::tests

// nearest_legal: what a broken spec's user is told to try.
#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "ir/canonical.h"
#include "ir/flaws.h"
#include "targets/rules.h"
#include "targets/verify.h"
#include "targets/words.h"

namespace pto::jit {
namespace {

// One way in which a suggestion may do something else than what was asked for.
struct Loss {
  int weight;
  bool (*is_given_up)(const KernelSpec& asked, const KernelSpec& found);
  std::string (*name)(const KernelSpec& asked);
};

template <auto kMember>
bool differs(const KernelSpec& asked, const KernelSpec& found) {
  return asked.*kMember != found.*kMember;
}

bool is_integer(DType dtype) {
  const NumberKind kind = info_of(dtype).kind;
  return kind == NumberKind::Signed || kind == NumberKind::Unsigned;
}

// Moves keep every bit, and integers of one size have one sum.
bool has_other_elements(const KernelSpec& asked, const KernelSpec& found) {
  const DType before = element_dtype(asked);
  const DType after = element_dtype(found);
  const bool has_same_sums = asked.atomic == Atomic::Add && is_integer(before) && is_integer(after);
  const bool is_same = before == after || (size_of(before) == size_of(after) &&
                                           (asked.atomic == Atomic::None || has_same_sums));
  return !is_same;
}

constexpr int kElements = 1;
constexpr int kTarget = 2;
constexpr int kOperation = 4;

// Conflict policies are not here: where there are none, the last writer wins. Nor are staging and
// engine, which leave the same memory.
constexpr std::array kLosses = {
    Loss{kTarget, differs<&KernelSpec::target>,
         [](const KernelSpec& asked) { return str(name_of(asked.target)); }},
    Loss{kElements, has_other_elements,
         [](const KernelSpec& asked) { return str(name_of(element_dtype(asked))); }},
    Loss{kOperation, differs<&KernelSpec::coalesce>,
         [](const KernelSpec& asked) { return str(name_of(asked.coalesce)); }},
    Loss{kOperation, differs<&KernelSpec::oob>,
         [](const KernelSpec& asked) { return str(name_of(asked.oob)); }},
    Loss{kOperation, differs<&KernelSpec::atomic>,
         [](const KernelSpec& asked) { return "atomic " + str(name_of(asked.atomic)); }},
    Loss{kOperation, differs<&KernelSpec::unit>,
         [](const KernelSpec&) { return str("whole blocks"); }},
    Loss{kOperation, differs<&KernelSpec::audit>,
         [](const KernelSpec&) { return str("the audit"); }},
};

int loss_of(const KernelSpec& asked, const KernelSpec& found) {
  int out = 0;
  for (const Loss& loss : kLosses) out += loss.is_given_up(asked, found) ? loss.weight : 0;
  return out;
}

// Padding and layouts are easier to change than what is moved, and where to.
int effort_of(const KernelSpec& before, const KernelSpec& after) {
  for (std::size_t i = 0; i < kDims; ++i) {
    const Dim dim = static_cast<Dim>(i);
    if (has_role(before.op, role_of(dim)) && get(before, dim) != get(after, dim)) return 2;
  }
  return 1;
}

// Goes through specs that remedies lead to, those that give up least first, of these the ones with
// the least effort, of these the oldest. What is tried is the remedies of the first broken rule
// that leads to a spec not seen yet.
class Search {
 public:
  explicit Search(const KernelSpec& asked) : asked_(asked) { remember(asked, 0); }

  std::optional<KernelSpec> run() {
    while (const std::optional<std::size_t> at = next()) {
      nodes_[*at].is_done = true;
      const KernelSpec current = nodes_[*at].spec;
      bool is_good = true;
      for_each_broken(subject_of(current), [&](const RuleRow& row) {
        is_good = false;
        return !follow(*at, *row.rule);
      });
      if (is_good) return current;
    }
    return std::nullopt;
  }

 private:
  static constexpr std::size_t kMostSpecs = 2000;

  struct Node {
    KernelSpec spec;
    int loss;
    int effort;
    bool is_done = false;
  };

  std::optional<std::size_t> next() const {
    std::optional<std::size_t> best;
    const auto key = [&](std::size_t at) { return std::pair(nodes_[at].loss, nodes_[at].effort); };
    for (std::size_t at = 0; at < nodes_.size(); ++at) {
      if (!nodes_[at].is_done && (!best || key(at) < key(*best))) best = at;
    }
    return nodes_.size() < kMostSpecs ? best : std::nullopt;
  }

  // Whether any remedy led somewhere new.
  bool follow(std::size_t from, const Rule& rule) {
    const std::size_t before = nodes_.size();
    const Node current = nodes_[from];
    for (const Remedy remedy : rule.remedies) {
      KernelSpec changed = current.spec;
      if (remedy == nullptr || !remedy(changed, profile_of(changed.target))) continue;
      const KernelSpec clean = canonical(changed);
      remember(clean, current.effort + effort_of(current.spec, clean));
    }
    return nodes_.size() > before;
  }

  void remember(const KernelSpec& spec, int effort) {
    const bool is_known =
        std::ranges::any_of(nodes_, [&](const Node& node) { return node.spec == spec; });
    if (!is_known) nodes_.push_back({spec, loss_of(asked_, spec), effort});
  }

  const KernelSpec asked_;
  std::vector<Node> nodes_;
};

}  // namespace

std::optional<KernelSpec> nearest_legal(const KernelSpec& spec) {
  const KernelSpec clean = canonical(spec);
  if (!flaws_of(clean).empty()) return std::nullopt;
  return Search(clean).run();
}

std::string given_up(const KernelSpec& asked, const KernelSpec& suggested) {
  std::string out;
  for (const Loss& loss : kLosses) {
    if (loss.is_given_up(asked, suggested)) out += (out.empty() ? "" : ", ") + loss.name(asked);
  }
  return out;
}

}  // namespace pto::jit

// verify: the verdict of a target on a spec. The only place where a user's spec can fail.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "ir/result.h"
#include "ir/spec.h"

namespace pto::jit {

struct Profile;

// A canonical spec that breaks no rule of its target. Only verify can make one.
class LegalSpec {
 public:
  const KernelSpec& spec() const { return spec_; }
  const Profile& profile() const;

 private:
  friend Result<LegalSpec> verify(const KernelSpec& spec);
  explicit LegalSpec(const KernelSpec& spec) : spec_(spec) {}

  KernelSpec spec_;
};

// Every broken rule with its id, value, reason, source and the nearest legal spec; or the proof
// that there is none. Holds for any bytes: what no rule can judge are flaws (`ir/flaws.h`). The
// legal path allocates nothing. Rules about runtime dimensions wait for
// their values: bind.
Result<LegalSpec> verify(const KernelSpec& spec);

// The rules again with every runtime dimension bound, as bind asks them; `bound` is `legal.spec()`
// with its '?' filled in. Extents may be zero.
Result<Done> verify_bound(const LegalSpec& legal, const KernelSpec& bound);

// Whether verify would say yes, without a word.
bool is_legal(const KernelSpec& spec);

// The closest legal spec found by following the remedies of broken rules; nothing when none leads
// anywhere. What it means and where it runs are kept if they can be: another element type is given
// up for, then another target, then another operation; otherwise the smallest change of shapes and
// layouts counts.
std::optional<KernelSpec> nearest_legal(const KernelSpec& spec);

// What of `asked` a suggestion has not: "a2a3, atomic max"; empty where it does the same there.
std::string given_up(const KernelSpec& asked, const KernelSpec& suggested);

// How often this process has gone through a target's rules, for whatever reason: tests count with
// it that nothing is verified twice.
std::uint64_t rule_passes();

// What is legal but surprising about a spec: notes with stable ids.
Diagnostics notes_on(const LegalSpec& legal);

}  // namespace pto::jit

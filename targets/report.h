// The tables of the targets as text: what `ptojit targets` prints and docs/targets.md holds.
#pragma once

#include <string>

#include "targets/profile.h"

namespace pto::jit {

// One row an operation: dtypes, policies, layouts.
std::string capability_table(const Profile& profile);

// One row a rule: id, the rule in our words, where it comes from.
std::string rule_table(const Profile& profile);

// A section with both tables, in Markdown.
std::string report(const Profile& profile);

// All targets: the text of docs/targets.md.
std::string report_all();

}  // namespace pto::jit

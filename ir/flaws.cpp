#include "ir/flaws.h"

#include <string>

#include "ir/canonical.h"
#include "ir/mnemonic.h"
#include "ir/operands.h"

namespace pto::jit {
namespace {

Diagnostic foreign(const KernelSpec& spec, const std::string& what) {
  return error("spec.foreign",
               what + " is given, and " + std::string(operation_of(spec.op).form) + " has none");
}

bool is_given(const KernelSpec& spec, Role role) {
  return is_tile(role) ? tile_of(spec, role) != Tile{} : table_of(spec, role) != Table{};
}

// `spec` has no junk in its padding.
void find_foreign(const KernelSpec& spec, Diagnostics& out) {
  for (const Role role : {Role::Data, Role::Index, Role::Store, Role::Table, Role::Peer}) {
    if (!has_role(spec.op, role) && is_given(spec, role))
      out.push_back(foreign(spec, std::string(name_of(role))));
  }
  const KernelSpec fresh;
  for (const Suffix& suffix : all_suffixes()) {
    if (has_suffix(spec.op, suffix.kind) || suffix_value(spec, suffix.kind) != suffix.value)
      continue;
    if (suffix_value(fresh, suffix.kind) != suffix.value)
      out.push_back(foreign(spec, "the suffix " + std::string(suffix.word)));
  }
  if (!is_collective(spec.op) && (spec.ranks != 0 || spec.root != 0))
    out.push_back(foreign(spec, "a group of ranks"));
}

}  // namespace

Diagnostic no_such_value(std::string_view id, std::string_view name, int value, int last) {
  return error(std::string(id), std::string(name) + " is " + std::to_string(value) +
                                    "; its values run from 0 to " + std::to_string(last));
}

Diagnostics flaws_of(const KernelSpec& spec) {
  Diagnostics out;
  for_each_choice(spec, [&](std::string_view name, const auto& value, const auto& last) {
    if (auto flaw = beyond("spec.value", name, value, last)) out.push_back(*std::move(flaw));
  });
  if (!out.empty()) return out;
  const KernelSpec clean = without_junk(spec);
  if (own_parts(clean) != clean) find_foreign(clean, out);
  return out;
}

}  // namespace pto::jit

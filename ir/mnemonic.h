// The words of a spec's first token: target, operation and suffixes. One table serves the printer,
// the parser and every message that names a policy.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "ir/operation.h"
#include "ir/spec.h"

namespace pto::jit {

struct Suffix {
  std::string_view word;
  SuffixKind kind;
  std::uint8_t value;  // of the enum that `kind` names
};

std::span<const Suffix> all_suffixes();
const Suffix* suffix_named(std::string_view word);

std::string_view name_of(Target target);
std::string_view name_of(Op op);  // "comm.tscatter"; both forms of tscatter share a name
std::string_view name_of(Coalesce coalesce);
std::string_view name_of(Oob oob);
std::string_view name_of(Atomic atomic);  // "add", not "atomic_add"
std::string_view name_of(Conflict conflict);
std::string_view name_of(MaskPattern pattern);
std::string_view name_of(TileLayout layout);
std::string_view name_of(TableLayout layout);

std::optional<Target> target_named(std::string_view name);
std::string target_names();  // "cpu, a2a3, a5"

// Whether a spec for the target may say which of several writers wins.
bool has_conflict_policy(Target target);

// Whether the grammar of `op` lists the suffix: what a message should propose.
bool is_listed(Op op, const Suffix& suffix);

std::uint8_t suffix_value(const KernelSpec& spec, SuffixKind kind);
void set_suffix(KernelSpec& spec, const Suffix& suffix);

// "mscatter.row.clamp.atomic_add"
std::string mnemonic(const KernelSpec& spec);

}  // namespace pto::jit

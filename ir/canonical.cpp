#include "ir/canonical.h"

#include "ir/mnemonic.h"
#include "ir/operands.h"

namespace pto::jit {
namespace {

// The packed stride as far as it is known statically; nothing when it depends on a runtime extent.
bool stride_is_packed(const Table& table, std::size_t dim) {
  std::int64_t packed = 1;
  for (std::size_t inner = dim + 1; inner < 5; ++inner) {
    if (table.shape[inner] == kRuntime) return false;
    if (__builtin_mul_overflow(packed, table.shape[inner], &packed)) return false;
  }
  return table.strides[dim] == packed;
}

void canonicalize(Table& table) {
  if (is_packed(table)) {
    table.strides = {};
    return;
  }
  for (std::size_t dim = 0; dim < 5; ++dim) {
    if (table.shape[dim] == 1) table.strides[dim] = 1;
  }
}

void clear_foreign_operands(KernelSpec& spec) {
  for (const Role role : {Role::Data, Role::Index, Role::Store}) {
    if (!has_role(spec.op, role)) tile_of(spec, role) = {};
  }
  for (const Role role : {Role::Table, Role::Peer}) {
    if (!has_role(spec.op, role)) table_of(spec, role) = {};
  }
}

void clear_foreign_suffixes(KernelSpec& spec) {
  const KernelSpec fresh;
  if (!has_suffix(spec.op, SuffixKind::Coalesce)) spec.coalesce = fresh.coalesce;
  if (!has_suffix(spec.op, SuffixKind::Mask)) spec.mask = fresh.mask;
  if (!has_suffix(spec.op, SuffixKind::Unit)) spec.unit = fresh.unit;
  if (!has_suffix(spec.op, SuffixKind::Staging)) spec.staging = fresh.staging;
  if (!has_suffix(spec.op, SuffixKind::Engine)) spec.engine = fresh.engine;
}

}  // namespace

bool is_packed(const Table& table) {
  if (!has_strides(table)) return true;
  for (std::size_t dim = 0; dim < 5; ++dim) {
    if (table.shape[dim] != 1 && !stride_is_packed(table, dim)) return false;
  }
  return true;
}

KernelSpec without_junk(const KernelSpec& spec) {
  KernelSpec out = spec;
  out.zero = 0;
  out.data.zero = out.index.zero = out.store.zero = out.table.zero = out.peer.zero = 0;
  return out;
}

KernelSpec own_parts(const KernelSpec& spec) {
  KernelSpec out = without_junk(spec);
  clear_foreign_suffixes(out);
  clear_foreign_operands(out);
  if (!is_collective(out.op)) out.ranks = out.root = 0;
  return out;
}

KernelSpec canonical(const KernelSpec& spec) {
  KernelSpec out = own_parts(spec);
  if (operation_of(out.op).combines && has_conflict_policy(out.target)) {
    const bool says_nothing = out.atomic != Atomic::None || out.conflict == Conflict::Last;
    if (says_nothing) out.conflict = Conflict::Unstated;
  }
  canonicalize(out.table);
  canonicalize(out.peer);
  return out;
}

}  // namespace pto::jit

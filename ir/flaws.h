// Flaws: what is wrong with a spec before any rule can judge it. A value that its enum does not
// have, or a part that the operation does not have. No text has one, but C++ can write anything.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

#include "ir/diagnostic.h"
#include "ir/spec.h"

namespace pto::jit {

// Calls `visit` with the name of each member that is one of several values, the member itself, and
// the last value there is.
template <class Spec, class Visit>
void for_each_choice(Spec& spec, Visit&& visit) {
  visit("target", spec.target, Target::A5);
  visit("op", spec.op, Op::CommTScatter);
  visit("coalesce", spec.coalesce, Coalesce::Elem);
  visit("oob", spec.oob, Oob::Zero);
  visit("atomic", spec.atomic, Atomic::Min);
  visit("conflict", spec.conflict, Conflict::Default);
  visit("mask", spec.mask, MaskPattern::P1000);
  visit("unit", spec.unit, Unit::Block);
  visit("engine", spec.engine, Engine::Ccu);
  visit("staging", spec.staging, Staging::PingPong);
  visit("audit", spec.audit, true);
  visit("data.dtype", spec.data.dtype, DType::HIF8);
  visit("data.layout", spec.data.layout, TileLayout::Nz);
  visit("index.dtype", spec.index.dtype, DType::HIF8);
  visit("index.layout", spec.index.layout, TileLayout::Nz);
  visit("store.dtype", spec.store.dtype, DType::HIF8);
  visit("store.layout", spec.store.layout, TileLayout::Nz);
  visit("table.dtype", spec.table.dtype, DType::HIF8);
  visit("table.layout", spec.table.layout, TableLayout::Nz);
  visit("peer.dtype", spec.peer.dtype, DType::HIF8);
  visit("peer.layout", spec.peer.layout, TableLayout::Nz);
}
static_assert(static_cast<std::size_t>(Target::A5) + 1 == kTargets);
static_assert(static_cast<std::size_t>(Op::CommTScatter) + 1 == kOps);
static_assert(static_cast<std::size_t>(DType::HIF8) + 1 == kDTypes.size());

// Also of a bool that is neither true nor false, which may be copied but not read.
template <class Value>
std::uint8_t byte_of(const Value& value) {
  static_assert(sizeof value == 1);
  std::uint8_t out = 0;
  std::memcpy(&out, &value, sizeof out);
  return out;
}

Diagnostic no_such_value(std::string_view id, std::string_view name, int value, int last);

// "op is 77; its values run from 0 to 5", when there is no such value.
template <class Value>
std::optional<Diagnostic> beyond(std::string_view id, std::string_view name, const Value& value,
                                 const Value& last) {
  if (byte_of(value) <= byte_of(last)) return std::nullopt;
  return no_such_value(id, name, byte_of(value), byte_of(last));
}

// "spec.value" for each value that does not exist; where all do, "spec.foreign" for each operand,
// suffix and group that the operation does not have. Empty for whatever was read from a text.
Diagnostics flaws_of(const KernelSpec& spec);

}  // namespace pto::jit

// Small phrases the findings are made of.
#pragma once

#include <string>
#include <string_view>

#include "ir/enum_set.h"
#include "ir/mnemonic.h"
#include "ir/operands.h"
#include "ir/spec_text.h"

namespace pto::jit {

inline std::string str(std::string_view text) { return std::string(text); }
inline std::string str(std::int64_t value) {
  return value == kRuntime ? "?" : std::to_string(value);
}

// "src.vr is 9"
inline std::string value_phrase(const KernelSpec& spec, Dim dim) {
  return dim_name(spec.op, dim) + " is " + str(get(spec, dim));
}

// "i32 u32", in declaration order.
template <class Enum>
std::string names_of(EnumSet<Enum> set, std::string_view between = " ") {
  std::string out;
  set.for_each([&](Enum member) { out += str(out.empty() ? "" : between) + str(name_of(member)); });
  return out;
}

inline std::string operand(const KernelSpec& spec, Role role) {
  return str(operand_name(spec.op, role));
}

// "src f32[8x32]"
inline std::string shown(const KernelSpec& spec, Role role) {
  return operand(spec, role) + " " +
         (is_tile(role) ? print(tile_of(spec, role)) : print(table_of(spec, role)));
}

// Calls `visit` with the role of each operand the operation has.
template <class Visit>
void for_each_role(Op op, Visit&& visit) {
  for (const Operand& entry : operands_of(op)) visit(entry.role);
}

}  // namespace pto::jit

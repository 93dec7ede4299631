// An operation as a row: what it is called, its operands and what becomes of them, its suffixes.
// Whatever does not depend on a target is asked of the row, not of the operation's name.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "ir/enum_set.h"
#include "ir/spec.h"

namespace pto::jit {

enum class Role : std::uint8_t { Data, Index, Store, Table, Peer };

constexpr bool is_tile(Role role) { return role < Role::Table; }

// The pointer of a call frame that an operand feeds. A stage feeds none: it is a way through the
// device, and within a process nothing has to lie there.
enum class Side : std::uint8_t { Walked, Index, Addressed, Ranks, None };

struct Operand {
  std::string_view name;
  Role role;
  Side side;
};

enum class Family : std::uint8_t {
  Memory,  // between a tile and a table
  Tiles,   // from tile to tile
  Group,   // communication between ranks; has a number of ranks and a root
};

// What a suffix says, in the order suffixes are written.
enum class SuffixKind : std::uint8_t {
  Coalesce,
  Oob,
  Atomic,
  Conflict,
  Mask,
  Unit,
  Staging,
  Engine,
  Audit,
};

struct Operation {
  Op op;
  std::string_view text;         // in specs; forms told apart by their suffixes share it
  std::string_view form;         // in tables, where each form has a row
  std::string_view id;           // in the ids of rules
  std::string_view instruction;  // in text for devices
  Family family;
  std::array<Operand, 3> operands;  // in the order of the text; the last may have no name
  Role from;                        // what is moved
  Role to;                          // where to: what a kernel writes
  EnumSet<SuffixKind> suffixes{};   // besides those that have a place everywhere
  EnumSet<Oob> policies{};          // that its grammar lists
  bool combines = false;            // its grammar lists atomics and conflict policies
  bool counts_bytes = false;        // its indices are byte offsets
};

inline constexpr EnumSet<SuffixKind> kSuffixesOfAll = {SuffixKind::Oob, SuffixKind::Atomic,
                                                       SuffixKind::Conflict, SuffixKind::Audit};

inline constexpr std::array kOperations = {
    Operation{.op = Op::MScatter,
              .text = "mscatter",
              .form = "mscatter",
              .id = "scatter",
              .instruction = "MSCATTER",
              .family = Family::Memory,
              .operands = {{{"src", Role::Data, Side::Walked},
                            {"idx", Role::Index, Side::Index},
                            {"table", Role::Table, Side::Addressed}}},
              .from = Role::Data,
              .to = Role::Table,
              .suffixes = {SuffixKind::Coalesce},
              .policies = {Oob::Skip, Oob::Clamp, Oob::Wrap},
              .combines = true},
    Operation{.op = Op::MGather,
              .text = "mgather",
              .form = "mgather",
              .id = "gather",
              .instruction = "MGATHER",
              .family = Family::Memory,
              .operands = {{{"dst", Role::Data, Side::Walked},
                            {"idx", Role::Index, Side::Index},
                            {"table", Role::Table, Side::Addressed}}},
              .from = Role::Table,
              .to = Role::Data,
              .suffixes = {SuffixKind::Coalesce},
              .policies = {Oob::Clamp, Oob::Wrap, Oob::Zero}},
    Operation{.op = Op::TScatter,
              .text = "tscatter",
              .form = "tscatter",
              .id = "tscatter",
              .instruction = "TSCATTER",
              .family = Family::Tiles,
              .operands = {{{"src", Role::Data, Side::Walked},
                            {"idx", Role::Index, Side::Index},
                            {"dst", Role::Store, Side::Addressed}}},
              .from = Role::Data,
              .to = Role::Store},
    Operation{
        .op = Op::TScatterMask,
        .text = "tscatter",
        .form = "tscatter.pXXXX",
        .id = "mask",
        .instruction = "TSCATTER",
        .family = Family::Tiles,
        .operands = {{{"src", Role::Data, Side::Walked}, {"dst", Role::Store, Side::Addressed}}},
        .from = Role::Data,
        .to = Role::Store,
        .suffixes = {SuffixKind::Mask}},
    Operation{.op = Op::TGatherB,
              .text = "tgatherb",
              .form = "tgatherb",
              .id = "tgatherb",
              .instruction = "TGATHERB",
              .family = Family::Tiles,
              .operands = {{{"src", Role::Store, Side::Addressed},
                            {"offset", Role::Index, Side::Index},
                            {"dst", Role::Data, Side::Walked}}},
              .from = Role::Store,
              .to = Role::Data,
              .suffixes = {SuffixKind::Unit},
              .counts_bytes = true},
    Operation{.op = Op::CommTScatter,
              .text = "comm.tscatter",
              .form = "comm.tscatter",
              .id = "comm",
              .instruction = "comm::TSCATTER",
              .family = Family::Group,
              .operands = {{{"src", Role::Table, Side::Walked},
                            {"dst", Role::Peer, Side::Ranks},
                            {"stage", Role::Data, Side::None}}},
              .from = Role::Table,
              .to = Role::Peer,
              .suffixes = {SuffixKind::Staging, SuffixKind::Engine}},
};
static_assert(kOperations.size() == kOps);

inline constexpr Operation kNoOperation = {.op = Op::MScatter,
                                           .text = "nothing",
                                           .form = "nothing",
                                           .id = "nothing",
                                           .instruction = "nothing",
                                           .family = Family::Tiles,
                                           .operands = {},
                                           .from = Role::Data,
                                           .to = Role::Data};

constexpr const Operation& operation_of(Op op) { return row_of(kOperations, op, kNoOperation); }
static_assert([] {
  for (const Operation& row : kOperations) {
    if (&operation_of(row.op) != &row) return false;
  }
  return true;
}());

// In the order the text prints them.
constexpr std::span<const Operand> operands_of(Op op) {
  const std::array<Operand, 3>& all = operation_of(op).operands;
  std::size_t count = all.size();
  while (count > 0 && all[count - 1].name.empty()) --count;
  return {all.data(), count};
}

// Nothing when the operation has no such operand.
constexpr const Operand* operand_of(Op op, Role role) {
  for (const Operand& operand : operands_of(op)) {
    if (operand.role == role) return &operand;
  }
  return nullptr;
}

// Not by operand_of: under sanitizers g++ takes no comparison of its result for a constant.
constexpr bool has_role(Op op, Role role) {
  for (const Operand& operand : operands_of(op)) {
    if (operand.role == role) return true;
  }
  return false;
}
constexpr std::string_view operand_name(Op op, Role role) {
  const Operand* operand = operand_of(op, role);
  return operand ? operand->name : std::string_view{};
}

constexpr Family family_of(Op op) { return operation_of(op).family; }
constexpr bool is_collective(Op op) { return family_of(op) == Family::Group; }
constexpr bool is_indexed(Op op) { return has_role(op, Role::Index); }

// The operand a kernel writes: table, dst, or each rank's dst.
constexpr Role written_role(Op op) { return operation_of(op).to; }

// The operand whose elements a kernel goes through; its dtype is the kernel's.
constexpr Role walked_role(Op op) {
  for (const Operand& operand : operands_of(op)) {
    if (operand.side == Side::Walked) return operand.role;
  }
  return Role::Data;
}

// The operand that indices address: the table, or the tile in its place.
constexpr Role addressed_role(Op op) {
  for (const Operand& operand : operands_of(op)) {
    if (operand.side == Side::Addressed) return operand.role;
  }
  return Role::Table;
}

// Whether an operand lies in memory that a caller describes.
constexpr bool has_memory(Op op, Role role) {
  const Operand* operand = operand_of(op, role);
  return operand && operand->side != Side::None;
}

// A tile that indices address anywhere in its storage: what is valid of it means nothing.
constexpr bool is_indexed_tile(Op op, Role role) { return role == Role::Store && is_indexed(op); }

// Whether the text of `op` has a place for such a suffix at all. Policies have one everywhere: what
// an operation makes of them is for the rules to say.
constexpr bool has_suffix(Op op, SuffixKind kind) {
  return (kSuffixesOfAll | operation_of(op).suffixes).contains(kind);
}

// The operation that `op` becomes when its text has such a suffix: itself, or another of that name.
constexpr const Operation* form_with(Op op, SuffixKind kind) {
  const Operation& plain = operation_of(op);
  if (has_suffix(op, kind)) return &plain;
  for (const Operation& other : kOperations) {
    if (other.text == plain.text && has_suffix(other.op, kind)) return &other;
  }
  return nullptr;
}

}  // namespace pto::jit

// The operands of a spec by role, and every extent and stride of it by one number, so that rules,
// bindings and call frames all speak of the same thing.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/operation.h"
#include "ir/spec.h"

namespace pto::jit {

const Tile& tile_of(const KernelSpec& spec, Role role);
Tile& tile_of(KernelSpec& spec, Role role);
const Table& table_of(const KernelSpec& spec, Role role);
Table& table_of(KernelSpec& spec, Role role);
DType dtype_of(const KernelSpec& spec, Role role);
void set_dtype(KernelSpec& spec, Role role, DType dtype);

// Of the elements that are moved.
DType element_dtype(const KernelSpec& spec);

// Every dimension that may be known only at run time.
enum class Dim : std::uint8_t {
  DataVr,
  DataVc,
  IndexVr,
  IndexVc,
  StoreVr,
  StoreVc,  //
  TableD0,
  TableD1,
  TableD2,
  TableD3,
  TableD4,  //
  TableS0,
  TableS1,
  TableS2,
  TableS3,
  TableS4,  //
  PeerD0,
  PeerD1,
  PeerD2,
  PeerD3,
  PeerD4,  //
  PeerS0,
  PeerS1,
  PeerS2,
  PeerS3,
  PeerS4,  //
  // Of no spec: what the kernel of a part is told about it (ir/parts.h).
  Part0,
  Part1,
  Part2,
};
inline constexpr std::size_t kDims = 26;  // of specs
inline constexpr std::size_t kPartNumbers = 3;

constexpr Dim operator+(Dim first, int offset) {
  return static_cast<Dim>(static_cast<int>(first) + offset);
}
constexpr Dim first_extent(Role role) {
  constexpr std::array kFirst = {Dim::DataVr, Dim::IndexVr, Dim::StoreVr, Dim::TableD0,
                                 Dim::PeerD0};
  return kFirst[static_cast<std::size_t>(role)];
}
constexpr Dim first_stride(Role role) { return first_extent(role) + 5; }

Role role_of(Dim dim);
bool is_stride(Dim dim);

std::int64_t get(const KernelSpec& spec, Dim dim);
void set(KernelSpec& spec, Dim dim, std::int64_t value);

// "src.vr", "table.d3", "dst.s4"; and back. Nothing when the operation has no such dimension.
std::string dim_name(Op op, Dim dim);
std::optional<Dim> dim_named(Op op, std::string_view name);

// "data", and "data.vr", where the operation is not known.
std::string_view name_of(Role role);
std::string role_dim_name(Dim dim);

// What a spec leaves to run time; and by name, with spaces between.
std::vector<Dim> runtime_dims(const KernelSpec& spec);
std::string runtime_names(const KernelSpec& spec);

// An operand in memory; in a group each rank's destination is one of its own.
struct MemoryOperand {
  Role role = Role::Data;
  std::int32_t rank = -1;  // -1: not a rank's

  bool operator==(const MemoryOperand&) const = default;
};

// In the order of the text.
std::vector<MemoryOperand> memory_operands(const KernelSpec& spec);

// "src", "dst.2"
std::string name_of(const KernelSpec& spec, const MemoryOperand& operand);

}  // namespace pto::jit

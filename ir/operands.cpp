#include "ir/operands.h"

namespace pto::jit {
namespace {

struct DimPlace {
  Role role;
  std::string_view field;
};

constexpr std::array<DimPlace, kDims> kPlaces = {{
    {Role::Data, "vr"},  {Role::Data, "vc"},  {Role::Index, "vr"}, {Role::Index, "vc"},
    {Role::Store, "vr"}, {Role::Store, "vc"}, {Role::Table, "d0"}, {Role::Table, "d1"},
    {Role::Table, "d2"}, {Role::Table, "d3"}, {Role::Table, "d4"}, {Role::Table, "s0"},
    {Role::Table, "s1"}, {Role::Table, "s2"}, {Role::Table, "s3"}, {Role::Table, "s4"},
    {Role::Peer, "d0"},  {Role::Peer, "d1"},  {Role::Peer, "d2"},  {Role::Peer, "d3"},
    {Role::Peer, "d4"},  {Role::Peer, "s0"},  {Role::Peer, "s1"},  {Role::Peer, "s2"},
    {Role::Peer, "s3"},  {Role::Peer, "s4"},
}};

const DimPlace& place_of(Dim dim) { return kPlaces[static_cast<std::size_t>(dim)]; }
std::size_t offset_in_role(Dim dim) {
  return static_cast<std::size_t>(dim) - static_cast<std::size_t>(first_extent(role_of(dim)));
}

}  // namespace

const Tile& tile_of(const KernelSpec& spec, Role role) {
  return role == Role::Data ? spec.data : role == Role::Index ? spec.index : spec.store;
}
Tile& tile_of(KernelSpec& spec, Role role) {
  return const_cast<Tile&>(tile_of(static_cast<const KernelSpec&>(spec), role));
}
const Table& table_of(const KernelSpec& spec, Role role) {
  return role == Role::Table ? spec.table : spec.peer;
}
Table& table_of(KernelSpec& spec, Role role) {
  return const_cast<Table&>(table_of(static_cast<const KernelSpec&>(spec), role));
}

DType dtype_of(const KernelSpec& spec, Role role) {
  return is_tile(role) ? tile_of(spec, role).dtype : table_of(spec, role).dtype;
}
void set_dtype(KernelSpec& spec, Role role, DType dtype) {
  (is_tile(role) ? tile_of(spec, role).dtype : table_of(spec, role).dtype) = dtype;
}

DType element_dtype(const KernelSpec& spec) { return dtype_of(spec, walked_role(spec.op)); }

Role role_of(Dim dim) { return place_of(dim).role; }
bool is_stride(Dim dim) { return place_of(dim).field[0] == 's'; }

std::int64_t get(const KernelSpec& spec, Dim dim) {
  const Role role = role_of(dim);
  const std::size_t at = offset_in_role(dim);
  if (is_tile(role)) return at == 0 ? tile_of(spec, role).vr : tile_of(spec, role).vc;
  const Table& table = table_of(spec, role);
  return at < 5 ? table.shape[at] : table.strides[at - 5];
}

void set(KernelSpec& spec, Dim dim, std::int64_t value) {
  const Role role = role_of(dim);
  const std::size_t at = offset_in_role(dim);
  if (is_tile(role)) {
    (at == 0 ? tile_of(spec, role).vr : tile_of(spec, role).vc) = static_cast<std::int32_t>(value);
  } else if (at < 5) {
    table_of(spec, role).shape[at] = static_cast<std::int32_t>(value);
  } else {
    table_of(spec, role).strides[at - 5] = value;
  }
}

std::string dim_name(Op op, Dim dim) {
  if (static_cast<std::size_t>(dim) >= kDims) return {};
  const std::string_view operand = operand_name(op, role_of(dim));
  if (operand.empty()) return {};
  return std::string(operand) + "." + std::string(place_of(dim).field);
}

std::string_view name_of(Role role) {
  constexpr std::array<std::string_view, 5> kNames = {"data", "index", "store", "table", "peer"};
  return kNames[static_cast<std::size_t>(role)];
}

std::string role_dim_name(Dim dim) {
  return std::string(name_of(role_of(dim))) + "." + std::string(place_of(dim).field);
}

std::optional<Dim> dim_named(Op op, std::string_view name) {
  for (std::size_t i = 0; i < kDims; ++i) {
    const Dim dim = static_cast<Dim>(i);
    if (has_role(op, role_of(dim)) && dim_name(op, dim) == name) return dim;
  }
  return std::nullopt;
}

std::vector<Dim> runtime_dims(const KernelSpec& spec) {
  std::vector<Dim> out;
  for (std::size_t i = 0; i < kDims; ++i) {
    const Dim dim = static_cast<Dim>(i);
    if (has_role(spec.op, role_of(dim)) && get(spec, dim) == kRuntime) out.push_back(dim);
  }
  return out;
}

std::string runtime_names(const KernelSpec& spec) {
  std::string out;
  for (const Dim dim : runtime_dims(spec)) out += (out.empty() ? "" : " ") + dim_name(spec.op, dim);
  return out;
}

std::vector<MemoryOperand> memory_operands(const KernelSpec& spec) {
  std::vector<MemoryOperand> out;
  for (const Operand& operand : operands_of(spec.op)) {
    if (!has_memory(spec.op, operand.role)) continue;
    if (operand.role != Role::Peer) {
      out.push_back({operand.role});
      continue;
    }
    for (std::int32_t rank = 0; rank < spec.ranks; ++rank) out.push_back({operand.role, rank});
  }
  return out;
}

std::string name_of(const KernelSpec& spec, const MemoryOperand& operand) {
  const std::string name(operand_name(spec.op, operand.role));
  return operand.rank < 0 ? name : name + "." + std::to_string(operand.rank);
}

}  // namespace pto::jit

// Extents and strides as the text of a kernel writes them.
#include "targets/source_parts.h"
#include "targets/ties.h"

namespace pto::jit {
namespace {

constexpr std::size_t at(Dim dim) { return static_cast<std::size_t>(dim); }

// "srcRows", "tableShape3", "tableStride3"
std::string parameter_name(const KernelSpec& spec, Dim dim) {
  const Role role = role_of(dim);
  const std::string operand(operand_name(spec.op, role));
  const int place = static_cast<int>(dim) - static_cast<int>(first_extent(role));
  if (is_tile(role)) return operand + (place == 0 ? "Rows" : "Cols");
  return operand +
         (is_stride(dim) ? "Stride" + std::to_string(place - 5) : "Shape" + std::to_string(place));
}

}  // namespace

ExtentTable::ExtentTable(const KernelSpec& spec, const Profile& profile) {
  for (std::size_t i = 0; i < kDims; ++i) {
    const Dim dim = static_cast<Dim>(i);
    if (has_role(spec.op, role_of(dim))) amounts_[i] = amount_of(spec, dim);
  }
  for (const Tie& tie : ties_of(spec, profile)) {
    Amount& left = amounts_[at(tie.left)];
    if (!tie.right) {
      left = tie.right_factor / tie.left_factor;
      continue;
    }
    Amount& right = amounts_[at(*tie.right)];
    if (left.is_static() || right.is_static()) continue;  // each is what the spec says
    if (tie.right_factor % tie.left_factor == 0) {
      left = right * (tie.right_factor / tie.left_factor);
    } else {
      right = left * (tie.left_factor / tie.right_factor);
    }
  }
}

std::optional<Amount> guarded_capacity(const KernelSpec& spec, const ExtentTable& extents) {
  if (spec.oob == Oob::Skip || spec.oob == Oob::Zero) return std::nullopt;
  const bool is_row = spec.coalesce == Coalesce::Row;
  const bool is_nz = spec.table.layout == TableLayout::Nz;
  const int last = !is_row ? 5 : is_nz ? 3 : 4;
  Amount capacity = 1;
  for (int dim = is_row && is_nz ? 2 : 0; dim < last; ++dim)
    capacity = capacity * extents.of(Dim::TableD0 + dim);
  if (capacity.is_static()) return std::nullopt;
  return capacity;
}

namespace {

// Calls `visit` with every amount that a plan's text writes.
template <class Visit>
void for_each_written(const SourcePlan& plan, Visit&& visit) {
  const auto type = [&](const TileType& tile) {
    visit(tile.valid_rows.value.amount);
    visit(tile.valid_cols.value.amount);
  };
  const auto tensor = [&](const TensorPlan& table) {
    for (const Extent& extent : table.shape) visit(extent.value.amount);
    for (const Extent& extent : table.strides) visit(extent.value.amount);
  };
  for (const TilePlan& tile : plan.tiles) {
    type(tile.type);
    if (tile.transfer) type(*tile.transfer);
  }
  const std::size_t tables = plan.expanded ? plan.tiles.size() : plan.tensors.size();
  for (std::size_t i = 0; i < tables; ++i) tensor(plan.tensors[i]);
  if (plan.group) tensor(plan.group->rank);
  if (plan.capacity) visit(*plan.capacity);
  if (plan.expanded) {
    for_each_amount(plan.expanded->walk, [&](const Amount& amount) {
      for (std::size_t i = 0; i < amount.count; ++i)
        visit(plan.expanded->extents[at(amount.dims[i])].amount);
    });
  }
  if (plan.loop) visit(plan.loop->total);
  if (plan.loop) visit(plan.loop->valid);
}

}  // namespace

std::vector<ExtentParameter> parameters_of(const SourcePlan& plan, const KernelSpec& spec) {
  std::array<bool, kDims> is_used{};
  for_each_written(plan, [&](const Amount& amount) {
    for (std::size_t i = 0; i < amount.count; ++i) is_used[at(amount.dims[i])] = true;
  });
  std::vector<ExtentParameter> out;
  for (std::size_t i = 0; i < kDims; ++i) {
    const Dim dim = static_cast<Dim>(i);
    if (is_used[i]) out.push_back({dim, parameter_name(spec, dim)});
  }
  return out;
}

Extent extent_of(const Value& value) { return {value, value.is_number()}; }

namespace {

// The strides the spec states, or packed ones. Leading dimensions of one element have none worth
// stating, except the row dimension: by rows, that is the pitch the device reads.
std::array<Amount, 5> strides_of(const Table& table, const ExtentTable& extents, Role role) {
  std::array<Amount, 5> out;
  Amount packed = 1;
  for (int dim = 4; dim >= 0; --dim) {
    const auto place = static_cast<std::size_t>(dim);
    out[place] = has_strides(table) ? extents.of(first_stride(role) + dim) : packed;
    packed = packed * extents.of(first_extent(role) + dim);
  }
  return out;
}

// By rows a device steps by the fourth stride, also where that dimension has one element.
Amount row_pitch(const ExtentTable& extents, Role role, const std::array<Amount, 5>& strides) {
  for (int dim = 3; dim >= 0; --dim) {
    if (!extents.of(first_extent(role) + dim).is(1)) return strides[static_cast<std::size_t>(dim)];
  }
  return extents.of(first_extent(role) + 4);
}

}  // namespace

TensorPlan tensor_of(const KernelSpec& spec, const ExtentTable& extents, Role role) {
  const Table& table = table_of(spec, role);
  TensorPlan out{.name = std::string(operand_name(spec.op, role)),
                 .dtype = table.dtype,
                 .layout = table.layout == TableLayout::Nz ? TensorLayout::Nz : TensorLayout::Nd,
                 .shape = {},
                 .strides = {},
                 .step = 0};
  std::array<Amount, 5> strides = strides_of(table, extents, role);
  if (out.layout == TensorLayout::Nd && extents.of(first_extent(role) + 3).is(1))
    strides[3] = row_pitch(extents, role, strides);
  bool is_leading = true;
  for (int dim = 0; dim < 5; ++dim) {
    const auto place = static_cast<std::size_t>(dim);
    const Amount& extent = extents.of(first_extent(role) + dim);
    is_leading = is_leading && extent.is(1) && dim < 3;
    out.shape[place] = extent_of({extent});
    out.strides[place] = extent_of({is_leading ? Amount(1) : strides[place]});
  }
  return out;
}

}  // namespace pto::jit

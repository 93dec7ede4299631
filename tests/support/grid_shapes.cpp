// The shapes of the grid, and the dimensions it leaves to run time.
#include <array>

#include "ir/quantity.h"
#include "tests/support/grid_parts.h"

namespace pto::jit::tests {
namespace {

// rows, column blocks, columns, spare rows, spare blocks
constexpr std::array<ValidShape, 11> kShapes = {{
    {1, 0, 1, 0, 0},
    {1, 1, 1, 0, 0},
    {2, 2, 0, 0, 0},
    {3, 1, -1, 0, 0},
    {4, 1, 0, 0, 1},
    {5, 1, 1, 1, 0},
    {7, 0, 13, 2, 1},
    {8, 2, 0, 0, 0},
    {9, 1, 0, 0, 0},
    {16, 2, -1, 0, 0},
    {17, 0, 7, 1, 0},
}};

constexpr std::uint32_t bits(std::initializer_list<Dim> dims) {
  std::uint32_t out = 0;
  for (const Dim dim : dims) out |= 1u << static_cast<unsigned>(dim);
  return out;
}
constexpr std::uint32_t five(Dim first) { return 31u << static_cast<unsigned>(first); }

constexpr std::uint32_t kData = bits({Dim::DataVr, Dim::DataVc});
constexpr std::uint32_t kIndex = bits({Dim::IndexVr, Dim::IndexVc});
constexpr std::uint32_t kStore = bits({Dim::StoreVr, Dim::StoreVc});
constexpr std::uint32_t kShape = five(Dim::TableD0);
constexpr std::uint32_t kStrides = five(Dim::TableS0);
constexpr std::uint32_t kPeerShape = five(Dim::PeerD0);
constexpr std::uint32_t kPeerStrides = five(Dim::PeerS0);
constexpr std::uint32_t kEverything = (1u << kDims) - 1;

constexpr std::array kMemorySets = {
    RuntimeSet{"valid rows", bits({Dim::DataVr, Dim::IndexVr, Dim::IndexVc})},
    RuntimeSet{"valid extents", kData | kIndex},
    RuntimeSet{"extents of the data tile", kData},
    RuntimeSet{"extents of the index tile", kIndex},
    RuntimeSet{"table rows", bits({Dim::TableD3})},
    RuntimeSet{"table rows and width", bits({Dim::TableD3, Dim::TableD4})},
    RuntimeSet{"outer table extents", bits({Dim::TableD0, Dim::TableD1, Dim::TableD2})},
    RuntimeSet{"table shape", kShape},
    RuntimeSet{"row stride", bits({Dim::TableS3})},
    RuntimeSet{"strides", kStrides},
    RuntimeSet{"table shape and strides", kShape | kStrides},
    RuntimeSet{"valid columns and table width", bits({Dim::DataVc, Dim::TableD4})},
    RuntimeSet{"valid extents and table rows", kData | kIndex | bits({Dim::TableD3})},
    RuntimeSet{"everything", kEverything},
};

constexpr std::array kTileSets = {
    RuntimeSet{"valid rows", bits({Dim::DataVr, Dim::IndexVr, Dim::StoreVr})},
    RuntimeSet{"valid columns", bits({Dim::DataVc, Dim::IndexVc, Dim::StoreVc})},
    RuntimeSet{"extents of the data tile", kData},
    RuntimeSet{"extents of the other tiles", kIndex | kStore},
    RuntimeSet{"everything", kEverything},
};

constexpr std::array kGroupSets = {
    RuntimeSet{"stage", kData},
    RuntimeSet{"stage rows", bits({Dim::DataVr})},
    RuntimeSet{"rows", bits({Dim::TableD3, Dim::PeerD3})},
    RuntimeSet{"source", kShape | kStrides},
    RuntimeSet{"destination", kPeerShape | kPeerStrides | kData},
    RuntimeSet{"strides", kStrides | kPeerStrides},
    RuntimeSet{"everything", kEverything},
};

bool is_stated(const Table& table) { return table.strides != decltype(table.strides){}; }

}  // namespace

std::span<const ValidShape> valid_shapes() { return kShapes; }

Tile tile_around(std::int32_t vr, std::int32_t vc, const TileForm& form) {
  const std::int32_t grain = form.whole_bursts ? block_elements(form.dtype) : 1;
  const auto up = [](std::int32_t value, std::int32_t step) {
    return static_cast<std::int32_t>(round_up(value, step));
  };
  Tile tile{.rows = vr + form.spare_rows,
            .cols = up(vc, grain) + form.spare_blocks * grain,
            .vr = vr,
            .vc = vc,
            .dtype = form.dtype,
            .layout = form.layout};
  if (form.layout == TileLayout::Nz) tile.rows = up(tile.rows, kNzBlockRows);
  if (form.layout == TileLayout::ColMajor) {
    tile.rows = up(vr, grain) + form.spare_blocks * grain;
    tile.cols = vc + form.spare_rows;
  }
  return tile;
}

std::array<std::int64_t, 5> strides_of(const Table& table) {
  std::array<std::int64_t, 5> out{};
  for (std::size_t dim = 0; dim < 5; ++dim) out[dim] = stride_of(table, dim).value;
  return out;
}

std::span<const RuntimeSet> runtime_sets(Op op) {
  switch (op) {
    case Op::MScatter:
    case Op::MGather: return kMemorySets;
    case Op::TScatter:
    case Op::TScatterMask:
    case Op::TGatherB: return kTileSets;
    case Op::CommTScatter: return kGroupSets;
  }
  return {};
}

KernelSpec opened(const KernelSpec& base, const RuntimeSet& chosen) {
  KernelSpec spec = base;
  for (unsigned i = 0; i < kDims; ++i) {
    const Dim dim = static_cast<Dim>(i);
    if (((chosen.dims >> i) & 1u) == 0 || !has_role(spec.op, role_of(dim))) continue;
    if (is_stride(dim)) {
      Table& table = table_of(spec, role_of(dim));
      if (!is_stated(table)) table.strides = strides_of(table_of(base, role_of(dim)));
    }
    set(spec, dim, kRuntime);
  }
  return spec;
}

}  // namespace pto::jit::tests

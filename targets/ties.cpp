#include "targets/ties.h"

namespace pto::jit {
namespace {

void tie_shapes(Ties& ties, TieKind kind, Role left, Role right) {
  ties.equal(kind, first_extent(left), first_extent(right));
  ties.equal(kind, first_extent(left) + 1, first_extent(right) + 1);
}

void tie_row_index(Ties& ties, const KernelSpec& spec, const Profile& profile) {
  const bool down = profile.behaviour.row_index == RowIndex::FirstColumn ||
                    spec.index.layout == TileLayout::ColMajor;
  ties.equal(TieKind::IndexShape, down ? Dim::IndexVr : Dim::IndexVc, Dim::DataVr);
  ties.fixed(TieKind::IndexShape, down ? Dim::IndexVc : Dim::IndexVr, 1);
}

void tie_row_width(Ties& ties, const Profile& profile) {
  switch (profile.behaviour.row_width) {
    case RowWidth::One: ties.fixed(TieKind::RowWidth, Dim::DataVc, 1); break;
    case RowWidth::TableWidth: ties.equal(TieKind::RowWidth, Dim::TableD4, Dim::DataVc); break;
    case RowWidth::WithinTable: break;
  }
}

void tie_table(Ties& ties, const KernelSpec& spec, const Profile& profile) {
  const FlatTables flat = profile.behaviour.flat_tables;
  const bool row = spec.coalesce == Coalesce::Row;
  if (flat == FlatTables::Always || (flat == FlatTables::Row && row)) {
    for (int dim = 0; dim < 3; ++dim) ties.fixed(TieKind::LeadingOnes, Dim::TableD0 + dim, 1);
  }
  if (spec.table.layout == TableLayout::Nz) {
    ties.fixed(TieKind::NzBlock, Dim::TableD3, kNzBlockRows);
    ties.fixed(TieKind::NzBlock, Dim::TableD4, block_elements(spec.table.dtype));
  }
}

void tie_memory(Ties& ties, const KernelSpec& spec, const Profile& profile) {
  if (spec.coalesce == Coalesce::Row) {
    tie_row_index(ties, spec, profile);
    tie_row_width(ties, profile);
  } else {
    tie_shapes(ties, TieKind::IndexShape, Role::Index, Role::Data);
  }
  tie_table(ties, spec, profile);
}

void tie_tiles(Ties& ties, const KernelSpec& spec) {
  if (!is_indexed(spec.op)) {
    ties.equal(TieKind::StoreShape, Dim::StoreVr, Dim::DataVr);
    return ties.add(
        {TieKind::StoreShape, Dim::StoreVc, 1, Dim::DataVc, shape_of(spec.mask).factor});
  }
  if (spec.unit == Unit::Element)
    return tie_shapes(ties, TieKind::IndexShape, Role::Index, Role::Data);
  ties.equal(TieKind::IndexShape, Dim::IndexVr, Dim::DataVr);
  ties.add({TieKind::IndexShape, Dim::IndexVc, kBlockBytes, Dim::DataVc, size_of(spec.data.dtype)});
}

}  // namespace

Ties ties_of(const KernelSpec& spec, const Profile& profile) {
  Ties ties;
  switch (family_of(spec.op)) {
    case Family::Memory: tie_memory(ties, spec, profile); break;
    case Family::Tiles: tie_tiles(ties, spec); break;
    case Family::Group:
      for (const int dim : {0, 1, 2, 4})
        ties.equal(TieKind::Group, Dim::TableD0 + dim, Dim::PeerD0 + dim);
      break;
  }
  return ties;
}

Truth holds(const Tie& tie, const KernelSpec& spec) {
  const Quantity right = tie.right ? quantity(spec, *tie.right) : Quantity(1);
  return equal(quantity(spec, tie.left) * tie.left_factor, right * tie.right_factor);
}

}  // namespace pto::jit

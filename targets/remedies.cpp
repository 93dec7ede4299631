#include "targets/remedies.h"

#include <algorithm>
#include <limits>

#include "ir/operands.h"
#include "ir/quantity.h"
#include "targets/words.h"

namespace pto::jit::remedy {
namespace {

bool retarget(KernelSpec& spec, Target target) {
  if (spec.target == target) return false;
  spec.target = target;
  return true;
}

void pad(Tile& tile) {
  std::int32_t& side = tile.layout == TileLayout::ColMajor ? tile.rows : tile.cols;
  const std::int64_t block = block_elements(tile.dtype);
  const std::int64_t most = std::numeric_limits<std::int32_t>::max() / block * block;
  side = static_cast<std::int32_t>(std::min(round_up(std::max(side, 1), block), most));
}

// Sets the valid region, growing the storage only when it is too small.
void resize(Tile& tile, std::int32_t vr, std::int32_t vc, const Tile& like) {
  tile.vr = vr;
  tile.vc = vc;
  tile.rows = std::max(tile.rows, vr == kRuntime ? like.rows : vr);
  tile.cols = std::max(tile.cols, vc == kRuntime ? like.cols : vc);
}

std::int32_t blocks_of(std::int32_t elements, DType dtype) {
  if (elements == kRuntime) return kRuntime;
  return std::max(1, elements / block_elements(dtype));
}

bool is_row_form(const KernelSpec& spec) {
  return has_suffix(spec.op, SuffixKind::Coalesce) && spec.coalesce == Coalesce::Row;
}

void reshape_row_index(KernelSpec& spec, const Profile& profile) {
  Tile& index = spec.index;
  Tile like = spec.data;
  like.cols = 1;
  if (profile.behaviour.row_index == RowIndex::FirstColumn) {
    index.rows = spec.data.rows;
    index.cols = 1;
    resize(index, spec.data.vr, 1, like);
  } else if (index.layout == TileLayout::ColMajor) {
    index.cols = 1;
    resize(index, spec.data.vr, 1, like);
  } else {
    std::swap(like.rows, like.cols);
    index.rows = 1;
    resize(index, 1, spec.data.vr, like);
  }
}

}  // namespace

bool to_a5(KernelSpec& spec, const Profile&) { return retarget(spec, Target::A5); }
bool to_a2a3(KernelSpec& spec, const Profile&) { return retarget(spec, Target::A2A3); }

bool reshape_index(KernelSpec& spec, const Profile& profile) {
  const Tile before = spec.index;
  Tile like = spec.data;
  if (is_row_form(spec)) {
    reshape_row_index(spec, profile);
  } else if (spec.unit == Unit::Block) {
    like.cols = blocks_of(spec.data.cols, spec.data.dtype);
    resize(spec.index, spec.data.vr, blocks_of(spec.data.vc, spec.data.dtype), like);
  } else {
    resize(spec.index, spec.data.vr, spec.data.vc, like);
    if (profile.behaviour.row_index == RowIndex::FirstColumn) spec.index.rows = spec.data.rows;
  }
  if (profile.budget.tile_bytes > 0) pad(spec.index);
  return spec.index != before;
}

bool pad_tiles(KernelSpec& spec, const Profile&) {
  const KernelSpec before = spec;
  for_each_role(spec.op, [&](Role role) {
    if (is_tile(role)) pad(tile_of(spec, role));
  });
  return spec != before;
}

bool grow_tiles(KernelSpec& spec, const Profile&) {
  const KernelSpec before = spec;
  for_each_role(spec.op, [&](Role role) {
    if (!is_tile(role)) return;
    Tile& tile = tile_of(spec, role);
    tile.rows = std::max(tile.rows, tile.vr);
    tile.cols = std::max(tile.cols, tile.vc);
  });
  return spec != before;
}

bool pack_table(KernelSpec& spec, const Profile&) {
  const KernelSpec before = spec;
  spec.table.strides = {};
  spec.peer.strides = {};
  return spec != before;
}

bool fit_table_width(KernelSpec& spec, const Profile&) {
  const KernelSpec before = spec;
  spec.table.shape[4] = spec.data.vc;
  spec.table.strides = {};
  return spec != before;
}

}  // namespace pto::jit::remedy

// The extents of a spec as a module of the PTO assembler writes them.
#include <algorithm>

#include "ir/quantity.h"
#include "targets/assembler.h"
#include "targets/dialect.h"
#include "targets/source_parts.h"
#include "targets/ties.h"

namespace pto::jit {
namespace {

constexpr std::int64_t kTileAlignment = 256;  // bytes, of the assembler's own placement

constexpr std::size_t at(Dim dim) { return static_cast<std::size_t>(dim); }

}  // namespace

AssemblerExtents::AssemblerExtents(const LegalSpec& legal)
    : spec_(legal.spec()), offset_group_(legal.profile().dialect.assembler.offset_group) {
  const ExtentTable table(spec_, legal.profile());
  for (std::size_t i = 0; i < kDims; ++i) amounts_[i] = table.of(static_cast<Dim>(i));
  pair(legal);
  if (family_of(spec_.op) == Family::Memory) capacity_ = guarded_capacity(spec_, table);
  if (is_collective(spec_.op)) size_stage(spec_);
}

// As large as one rank's data where they fit, for the instruction never narrows its stage; else as
// the spec has it, a runtime stage being full and cut by the instruction.
void AssemblerExtents::size_stage(const KernelSpec& spec) {
  Amount rows = 1;
  for (int dim = 0; dim < 4; ++dim) rows = rows * of(Dim::PeerD0 + dim);
  const Amount& cols = of(Dim::PeerD4);
  const auto most = [](std::int32_t valid, std::int32_t padded) {
    return valid == kRuntime ? padded : valid;
  };
  const std::int32_t most_rows = most(spec.data.vr, spec.data.rows);
  const std::int32_t most_cols = most(spec.data.vc, spec.data.cols);
  const bool fits = rows.factor <= most_rows && cols.factor <= most_cols;
  amounts_[at(Dim::DataVr)] = fits ? rows : most_rows;
  amounts_[at(Dim::DataVc)] = fits ? cols : most_cols;
  in_type_[at(Dim::DataVr)] = fits || spec.data.vr != kRuntime;
  in_type_[at(Dim::DataVc)] = fits || spec.data.vc != kRuntime;
}

void AssemblerExtents::pair(const LegalSpec& legal) {
  std::ranges::transform(amounts_, in_type_.begin(), &Amount::is_static);
  if (!legal.profile().dialect.assembler.pairs_runtime_extents) return;
  for (const Tie& tie : ties_of(legal.spec(), legal.profile())) {
    if (!tie.right) continue;
    bool& left = in_type_[at(tie.left)];
    bool& right = in_type_[at(*tie.right)];
    left = right = left && right;
  }
}

// The instruction reads offsets and writes blocks in groups, whatever is valid of the last one.
bool AssemblerExtents::has_partial_group() const {
  if (!operation_of(spec_.op).counts_bytes || spec_.unit != Unit::Block) return false;
  const Amount& cols = of(Dim::DataVc);
  const std::int64_t group = offset_group_ * block_elements(spec_.data.dtype);
  return offset_group_ > 1 && !(cols.is_static() && cols.factor % group == 0);
}

AssemblerTile AssemblerExtents::declared(Role role) const {
  const Dim rows = first_extent(role);
  AssemblerTile out{.type = tile_of(spec_, role), .valid = {of(rows), of(rows + 1)}};
  out.type.vr = is_in_type(rows) ? static_cast<std::int32_t>(of(rows).factor) : kRuntime;
  out.type.vc = is_in_type(rows + 1) ? static_cast<std::int32_t>(of(rows + 1).factor) : kRuntime;
  out.moved = out.valid;
  return out;
}

// Slots and offsets count in the storage of an indexed tile, so all of it is valid. The assembler
// wants a TSCATTER destination as large as its source in both directions where it knows them.
AssemblerTile AssemblerExtents::indexed() const {
  const Tile& tile = spec_.store;
  AssemblerTile out{.type = tile, .valid = {tile.rows, tile.cols}, .moved = {tile.rows, tile.cols}};
  const Tile data = declared(Role::Data).type;
  const bool is_written = written_role(spec_.op) == Role::Store;
  out.type.vr = is_written && data.vr > tile.rows ? kRuntime : tile.rows;
  out.type.vc = is_written && data.vc > tile.cols ? kRuntime : tile.cols;
  return out;
}

AssemblerTile AssemblerExtents::tile(Role role) const {
  if (is_indexed_tile(spec_.op, role)) return indexed();
  AssemblerTile out = declared(role);
  const bool is_masked = !is_indexed(spec_.op) && role == Role::Store;
  const bool clears = is_masked && spec_.mask != MaskPattern::P1111;  // that one is a plain move
  if (clears && (out.type.vr != out.type.rows || out.type.vc != out.type.cols)) {
    out.moved = {out.type.rows, out.type.cols};  // what is not valid was cleared
    out.type.vr = out.type.vc = kRuntime;
  }
  if (!has_partial_group()) return out;
  if (role == Role::Index) out.is_zero_padded = true;
  if (role == Role::Data) {
    out.column_grain = offset_group_ * block_elements(out.type.dtype);
    out.type.cols = static_cast<std::int32_t>(round_up(out.type.cols, out.column_grain));
    out.type.vr = out.type.vc = kRuntime;
  }
  return out;
}

std::int64_t AssemblerExtents::bytes() const {
  std::int64_t sum = 0;
  for (const Operand& operand : operands_of(spec_.op)) {
    if (!is_tile(operand.role)) continue;
    const Tile type = tile(operand.role).type;
    const std::int64_t elements = saturating_product(type.rows, type.cols);
    const std::int64_t size = saturating_product(elements, size_of(type.dtype));
    sum =
        saturating_sum(sum, size > kHuge - kTileAlignment ? kHuge : round_up(size, kTileAlignment));
  }
  return spec_.staging == Staging::PingPong ? saturating_product(sum, 2) : sum;
}

}  // namespace pto::jit

// The tile-to-tile part of the grid: TSCATTER by index and by mask, TGATHERB.
#include <array>

#include "targets/profile.h"
#include "tests/support/grid_parts.h"

namespace pto::jit::tests {
namespace {

constexpr std::array kMaskPatterns = {MaskPattern::P1111, MaskPattern::P0101, MaskPattern::P1010,
                                      MaskPattern::P0001, MaskPattern::P0010, MaskPattern::P0100,
                                      MaskPattern::P1000};

class TileBases {
 public:
  TileBases(Target target, Op op, const VisitBase& visit) : visit_(visit) {
    base_.target = target;
    base_.op = op;
  }

  void run() {
    op().dtypes.for_each([&](DType dtype) {
      dtype_ = dtype;
      switch (base_.op) {
        case Op::TScatter: for_each_index_dtype(); break;
        case Op::TScatterMask: for_each_pattern(); break;
        case Op::TGatherB: for_each_unit(); break;
        case Op::MScatter:
        case Op::MGather:
        case Op::CommTScatter: break;
      }
    });
  }

 private:
  const OpProfile& op() const { return profile_of(base_.target).of(base_.op); }
  bool is_cpu() const { return base_.target == Target::Cpu; }

  // The CPU simulator pads nothing; the others have whole bursts.
  TileForm form(DType dtype, TileLayout layout = TileLayout::RowMajor) {
    const auto spare = static_cast<std::int32_t>(spares_.deal());
    return {dtype, layout, spare & 1, spare >> 1, !is_cpu()};
  }

  Tile data_tile(const ValidShape& shape, std::int32_t vc, TileLayout layout) const {
    return tile_around(shape.rows, vc,
                       {dtype_, layout, shape.spare_rows, shape.spare_blocks, !is_cpu()});
  }

  // Four-byte data take four-byte indices except on the CPU simulator.
  void for_each_index_dtype() {
    op().index_dtypes.for_each([&](DType index) {
      const std::int64_t width = size_of(dtype_) == 4 ? 4 : 2;
      if (!is_cpu() && size_of(index) != width) return;
      for (int i = 0; i < (is_cpu() ? 11 : 22); ++i) emit_tscatter(index);
    });
  }

  void emit_tscatter(DType index) {
    const ValidShape& shape = shapes_.deal(valid_shapes());
    base_.data = data_tile(shape, shape.vc(dtype_), TileLayout::RowMajor);
    base_.index = tile_around(base_.data.vr, base_.data.vc, form(index));
    base_.store = addressed_tile(TileLayout::RowMajor);
    visit_(base_);
  }

  // One block, one long row, or several rows with padding.
  Tile addressed_tile(TileLayout layout) {
    const std::int32_t block = block_elements(dtype_);
    const TileForm around{dtype_, layout, 1, 1, true};
    switch (stores_.deal()) {
      case 0: return tile_around(block, block, {dtype_, layout, 0, 0, true});
      case 1: return tile_around(5, 2 * block, around);
      case 2: return tile_around(3, block - 1, around);
      default: break;
    }
    const bool tall = layout == TileLayout::ColMajor;
    return tile_around(tall ? block : 1, tall ? 1 : block, {dtype_, layout, 0, 0, true});
  }

  void for_each_pattern() {
    for (const MaskPattern pattern : kMaskPatterns) {
      base_.mask = pattern;
      for (std::size_t i = 0; i < valid_shapes().size(); ++i) {
        const ValidShape& shape = shapes_.deal(valid_shapes());
        const std::int32_t factor = shape_of(pattern).factor;
        base_.data = data_tile(shape, shape.vc(dtype_), TileLayout::RowMajor);
        base_.store = tile_around(base_.data.vr, base_.data.vc * factor, form(dtype_));
        visit_(base_);
      }
    }
  }

  void for_each_unit() {
    op().data_layouts.for_each([&](TileLayout data) {
      op().store_layouts.for_each([&](TileLayout store) {
        base_.unit = Unit::Element;
        for (int i = 0; i < shapes_a_unit(); ++i) emit_tgatherb(data, store);
        base_.unit = Unit::Block;
        if (data != TileLayout::RowMajor) return;
        for (int i = 0; i < shapes_a_unit(); ++i) emit_tgatherb(data, store);
      });
    });
  }

  int shapes_a_unit() const { return base_.target == Target::A5 ? 11 : 22; }

  void emit_tgatherb(TileLayout data, TileLayout store) {
    const ValidShape& shape = shapes_.deal(valid_shapes());
    const bool blocks = base_.unit == Unit::Block;
    const std::int32_t whole = shape.col_blocks + (shape.col_blocks == 0 ? 1 : 0);
    const std::int32_t vc = blocks ? whole * block_elements(dtype_) : shape.vc(dtype_);
    base_.data = data_tile(shape, vc, data);
    base_.index = tile_around(base_.data.vr, blocks ? whole : vc, form(DType::U32));
    base_.store = addressed_tile(store);
    visit_(base_);
  }

  const VisitBase& visit_;
  KernelSpec base_;
  DType dtype_ = DType::I8;
  Deck shapes_{valid_shapes().size(), 21};
  Deck spares_{4, 22};
  Deck stores_{4, 23};
};

}  // namespace

void for_each_tile_base(const VisitBase& visit) {
  for (const Profile* profile : all_profiles()) {
    for (const Op op : {Op::TScatter, Op::TScatterMask, Op::TGatherB})
      TileBases(profile->target, op, visit).run();
  }
}

}  // namespace pto::jit::tests

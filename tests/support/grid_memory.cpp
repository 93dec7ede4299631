// The MSCATTER and MGATHER part of the grid.
#include <algorithm>
#include <array>

#include "targets/profile.h"
#include "tests/support/grid_parts.h"

namespace pto::jit::tests {
namespace {

constexpr std::array<std::int32_t, 6> kCapacities = {1, 5, 8, 13, 16, 3};

class MemoryBases {
 public:
  MemoryBases(Target target, Op op, const VisitBase& visit) : visit_(visit) {
    base_.target = target;
    base_.op = op;
  }

  void run() {
    if (op().dtypes.empty()) return;
    for (const Coalesce mode : {Coalesce::Row, Coalesce::Elem}) {
      base_.coalesce = mode;
      op().dtypes.for_each([&](DType dtype) {
        dtype_ = dtype;
        op().oob.for_each([&](Oob oob) {
          base_.oob = oob;
          for_each_writer();
        });
      });
    }
  }

 private:
  const Profile& profile() const { return profile_of(base_.target); }
  const OpProfile& op() const { return profile().of(base_.op); }
  bool is_row() const { return base_.coalesce == Coalesce::Row; }
  bool is_cpu() const { return !profile().behaviour.has_modes; }

  // Every way of combining that the dtype has: plainly, by each conflict policy, by each atomic.
  void for_each_writer() {
    base_.atomic = Atomic::None;
    base_.conflict = Conflict::Unstated;
    for_each_layout();
    if (op().conflicts.contains(Conflict::Default)) {
      base_.conflict = Conflict::Default;
      for_each_layout();
      base_.conflict = Conflict::Unstated;
    }
    for (const Atomic atomic : {Atomic::Add, Atomic::Max, Atomic::Min}) {
      if (!op().atomics[static_cast<std::size_t>(atomic)].contains(dtype_)) continue;
      base_.atomic = atomic;
      for_each_layout();
    }
  }

  // NZ tiles go with NZ tables and with nothing else.
  void for_each_layout() {
    op().data_layouts.for_each([&](TileLayout data) {
      op().index_layouts.for_each([&](TileLayout index) {
        base_.table.layout = data == TileLayout::Nz ? TableLayout::Nz : TableLayout::Nd;
        for (int i = 0; i < shapes_a_layout(); ++i) emit(data, index);
      });
    });
  }

  // Targets with few layouts and policies see more shapes of each.
  int shapes_a_layout() const {
    switch (base_.target) {
      case Target::Cpu: return 5;
      case Target::A2A3: return base_.op == Op::MScatter ? 11 : 14;
      case Target::A5: return base_.op == Op::MScatter ? 3 : 5;
    }
    return 0;
  }

  void emit(TileLayout data, TileLayout index) {
    const ValidShape& shape = shapes_.deal(valid_shapes());
    const std::int32_t vc = is_cpu() && is_row() ? 1 : shape.vc(dtype_);
    base_.data =
        tile_around(shape.rows, vc, {dtype_, data, shape.spare_rows, shape.spare_blocks, true});
    base_.index = index_tile(index);
    base_.table = is_nz() ? nz_table() : is_row() ? row_table() : elem_table();
    visit_(base_);
  }

  bool is_nz() const { return base_.table.layout == TableLayout::Nz; }

  Tile index_tile(TileLayout layout) {
    const Tile& data = base_.data;
    const DType dtype = index_dtypes_.deal() == 0 ? DType::I32 : DType::U32;
    const auto spare = static_cast<std::int32_t>(spares_.deal());
    TileForm form{dtype, layout, spare & 1, spare >> 1, !is_cpu()};
    if (is_cpu()) form.spare_rows = data.rows - data.vr;
    if (!is_row()) return tile_around(data.vr, data.vc, form);
    const bool down = is_cpu() || layout == TileLayout::ColMajor;
    return down ? tile_around(data.vr, 1, form) : tile_around(1, data.vr, form);
  }

  Table table(std::array<std::int32_t, 5> shape, std::array<std::int64_t, 5> strides = {}) const {
    return {.shape = shape, .dtype = dtype_, .layout = base_.table.layout, .strides = strides};
  }

  // Only A2/A3 reads the row stride, and only there outer extents count as rows.
  Table row_table() {
    const std::int32_t rows = kCapacities[capacities_.deal()];
    const std::int32_t width = is_cpu() ? 7 : base_.data.vc;
    const std::int64_t pitch = width + 5;
    if (!profile().behaviour.reads_row_pitch) return table({1, 1, 1, rows, width});
    switch (row_tables_.deal()) {
      case 0: return table({1, 1, 1, rows, width});
      case 1: return table({1, 1, 1, rows, width + 3});
      case 2: return table({1, 1, 1, rows, width}, {1, 1, 1, pitch, 1});
      case 3: return table({2, 1, 3, 2, width});
      case 4: return table({2, 1, 3, 2, width}, {6 * pitch, 1, 2 * pitch, pitch, 1});
      default: return table({1, 2, 3, 1, width}, {1, 3 * pitch, pitch, pitch, 1});
    }
  }

  Table elem_table() {
    const std::int32_t rows = kCapacities[capacities_.deal()];
    switch (elem_tables_.deal()) {
      case 0: return table({1, 1, 1, 1, rows});
      case 1: return table({1, 1, 1, rows, 10});
      case 2: return table({1, 1, 1, 8, 32});
      default: break;
    }
    if (is_cpu()) return table({1, 1, 1, rows, 10}, {1, 1, 1, 12, 1});
    return table({2, 1, 3, rows, 5});
  }

  // A whole row of the table moves in Row mode, so the tile must hold it.
  Table nz_table() {
    const std::int32_t c0 = block_elements(dtype_);
    const std::size_t split = splits_.deal();
    const std::int32_t held = base_.data.cols / c0;
    const std::int32_t blocks = split == 1 ? std::max(held - 1, 1) : held;
    const std::int32_t batch = split == 2 && blocks % 2 == 0 ? 2 : 1;
    const auto block_rows = static_cast<std::int32_t>(1 + capacities_.deal() % 2);
    Table out = table({batch, blocks / batch, block_rows, kNzBlockRows, c0});
    const std::size_t kind = nz_tables_.deal();
    if (kind == 0) return out;
    const std::int64_t inner = kind == 2 && !is_row() ? 2 : 1;  // Elem reads every stride
    const std::int64_t row = c0 * inner + (kind == 1 ? 0 : 3);
    const std::int64_t block = row * kNzBlockRows + 7;
    const std::int64_t column = block * block_rows + 9;
    out.strides = {column * out.shape[1] + 11, column, block, row, inner};
    return out;
  }

  const VisitBase& visit_;
  KernelSpec base_;
  DType dtype_ = DType::I8;
  Deck shapes_{valid_shapes().size(), 11};
  Deck index_dtypes_{2, 12};
  Deck spares_{4, 13};
  Deck capacities_{kCapacities.size(), 14};
  Deck row_tables_{6, 15};
  Deck elem_tables_{4, 16};
  Deck nz_tables_{3, 17};
  Deck splits_{3, 18};
};

}  // namespace

void for_each_memory_base(const VisitBase& visit) {
  for (const Profile* profile : all_profiles()) {
    for (const Op op : {Op::MScatter, Op::MGather}) MemoryBases(profile->target, op, visit).run();
  }
}

}  // namespace pto::jit::tests

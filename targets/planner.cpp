#include "targets/planner.h"

#include "ir/quantity.h"
#include "targets/plan_parts.h"
#include "targets/profile.h"

namespace pto::jit {
namespace {

Amount extents(const KernelSpec& spec, int first, int last) {
  Amount product = 1;
  for (int dim = first; dim < last; ++dim) product = product * amount_of(spec, Dim::TableD0 + dim);
  return product;
}

DType unsigned_of(std::int64_t size) {
  return size == 1 ? DType::U8 : size == 2 ? DType::U16 : DType::U32;
}

// What the arithmetic is done in. Moves and integer sums do not care about signs.
DType number_of(DType dtype, Atomic combine) {
  const bool is_float = info_of(dtype).kind == NumberKind::Float;
  const bool is_signless = combine == Atomic::None || (combine == Atomic::Add && !is_float);
  return is_signless ? unsigned_of(size_of(dtype)) : dtype;
}

// The parts of MSCATTER and MGATHER.
class MemoryPlanner {
 public:
  MemoryPlanner(const KernelSpec& spec, const Behaviour& behaviour, KernelPlan& plan)
      : spec_(spec), behaviour_(behaviour), plan_(plan) {}

  void run() {
    plan_.direction =
        written_role(spec_.op) == Role::Table ? Direction::ToTable : Direction::ToTile;
    if (behaviour_.has_modes) {
      plan_.oob = spec_.oob;
      plan_.combine = spec_.atomic;
    }
    const bool reads_steps = is_nz() || (is_row() && behaviour_.reads_row_pitch);
    if (reads_steps) steps_ = steps_of(spec_, Role::Table);
    if (is_nz() && is_row()) clear_nz_tile();
    is_row() ? plan_rows() : plan_elements();
  }

 private:
  bool is_nz() const { return spec_.table.layout == TableLayout::Nz; }
  bool is_row() const { return spec_.coalesce == Coalesce::Row && behaviour_.has_modes; }
  std::int64_t element() const { return size_of(spec_.data.dtype); }
  std::int64_t block() const { return block_elements(spec_.data.dtype); }
  Amount rows() const { return amount_of(spec_, Dim::DataVr); }
  Amount cols() const { return amount_of(spec_, Dim::DataVc); }
  const Amount& step(int dim) const { return steps_[static_cast<std::size_t>(dim)]; }
  Amount table_extent(int dim) const { return amount_of(spec_, Dim::TableD0 + dim); }

  // Every column of a cleared tile's row is written, so nothing is left to zero one by one.
  void clear_nz_tile() {
    if (!cols().is_static()) plan_.gate = cols();
    if (plan_.oob != Oob::Zero) return;
    plan_.fill_bytes = static_cast<std::int64_t>(spec_.data.rows) * spec_.data.cols * element();
    plan_.oob = Oob::Skip;
  }

  void plan_rows() {
    WalkBuilder walk(plan_);
    const std::int64_t row = is_nz() ? kBlockBytes : steps_of(spec_.data).row;
    walk.add({rows(), size_of(spec_.index.dtype), row, {}});
    walk.finish();
    is_nz() ? plan_nz_rows() : plan_nd_rows();
  }

  void plan_nd_rows() {
    plan_.capacity = extents(spec_, 0, 4);
    AddressBuilder(plan_).finish(row_pitch());
    const TileSteps tile = steps_of(spec_.data);
    const bool is_flat = spec_.data.layout == TileLayout::RowMajor;
    const MoveUnit flat{cols() * element(), {}, {}};
    const MoveUnit strided{element(), {cols(), element(), tile.col}, {}};
    set_unit(plan_, is_flat ? flat : strided);
  }

  // The stride of the innermost row dimension; dimensions of extent one have none worth reading.
  Amount row_pitch() const {
    if (!behaviour_.reads_row_pitch) return table_extent(4) * element();
    for (int dim = 3; dim >= 0; --dim) {
      if (!table_extent(dim).is(1)) return step(dim);
    }
    return table_extent(4) * element();
  }

  void plan_nz_rows() {
    plan_.capacity = table_extent(2) * kNzBlockRows;
    AddressBuilder address(plan_);
    address.add(kNzBlockRows, step(3));
    address.finish(step(2));
    const Amount column = spec_.data.rows * kBlockBytes;
    set_unit(plan_, {kBlockBytes,
                     {table_extent(1), step(1), column},
                     {table_extent(0), step(0), table_extent(1) * column}});
  }

  void plan_elements() {
    is_nz() ? walk_nz_elements() : walk_nd_elements();
    set_unit(plan_, {element(), {}, {}});
    AddressBuilder address(plan_);
    if (is_nz()) {
      plan_.capacity = extents(spec_, 0, 3) * kNzBlockRows * block();
      address.add(block(), step(4));
      address.add(table_extent(1), step(1));
      address.add(table_extent(0), step(0));
      address.add(kNzBlockRows, step(3));
      address.finish(step(2));
    } else {
      plan_.capacity = extents(spec_, 0, 5);
      address.finish(element());
    }
  }

  // In which order a gather goes nobody can tell, so it goes along the index tile.
  void walk_nd_elements() {
    const TileSteps index = steps_of(spec_.index);
    const TileSteps tile = steps_of(spec_.data);
    const Level down{rows(), index.row, tile.row, {}};
    const Level across{cols(), index.col, tile.col, {}};
    const bool goes_down = plan_.direction == Direction::ToTile && index.row < index.col;
    WalkBuilder walk(plan_);
    if (goes_down && !is_single_column()) walk.add(across);
    walk.add(down);
    if (!goes_down && !is_single_column()) walk.add(across);
    walk.finish();
  }

  // A Row form without modes has one column, whatever its extent is called.
  bool is_single_column() const { return spec_.coalesce == Coalesce::Row && !behaviour_.has_modes; }

  // Block column, then row, then column in the block.
  void walk_nz_elements() {
    const TileSteps index = steps_of(spec_.index);
    const std::int64_t column = spec_.data.rows * kBlockBytes;
    const Level blocks{cols(), block() * index.col, column, {}};
    const Level down{rows(), index.row, kBlockBytes, {}};
    const Level across{block(), index.col, element(), {}};
    if (cols().is_static() && spec_.data.vc % block() == 0) {
      WalkBuilder walk(plan_);
      walk.add({spec_.data.vc / block(), blocks.index_step, blocks.tile_step, {}});
      walk.add(down);
      walk.add(across);
      return walk.finish();
    }
    plan_.levels = {blocks, down, across};
    plan_.level_count = 3;
    plan_.block = block();
  }

  const KernelSpec& spec_;
  const Behaviour& behaviour_;
  KernelPlan& plan_;
  std::array<Amount, 5> steps_;
};

void walk_tile_elements(const KernelSpec& spec, KernelPlan& plan) {
  const TileSteps index = steps_of(spec.index);
  const TileSteps tile = steps_of(spec.data);
  WalkBuilder walk(plan);
  walk.add({amount_of(spec, Dim::DataVr), index.row, tile.row, {}});
  walk.add({amount_of(spec, Dim::DataVc), index.col, tile.col, {}});
  walk.finish();
}

void plan_tscatter(const KernelSpec& spec, const Behaviour& behaviour, KernelPlan& plan) {
  plan.direction = Direction::ToTable;
  if (behaviour.zero_fills_scatter) plan.fill_bytes = tile_bytes(spec.store);
  walk_tile_elements(spec, plan);
  const std::int64_t element = size_of(spec.data.dtype);
  plan.capacity = tile_bytes(spec.store) / element;
  AddressBuilder(plan).finish(element);
  set_unit(plan, {element, {}, {}});
}

void plan_mask(const KernelSpec& spec, KernelPlan& plan) {
  const std::int64_t element = size_of(spec.data.dtype);
  const MaskShape shape = shape_of(spec.mask);
  plan.direction = Direction::ToTable;
  const Amount rows = amount_of(spec, Dim::DataVr);
  const Amount cols = amount_of(spec, Dim::DataVc);
  WalkBuilder walk(plan);
  walk.add({rows, 0, steps_of(spec.data).row, steps_of(spec.store).row});
  if (shape.factor == 1) {
    set_unit(plan, {cols * element, {}, {}});
  } else {
    plan.fill_bytes = tile_bytes(spec.store);
    plan.table_base = shape.position * element;
    walk.add({cols, 0, element, shape.factor * element});
    set_unit(plan, {element, {}, {}});
  }
  walk.finish();
}

void plan_tgatherb(const KernelSpec& spec, const Behaviour& behaviour, KernelPlan& plan) {
  const std::int64_t unit = spec.unit == Unit::Block ? kBlockBytes : size_of(spec.data.dtype);
  plan.direction = Direction::ToTile;
  if (behaviour.clamps_offsets) plan.oob = Oob::Clamp;
  if (spec.unit == Unit::Block) {
    WalkBuilder walk(plan);
    const TileSteps index = steps_of(spec.index);
    walk.add({amount_of(spec, Dim::DataVr), index.row, steps_of(spec.data).row, {}});
    walk.add({amount_of(spec, Dim::IndexVc), index.col, kBlockBytes, {}});
    walk.finish();
  } else {
    walk_tile_elements(spec, plan);
  }
  plan.capacity = tile_bytes(spec.store) - unit + 1;
  AddressBuilder(plan).finish(1);
  set_unit(plan, {unit, {}, {}});
}

void plan_group(const KernelSpec& spec, KernelPlan& plan) {
  const std::array<Amount, 5> from = steps_of(spec, Role::Table);
  const std::array<Amount, 5> to = steps_of(spec, Role::Peer);
  const auto extent = [&](int dim) { return amount_of(spec, Dim::PeerD0 + dim); };
  plan.direction = Direction::ToTable;
  plan.ranks = spec.ranks;
  plan.rank_step = extent(3) * from[3];
  WalkBuilder walk(plan);
  for (const std::size_t dim : {0U, 1U, 2U})
    walk.add({extent(static_cast<int>(dim)), 0, from[dim], to[dim]});
  walk.finish();
  const std::int64_t element = size_of(spec.table.dtype);
  const Repeat rows{extent(3), to[3], from[3]};
  const bool is_one_column = extent(4).is(1);
  const bool is_flat = is_one_column || (from[4].is(element) && to[4].is(element));
  const MoveUnit flat{extent(4) * element, rows, {}};
  const MoveUnit strided{element, {extent(4), to[4], from[4]}, rows};
  set_unit(plan, is_flat ? flat : strided);
}

// Which indices an audit visits: one a row of a Row form, else the whole valid index region.
AuditWalk audit_of(const KernelSpec& spec, const Behaviour& behaviour, Direction direction) {
  const TileSteps index = steps_of(spec.index);
  const bool is_row = has_suffix(spec.op, SuffixKind::Coalesce) && spec.coalesce == Coalesce::Row;
  const bool is_along = is_row && behaviour.row_index == RowIndex::AlongLayout;
  const Dim width = spec.unit == Unit::Block ? Dim::IndexVc : Dim::DataVc;
  const Amount rows = amount_of(spec, Dim::DataVr);
  const Amount cols = is_row ? Amount(1) : amount_of(spec, width);
  const std::int64_t row_step = is_along ? size_of(spec.index.dtype) : index.row;
  return {.is_on = true,
          .counts_collisions = direction == Direction::ToTable,
          .rows = rows,
          .cols = cols,
          .row_step = rows.is(1) ? 0 : row_step,  // a step that is never taken says nothing
          .col_step = cols.is(1) ? 0 : index.col};
}

Writer writer_of(const KernelSpec& spec, const KernelPlan& plan) {
  if (plan.direction == Direction::ToTile || !plan.has_index()) return Writer::Any;
  if (plan.combine != Atomic::None) return Writer::InOrder;
  return spec.conflict == Conflict::Default ? Writer::Any : Writer::Last;
}

void plan_operation(const KernelSpec& spec, const Behaviour& behaviour, KernelPlan& plan) {
  switch (spec.op) {
    case Op::MScatter:
    case Op::MGather: return MemoryPlanner(spec, behaviour, plan).run();
    case Op::TScatter: return plan_tscatter(spec, behaviour, plan);
    case Op::TScatterMask: return plan_mask(spec, plan);
    case Op::TGatherB: return plan_tgatherb(spec, behaviour, plan);
    case Op::CommTScatter: return plan_group(spec, plan);
  }
}

KernelPlan plan_of(const KernelSpec& spec, const Behaviour& behaviour) {
  KernelPlan plan;
  plan.index_size =
      is_indexed(spec.op) ? static_cast<std::uint8_t>(size_of(spec.index.dtype)) : std::uint8_t{0};
  const DType dtype = element_dtype(spec);
  plan.element_size = static_cast<std::uint8_t>(size_of(dtype));
  plan_operation(spec, behaviour, plan);
  plan.number = number_of(dtype, plan.combine);
  if (spec.audit) {
    plan.audit = audit_of(spec, behaviour, plan.direction);
    if (plan.oob == Oob::Undefined) plan.oob = Oob::Skip;
  }
  plan.writer = writer_of(spec, plan);
  if (plan.oob != Oob::Zero && !plan.capacity.is_static()) plan.gate = plan.gate * plan.capacity;
  return plan;
}

}  // namespace

KernelPlan make_plan(const LegalSpec& legal) {
  return plan_of(legal.spec(), legal.profile().behaviour);
}

KernelPlan make_audited_plan(const LegalSpec& legal) {
  KernelSpec spec = legal.spec();
  spec.audit = true;
  return plan_of(spec, legal.profile().behaviour);
}

}  // namespace pto::jit

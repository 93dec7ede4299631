#include "targets/source_planner.h"

#include <algorithm>
#include <limits>

#include "ir/quantity.h"
#include "targets/source_parts.h"
#include "targets/source_words.h"
#include "targets/words.h"

namespace pto::jit {
namespace {

constexpr std::int64_t kMostElements = std::numeric_limits<std::int32_t>::max();

std::int64_t bytes_of(const TileType& type) {
  return round_up(type.rows * type.cols * size_of(type.dtype), kBlockBytes);
}

// One after the other; the bytes they take.
std::int64_t place_tiles(SourcePlan& plan) {
  std::int64_t offset = 0;
  for (TilePlan& tile : plan.tiles) {
    tile.offset = offset;
    offset += bytes_of(tile.type);
  }
  return offset;
}

// Of two extents that a rule makes equal, a device may want both in the types or neither.
void pair(Extent& left, Extent& right) {
  const bool are_in_types = left.is_in_type && right.is_in_type;
  left.is_in_type = right.is_in_type = are_in_types;
}

void pair_tile_extents(SourcePlan& plan) {
  for (TilePlan& tile : plan.tiles) pair(tile.type.valid_rows, tile.type.valid_cols);
}

// MSCATTER and MGATHER.
class MemoryText {
 public:
  MemoryText(const LegalSpec& legal, const Chunking& chunking, SourcePlan& plan)
      : spec_(legal.spec()),
        dialect_(legal.profile().dialect),
        extents_(spec_, legal.profile()),
        tiles_(spec_, extents_, chunking),
        plan_(plan) {}

  void run() {
    for (const Role role : {Role::Data, Role::Index}) add_tile(role);
    plan_.tensors.push_back(tensor_of(spec_, extents_, Role::Table));
    if (dialect_.pairs_runtime_extents) pair_extents();
    plan_.loop = tiles_.loop();
    plan_.call = call_of(spec_, dialect_);
    plan_.capacity = guarded_capacity(spec_, extents_);
    order_moves();
  }

 private:
  bool scatters() const { return written_role(spec_.op) == Role::Table; }
  bool is_row() const { return spec_.coalesce == Coalesce::Row; }

  void add_tile(Role role) {
    plan_.tiles.push_back(tiles_.tile(role));
    plan_.tensors.push_back(tiles_.tensor(role, plan_.tiles.back()));
  }

  void pair_extents() {
    TileType& data = plan_.tiles[0].type;
    TileType& index = plan_.tiles[1].type;
    if (!is_row()) {
      pair(data.valid_rows, index.valid_rows);
      pair(data.valid_cols, index.valid_cols);
      return;
    }
    const bool lies = index.layout == TileLayout::RowMajor;
    pair(data.valid_rows, lies ? index.valid_cols : index.valid_rows);
    pair(data.valid_cols, plan_.tensors[2].shape[4]);
  }

  void order_moves() {
    const SyncShape shape = !scatters() ? SyncShape::Gather
                            : is_row()  ? SyncShape::ScatterRow
                                        : SyncShape::ScatterElem;
    SyncPlan syncs = dialect_.waits(shape);
    // NZ storage is stored in whole blocks, so what the gather leaves alone is loaded first.
    if (scatters() || spec_.data.layout == TileLayout::Nz) plan_.loads.push_back(0);
    plan_.loads.push_back(1);
    if (!scatters()) plan_.stores.push_back(0);
    plan_.before = syncs.before;
    plan_.after = syncs.after;
    plan_.last = syncs.last;
    if (plan_.loop) separate_parts();
  }

  // Tiles are used again by the next part. Its barrier makes those at the end superfluous.
  void separate_parts() {
    plan_.between = {kBarrier, flag(Pipe::Vector, Pipe::Load)};
    std::erase_if(plan_.last, [](const Sync& sync) { return sync.kind != SyncKind::Flush; });
  }

  const KernelSpec& spec_;
  const Dialect& dialect_;
  ExtentTable extents_;
  TilePlanner tiles_;
  SourcePlan& plan_;
};

// TSCATTER and TGATHERB between tiles.
class TileText {
 public:
  TileText(const LegalSpec& legal, const Chunking& chunking, SourcePlan& plan)
      : legal_(legal),
        spec_(legal.spec()),
        profile_(legal.profile()),
        extents_(spec_, profile_),
        tiles_(spec_, extents_, chunking),
        plan_(plan) {}

  void run() {
    for (const Operand& operand : operands_of(spec_.op)) add_tile(operand.role);
    plan_.call = call_of(spec_, profile_.dialect);
    if (is_gathered_by_text(legal_))
      plan_.written_out = byte_gather(legal_, plan_.tiles[1].type, plan_.tiles.back().type);
    SyncPlan syncs = profile_.dialect.waits(shape());
    plan_.before = syncs.before;
    plan_.after = syncs.after;
  }

 private:
  bool is_gather() const { return written_role(spec_.op) == Role::Data; }

  SyncShape shape() const {
    if (plan_.written_out) return SyncShape::WrittenOut;
    return is_gather() ? SyncShape::TileGather : SyncShape::TileScatter;
  }

  // A destination that is not cleared first is loaded, so that the rest of it survives.
  void add_tile(Role role) {
    const bool is_written = role == written_role(spec_.op);
    const bool is_kept = is_indexed_tile(spec_.op, role) && !profile_.behaviour.zero_fills_scatter;
    if (!is_written || is_kept) plan_.loads.push_back(plan_.tiles.size());
    if (is_written) plan_.stores.push_back(plan_.tiles.size());
    plan_.tiles.push_back(tiles_.tile(role));
    plan_.tensors.push_back(tiles_.tensor(role, plan_.tiles.back()));
  }

  const LegalSpec& legal_;
  const KernelSpec& spec_;
  const Profile& profile_;
  ExtentTable extents_;
  TilePlanner tiles_;
  SourcePlan& plan_;
};

Diagnostic refusal(std::string id, std::string message, std::string rule) {
  Diagnostic out = error(std::move(id), std::move(message));
  out.rule = std::move(rule);
  return out;
}

// Strides inside a row that no load or store can follow.
bool has_spread_rows(const KernelSpec& spec) {
  const auto is_spread = [](const Table& table) {
    const bool is_known = table.shape[4] != 1 && has_strides(table) && table.strides[4] != kRuntime;
    return is_known && table.strides[4] != 1;
  };
  return is_collective(spec.op) && (is_spread(spec.table) || is_spread(spec.peer));
}

// A tile that one load must fill, with more rows than one load has.
bool exceeds_one_load(const SourcePlan& plan, const Budget& budget) {
  return budget.load_rows > 0 && std::ranges::any_of(plan.tiles, [&](const TilePlan& tile) {
           return tile.type.layout == TileLayout::RowMajor && tile.type.rows > budget.load_rows;
         });
}

// Whole tiles with more elements than the numbers of a text count; where tiles have a budget, that
// is smaller.
bool exceeds_numbers(const KernelSpec& spec) {
  return std::ranges::any_of(operands_of(spec.op), [&](const Operand& operand) {
    if (!is_tile(operand.role)) return false;
    const Tile& tile = tile_of(spec, operand.role);
    const std::int64_t width = round_up(tile.cols, block_elements(tile.dtype));
    return saturating_product(tile.rows, width) > kMostElements;
  });
}

std::optional<Diagnostic> refuse(const LegalSpec& legal) {
  const KernelSpec& spec = legal.spec();
  if (spec.audit) {
    return refusal("source.audit", "text for a device has no audited form",
                   "an audit runs on the host: run it there, then emit the kernel without .audit");
  }
  if (has_spread_rows(spec)) {
    return refusal("source.row_stride", "elements of a row are not adjacent in " + print(spec),
                   "the stage is loaded and stored in contiguous rows");
  }
  if (legal.profile().budget.tile_bytes == 0 && exceeds_numbers(spec)) {
    return refusal("source.tile_elements",
                   "a tile of " + print(spec) + " has 2^31 elements or more",
                   "a text counts the elements of a tile in an int");
  }
  return std::nullopt;
}

void plan_operation(const LegalSpec& legal, const Chunking& chunking, SourcePlan& plan) {
  switch (family_of(legal.spec().op)) {
    case Family::Memory: return MemoryText(legal, chunking, plan).run();
    case Family::Tiles: return TileText(legal, chunking, plan).run();
    case Family::Group: return plan_group(legal, plan);
  }
}

Diagnostic refuse_to_place(const SourcePlan& plan, std::int64_t bytes, const Dialect& dialect) {
  return refusal("source.placement", "the tiles of " + plan.spec + " take " + str(bytes) + " bytes",
                 "a text places up to " + str(dialect.placed_bytes) +
                     " bytes here; leave the placement out, or ask for auto");
}

bool points_into_tiles(const SourcePlan& plan) {
  return plan.expanded && plan.expanded->means != Means::Scalars;
}

// The vendor's own build of communication kernels asks for more stack.
std::string compile_flags(const LegalSpec& legal) {
  constexpr std::string_view kStack =
      " -mllvm -cce-aicore-stack-size=0x8000 -mllvm -cce-aicore-function-stack-size=0x8000"
      " -mllvm -cce-aicore-record-overflow=true -mllvm -cce-aicore-addr-transform"
      " -mllvm -cce-aicore-dcci-insert-for-scalar=false";
  const Dialect& dialect = legal.profile().dialect;
  const bool has_stack = is_collective(legal.spec().op) && dialect.is_launched;
  return str(dialect.compile_flags) + (has_stack ? str(kStack) : "");
}

// What only the finished plan shows.
std::optional<Diagnostic> refuse(const SourcePlan& plan, const Budget& budget) {
  if (exceeds_one_load(plan, budget)) {
    return refusal("source.load_rows", "a tile of " + plan.spec + " has too many rows for one load",
                   "a load moves at most " + str(budget.load_rows) +
                       " rows, and this operation is never done in parts");
  }
  const bool has_views = std::ranges::any_of(
      plan.tiles, [](const TilePlan& tile) { return tile.transfer.has_value(); });
  if (has_views && plan.placement == Placement::Auto) {
    return refusal("source.placement",
                   "auto placement cannot move the storage of a partly valid tile whole",
                   "two tiles share that storage, so the text has to place them: ask for manual");
  }
  if (points_into_tiles(plan) && plan.placement == Placement::Auto) {
    return refusal("source.placement",
                   "bursts and lanes point into tiles, to write out " + plan.spec,
                   "where the device's compiler places tiles nothing points into them: ask for "
                   "manual");
  }
  return std::nullopt;
}

bool moves_bytes(const SourcePlan& plan) {
  return plan.written_out || (plan.expanded && plan.expanded->moves_bytes);
}

// Where the text puts the tiles, or that it leaves them to a compiler, which the simulator's has to
// be told.
std::optional<Diagnostic> place(SourcePlan& plan, const Dialect& dialect, bool is_demanded) {
  const std::int64_t bytes = place_tiles(plan);
  const bool is_too_much = dialect.placed_bytes > 0 && bytes > dialect.placed_bytes;
  if (is_too_much && is_demanded) return refuse_to_place(plan, bytes, dialect);
  if (is_too_much) plan.placement = Placement::Auto;
  if (plan.placement == Placement::Auto && !plan.is_launched)
    plan.compile_flags += " -D__PTO_AUTO__";
  return std::nullopt;
}

}  // namespace

Result<SourcePlan> make_source_plan(const LegalSpec& legal, const SourceChoice& choice) {
  if (std::optional<Diagnostic> no = refuse(legal)) return *no;
  if (!choice.name.empty()) {
    if (std::optional<Diagnostic> no = refuse_kernel_name(choice.name)) return *no;
  }
  const KernelSpec& spec = legal.spec();
  const Budget& budget = legal.profile().budget;
  const Dialect& dialect = legal.profile().dialect;
  SourcePlan plan{.name = choice.name.empty() ? kernel_name(spec) : choice.name,
                  .summary = kernel_summary(legal),
                  .spec = print(spec),
                  .compile_flags = compile_flags(legal),
                  .host_flags = dialect.host_flags,
                  .placement = choice.placement.value_or(Placement::Manual),
                  .is_launched = dialect.is_launched};
  const Chunking chunking = *chunking_of(spec, legal.profile());
  plan_operation(legal, chunking, plan);
  if (choice.is_expanded && !expand(legal, plan)) {
    return refusal("source.expanded", plan.spec + " cannot be written out in primitives",
                   "communication and the simulator have no form but their instruction");
  }
  if (std::optional<Diagnostic> no = refuse(plan, budget)) return *no;
  if (moves_bytes(plan)) view_as_bytes(plan);
  if (dialect.pairs_tile_extents) pair_tile_extents(plan);
  plan.extents = parameters_of(plan, spec);
  const bool is_demanded = choice.placement == Placement::Manual;
  if (std::optional<Diagnostic> no = place(plan, dialect, is_demanded)) return *no;
  if (budget.plain_bytes > 0 && chunking.bytes > budget.plain_bytes)
    plan.dynamic_bytes = chunking.bytes;
  return plan;
}

}  // namespace pto::jit

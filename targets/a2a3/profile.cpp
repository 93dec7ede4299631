// A2/A3: one thread drives scalar accesses and DMA bursts, strictly in order.
#include "targets/profile.h"

#include "targets/a2a3/a2a3.h"
#include "targets/rules.h"

namespace pto::jit {
namespace {

constexpr EnumSet<TileLayout> kRowMajor = {TileLayout::RowMajor};
constexpr EnumSet<TileLayout> kPaired = {TileLayout::RowMajor, TileLayout::Nz};
constexpr EnumSet<TableLayout> kNdOrNz = {TableLayout::Nd, TableLayout::Nz};
constexpr EnumSet<DType> kAdd = {DType::I8,  DType::I16,  DType::I32,
                                 DType::F16, DType::BF16, DType::F32};

constexpr std::string_view kTypesDoc = "MSCATTER, Tile Constraints (A2/A3), Supported data types";
constexpr std::string_view kTilesDoc = "MSCATTER, Tile Constraints (A2/A3), Tile and memory types";
constexpr std::string_view kShapeDoc = "MSCATTER, Tile Constraints (A2/A3), Shape constraints";
constexpr std::string_view kLayoutDoc = "MSCATTER, Layout Support";
constexpr std::string_view kNzDoc = "MSCATTER, NZ Layout (A2/A3)";
constexpr std::string_view kTScatterDoc = "TSCATTER, Target-Profile Restrictions (A2A3)";
constexpr std::string_view kTGatherBDoc = "TGATHERB, Target-Profile Restrictions (A2A3)";

constexpr RuleRow kRules[] = {
    {kMask, &kOfferedRule,
     "the mask form belongs to A5; the A2/A3 form and the column axis of later ISA revisions are "
     "not accepted",
     "TSCATTER, Mask Scatter"},
    {kScatter, &kAtomicRule,
     "A2/A3 has no hardware maximum or minimum on its store path; only add is offered there, and "
     "on no unsigned type",
     "MSCATTER, Atomic Type Support"},
    {kScatter, &kConflictRule,
     "A2/A3 walks strictly in order, so the last writer wins and there is nothing to choose",
     "MSCATTER, Conflict Resolution"},
    {kMemoryOps, &kDTypeRule, "the vector core moves the nine number types, no 8-bit floats",
     kTypesDoc},
    {kTScatter, &kDTypeRule, "tile to tile, only the nine number types are moved", kTScatterDoc},
    {kTGatherB, &kDTypeRule, "tile to tile, only the nine number types are moved", kTGatherBDoc},
    {kMemoryOps, &kSameDTypeRule, "tile and table have one dtype", kTilesDoc},
    {kTScatter, &kSameDTypeRule, "source and destination have one dtype", kTScatterDoc},
    {kTGatherB, &kSameDTypeRule, "source and destination have one dtype", kTGatherBDoc},
    {kMemoryOps, &kIndexDTypeRule, "indices are 32-bit integers", kTypesDoc},
    {kTScatter, &kIndexWidthRule,
     "4-byte data take 4-byte indices, 2- and 1-byte data 2-byte ones; the document's own examples "
     "pair float with 16-bit indices and break it",
     kTScatterDoc},
    {kMemoryOps, &kDataLayoutRule, "the tile is row-major, or NZ beside an NZ table", kTilesDoc},
    {kTScatter, &kDataLayoutRule, "tiles are row-major vector tiles", kTScatterDoc},
    {kTGatherB, &kDataLayoutRule, "the destination is row-major", kTGatherBDoc},
    {kMemoryOps, &kIndexLayoutRule, "the index tile is always row-major", kTilesDoc},
    {kTScatter | kTGatherB, &kIndexLayoutRule, "the index tile is row-major", kTScatterDoc},
    {kTScatter | kTGatherB, &kStoreLayoutRule, "tiles are row-major vector tiles", kTScatterDoc},
    {kMemoryOps, &kPairedLayoutRule,
     "a row-major tile goes with an ND table, an NZ tile with an NZ one", kTilesDoc},
    {kMemoryOps, &kIndexShapeRule,
     "Row takes a [1,R] index tile with R the data tile's valid rows, Elem one index an element",
     "MSCATTER, Mode Resolution"},
    {kMemoryOps, &kNzBlockRule,
     "an NZ table is B x BC x BR x 16 x C0 with C0 = 32 bytes of elements", kShapeDoc},
    {kMemoryOps, &kNzTileRule, "an NZ tile is made of whole 16 x C0 blocks", kShapeDoc},
    {kMemoryOps, &kNzRowRule,
     "an NZ Row moves every column of the table's row, so the tile has at least as many", kNzDoc},
    {kMemoryOps, &kRowWithinTableRule,
     "a row is no wider than the table; the device never compares them and would spill into the "
     "next",
     kLayoutDoc},
    {kMemoryOps, &kInnerStrideRule, "Row moves a row as one burst, so its elements are adjacent",
     kLayoutDoc},
    {kMemoryOps, &kEvenRowsRule,
     "Row finds slot k at k times the row stride, through all outer dimensions", kLayoutDoc},
    {kMemoryOps, &kPackedTableRule, "Elem never looks at strides, so the table is packed",
     "MSCATTER, Tile Constraints (A2/A3), Index interpretation"},
    {kMemoryOps, &kTableElementsRule,
     "Elem computes its capacity in 32 bits, so the table stays below 2^32 elements",
     "MSCATTER, Tile Constraints (A2/A3), Index interpretation"},
    {kMemoryOps, &kWidthRule,
     "the contiguous side of every tile is a whole number of 32-byte bursts", kShapeDoc},
    {kTileOps | kComm, &kWidthRule,
     "the contiguous side of every tile is a whole number of 32-byte bursts",
     "MSCATTER, Aligned vs Unaligned Tile Shapes"},
    {kComm, &kEngineRule, "the CCU engine belongs to A5",
     "TSCATTER (communication), Template Parameter"},
    {kMemoryOps, &kBudgetRule,
     "tiles share 192 KB; a kernel beyond that is done by rows, an NZ Elem by block columns, one "
     "Elem "
     "row by columns, and each part must fit",
     "MSCATTER, UB Memory Budget (A2/A3)"},
    {kTileOps | kComm, &kBudgetRule,
     "tiles share 192 KB, and this operation is never done in parts",
     "MSCATTER, UB Memory Budget (A2/A3)"},
};

}  // namespace

constinit const Profile kA2A3Profile = {
    .target = Target::A2A3,
    .title = "A2/A3",
    .device = "vector core; scalar pipe and DMA bursts, in order; 192 KB of local memory",
    .ops = by_op({
        {kScatter,
         {.dtypes = kNumbers,
          .index_dtypes = kIndex32,
          .data_layouts = kPaired,
          .index_layouts = kRowMajor,
          .table_layouts = kNdOrNz,
          .oob = {Oob::Undefined, Oob::Skip, Oob::Clamp, Oob::Wrap},
          .atomics = {{{}, kAdd, {}, {}}}}},
        {kGather,
         {.dtypes = kNumbers,
          .index_dtypes = kIndex32,
          .data_layouts = kPaired,
          .index_layouts = kRowMajor,
          .table_layouts = kNdOrNz,
          .oob = {Oob::Undefined, Oob::Clamp, Oob::Wrap, Oob::Zero}}},
        {kTScatter,
         {.dtypes = kNumbers,
          .index_dtypes = kIndex16Or32,
          .data_layouts = kRowMajor,
          .index_layouts = kRowMajor,
          .store_layouts = kRowMajor}},
        {kMask, {.data_layouts = kRowMajor, .store_layouts = kRowMajor}},
        {kTGatherB,
         {.dtypes = kNumbers,
          .index_dtypes = {DType::U32},
          .data_layouts = kRowMajor,
          .index_layouts = kRowMajor,
          .store_layouts = kRowMajor}},
        {kComm,
         {.dtypes = kNumbers, .data_layouts = kRowMajor, .table_layouts = {TableLayout::Nd}}},
    }),
    .behaviour = {.row_index = RowIndex::AlongLayout,
                  .row_width = RowWidth::WithinTable,
                  .flat_tables = FlatTables::Never,
                  .reads_row_pitch = true,
                  .wide_row_offsets = true,
                  .zero_fills_scatter = true},
    .budget = {.tile_bytes = 192 * 1024, .plain_bytes = 0, .load_rows = 4095},
    .rules = kRules,
    .notes = kA2A3Notes,
    .dialect = kA2A3Dialect,
};

}  // namespace pto::jit

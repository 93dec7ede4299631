// A5: up to 1024 lanes write at once; tables are packed ND.
#include "targets/profile.h"

#include "targets/a5/a5.h"
#include "targets/rules.h"

namespace pto::jit {
namespace {

constexpr EnumSet<DType> kMoved =
    kNumbers | EnumSet<DType>{DType::F8E4M3, DType::F8E5M2, DType::HIF8};
constexpr EnumSet<TileLayout> kRowMajor = {TileLayout::RowMajor};
constexpr EnumSet<TileLayout> kEither = {TileLayout::RowMajor, TileLayout::ColMajor};
constexpr EnumSet<DType> kAdd = {DType::I32, DType::U32, DType::F32, DType::F16, DType::BF16};
constexpr EnumSet<DType> kMax = {DType::I32, DType::U32, DType::F32};

constexpr std::string_view kTypesDoc = "MSCATTER, Tile Constraints (A5), Supported data types";
constexpr std::string_view kTilesDoc = "MSCATTER, Tile Constraints (A5), Tile and memory types";
constexpr std::string_view kShapeDoc = "MSCATTER, Tile Constraints (A5), Shape constraints";
constexpr std::string_view kTScatterDoc = "TSCATTER, Target-Profile Restrictions (A5)";
constexpr std::string_view kMaskDoc = "TSCATTER, Mask scatter checks (A5 only)";
constexpr std::string_view kTGatherBDoc = "TGATHERB, Target-Profile Restrictions (A5)";

constexpr RuleRow kRules[] = {
    {kScatter, &kAtomicRule, "add takes i32 u32 f32 f16 bf16, max and min take i32 u32 f32",
     "MSCATTER, Atomic Type Support"},
    {kMemoryOps, &kDTypeRule, "the nine number types and the three 8-bit floats are moved",
     kTypesDoc},
    {kTScatter | kMask, &kDTypeRule, "tile to tile, only the nine number types are moved",
     kTScatterDoc},
    {kTGatherB, &kDTypeRule, "tile to tile, only the nine number types are moved", kTGatherBDoc},
    {kMemoryOps, &kSameDTypeRule, "tile and table have one dtype", kTilesDoc},
    {kTScatter | kMask, &kSameDTypeRule, "source and destination have one dtype", kTScatterDoc},
    {kTGatherB, &kSameDTypeRule, "source and destination have one dtype", kTGatherBDoc},
    {kMemoryOps, &kIndexDTypeRule, "indices are 32-bit integers", kTypesDoc},
    {kTScatter, &kIndexWidthRule,
     "4-byte data take 4-byte indices, 2- and 1-byte data 2-byte ones; the document's own examples "
     "pair float with 16-bit indices and break it",
     kTScatterDoc},
    {kMemoryOps, &kDataLayoutRule,
     "tiles are row-major or column-major; NZ is not implemented on A5", kTilesDoc},
    {kTScatter | kMask, &kDataLayoutRule, "tiles are row-major vector tiles", kTScatterDoc},
    {kTGatherB, &kDataLayoutRule,
     "the destination is row-major, or column-major for single elements", kTGatherBDoc},
    {kMemoryOps, &kIndexLayoutRule, "the index tile is row-major or column-major", kTilesDoc},
    {kTScatter | kTGatherB, &kIndexLayoutRule, "the index tile is row-major", kTScatterDoc},
    {kTScatter | kMask, &kStoreLayoutRule, "tiles are row-major vector tiles", kTScatterDoc},
    {kTGatherB, &kStoreLayoutRule, "the source is read as plain bytes, row-major or column-major",
     kTGatherBDoc},
    {kMemoryOps, &kTableLayoutRule, "tables are ND; NZ data must be repacked first", kTilesDoc},
    {kMemoryOps, &kIndexShapeRule,
     "Row takes [1,R] row-major or [R,1] column-major indices with R the data tile's valid rows, "
     "Elem "
     "one index an element; the device would read a row-major [R,1] tile linearly",
     "MSCATTER, Mode Resolution"},
    {kMask, &kStoreShapeRule,
     "the destination has the source's rows and its columns times the pattern's factor", kMaskDoc},
    {kMemoryOps, &kFlatTableRule,
     "Row counts its slots in the fourth extent alone, so the outer ones are 1",
     "MSCATTER, Introduction, A5 SIMT"},
    {kMemoryOps, &kRowWidthRule, "Row steps by the tile's width, so the table is exactly as wide",
     kTilesDoc},
    {kMemoryOps, &kPackedTableRule,
     "the table is packed; the device accepts padded strides and ignores them", kTilesDoc},
    {kMemoryOps, &kTableElementsRule,
     "table offsets are computed in 32 bits, so the table stays below 2^32 elements",
     "MSCATTER, Tile Constraints (A5), Index interpretation"},
    {kMemoryOps, &kWidthRule,
     "the contiguous side of every tile is a whole number of 32-byte bursts", kShapeDoc},
    {kTileOps | kComm, &kWidthRule,
     "the contiguous side of every tile is a whole number of 32-byte bursts",
     "MSCATTER, Minimum Tile Shape"},
    {kTGatherB, &kBlockLayoutRule, "a block is 32 adjacent bytes of a row-major destination",
     kTGatherBDoc},
    {kMemoryOps, &kBudgetRule,
     "tiles share 216 KB; a kernel beyond that is done by rows, one Elem row by columns, and each "
     "part "
     "must fit",
     "MSCATTER, UB Memory Budget (A5)"},
    {kTileOps | kComm, &kBudgetRule,
     "tiles share 216 KB, and this operation is never done in parts",
     "MSCATTER, UB Memory Budget (A5)"},
};

}  // namespace

constinit const Profile kA5Profile = {
    .target = Target::A5,
    .title = "A5",
    .device = "vector core; SIMT lanes; 216 KB of local memory, 128 KB without asking",
    .ops = by_op({
        {kScatter,
         {.dtypes = kMoved,
          .index_dtypes = kIndex32,
          .data_layouts = kEither,
          .index_layouts = kEither,
          .table_layouts = {TableLayout::Nd},
          .oob = {Oob::Undefined, Oob::Skip, Oob::Clamp, Oob::Wrap},
          .atomics = {{{}, kAdd, kMax, kMax}},
          .conflicts = {Conflict::Last, Conflict::Default}}},
        {kGather,
         {.dtypes = kMoved,
          .index_dtypes = kIndex32,
          .data_layouts = kEither,
          .index_layouts = kEither,
          .table_layouts = {TableLayout::Nd},
          .oob = {Oob::Undefined, Oob::Clamp, Oob::Wrap, Oob::Zero}}},
        {kTScatter,
         {.dtypes = kNumbers,
          .index_dtypes = kIndex16Or32,
          .data_layouts = kRowMajor,
          .index_layouts = kRowMajor,
          .store_layouts = kRowMajor}},
        {kMask, {.dtypes = kNumbers, .data_layouts = kRowMajor, .store_layouts = kRowMajor}},
        {kTGatherB,
         {.dtypes = kNumbers,
          .index_dtypes = {DType::U32},
          .data_layouts = kEither,
          .index_layouts = kRowMajor,
          .store_layouts = kEither}},
        {kComm,
         {.dtypes = kMoved,
          .data_layouts = kRowMajor,
          .table_layouts = {TableLayout::Nd},
          .engines = {Engine::Aiv, Engine::Ccu}}},
    }),
    .behaviour = {.row_index = RowIndex::AlongLayout,
                  .row_width = RowWidth::TableWidth,
                  .flat_tables = FlatTables::Row,
                  .zero_fills_scatter = true},
    .budget = {.tile_bytes = 216 * 1024, .plain_bytes = 128 * 1024, .load_rows = 0},
    .rules = kRules,
    .notes = kA5Notes,
    .dialect = kA5Dialect,
};

}  // namespace pto::jit

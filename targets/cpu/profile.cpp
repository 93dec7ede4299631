// The CPU simulator, as the documents describe it: element by element, replacing, unchecked.
#include "targets/profile.h"

#include "targets/cpu/cpu.h"
#include "targets/rules.h"

namespace pto::jit {
namespace {

constexpr EnumSet<DType> kMoved = kNumbers | EnumSet<DType>{DType::F8E4M3, DType::F8E5M2};
constexpr EnumSet<TileLayout> kRowMajor = {TileLayout::RowMajor};
constexpr EnumSet<DType> kContractAdd = {DType::I32, DType::U32, DType::F32, DType::F16};
constexpr EnumSet<DType> kContractMax = {DType::I32, DType::F32};

constexpr std::string_view kScatterDoc = "MSCATTER, Tile Constraints (CPU)";
constexpr std::string_view kGatherDoc = "MGATHER, Constraints";
constexpr std::string_view kTScatterDoc = "TSCATTER, Constraints";
constexpr std::string_view kTGatherBDoc = "TGATHERB, Constraints";

constexpr RuleRow kRules[] = {
    {kMask, &kOfferedRule,
     "the mask form belongs to A5; later revisions of the ISA with a column axis or with forms for "
     "other targets are not accepted",
     "TSCATTER, Mask Scatter"},
    {kScatter, &kAtomicRule,
     "the contract offers add on i32 u32 f32 f16, max and min on i32 f32, although the simulator "
     "replaces whatever is asked",
     "MSCATTER, Atomic Type Support"},
    {kScatter, &kConflictRule, "the simulator has no conflict policy; the last writer wins",
     "MSCATTER, Conflict Resolution"},
    {kScatter, &kDTypeRule,
     "MSCATTER moves the nine number types and the two standard 8-bit floats", kScatterDoc},
    {kGather, &kDTypeRule, "MGATHER moves the nine number types and the two standard 8-bit floats",
     kGatherDoc},
    {kTScatter | kTGatherB, &kDTypeRule, "tile to tile, only the nine number types are moved",
     "TSCATTER and TGATHERB, Target-Profile Restrictions"},
    {kMemoryOps | kTScatter | kTGatherB, &kSameDTypeRule, "both ends have one dtype", kScatterDoc},
    {kMemoryOps, &kIndexDTypeRule, "indices are 32-bit integers", kScatterDoc},
    {kMemoryOps | kTileOps, &kDataLayoutRule, "the simulator knows row-major tiles only",
     kScatterDoc},
    {kIndexedOps, &kIndexLayoutRule, "the simulator knows row-major tiles only", kScatterDoc},
    {kTScatter | kTGatherB, &kStoreLayoutRule, "the simulator knows row-major tiles only",
     kTScatterDoc},
    {kMemoryOps, &kTableLayoutRule, "the simulator knows ND tables only", kScatterDoc},
    {kMemoryOps, &kRowWidthRule,
     "the simulator has no Row mode: it would read idx[r,c] beside the one column; with one valid "
     "column Row is Elem",
     "MSCATTER, CPU Reference Form"},
    {kMemoryOps, &kIndexShapeRule, "Row takes [R,1] indices, Elem one index an element",
     "MSCATTER, Tile Constraints (CPU), Shape constraints"},
    {kMemoryOps, &kPaddedRowsRule, "index tile and data tile have the same padded rows",
     "MSCATTER, Tile Constraints (CPU), Shape constraints"},
    {kMemoryOps, &kFlatTableRule, "the table is 1x1x1xRxC",
     "MSCATTER, Tile Constraints (CPU), Shape constraints"},
    {kMemoryOps, &kDataWidthRule, "a data tile's row is a whole number of 32-byte bursts",
     "MSCATTER, Tile Constraints (CPU), Shape constraints"},
    {kComm, &kEngineRule, "the CCU engine belongs to A5",
     "TSCATTER (communication), Template Parameter"},
};

}  // namespace

constinit const Profile kCpuProfile = {
    .target = Target::Cpu,
    .title = "CPU simulator",
    .device = "host memory; no pipes, no local memory",
    .ops = by_op({
        {kScatter,
         {.dtypes = kMoved,
          .index_dtypes = kIndex32,
          .data_layouts = kRowMajor,
          .index_layouts = kRowMajor,
          .table_layouts = {TableLayout::Nd},
          .oob = {Oob::Undefined, Oob::Skip, Oob::Clamp, Oob::Wrap},
          .atomics = {{{}, kContractAdd, kContractMax, kContractMax}}}},
        {kGather,
         {.dtypes = kMoved,
          .index_dtypes = kIndex32,
          .data_layouts = kRowMajor,
          .index_layouts = kRowMajor,
          .table_layouts = {TableLayout::Nd},
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
        {kComm, {.dtypes = kMoved, .data_layouts = kRowMajor, .table_layouts = {TableLayout::Nd}}},
    }),
    .behaviour = {.row_index = RowIndex::FirstColumn,
                  .row_width = RowWidth::One,
                  .flat_tables = FlatTables::Always,
                  .has_modes = false,
                  .wide_row_offsets = true,
                  .clamps_offsets = true},
    .budget = {},
    .rules = kRules,
    .notes = kCpuNotes,
    .dialect = kCpuDialect,
};

}  // namespace pto::jit

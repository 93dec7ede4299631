#include "targets/assembler.h"

#include <algorithm>

#include "targets/chunking.h"
#include "targets/dialect.h"
#include "targets/words.h"

namespace pto::jit {
namespace {

constexpr std::int32_t kMostRanks = 1024;
constexpr EnumSet<DType> kAdded = {DType::I32, DType::U32, DType::F16, DType::F32};

// A tile the assembler does not take, or none. Indices alone may lie column by column.
const Operand* foreign_layout(const KernelSpec& spec) {
  for (const Operand& operand : operands_of(spec.op)) {
    if (!is_tile(operand.role)) continue;
    const TileLayout layout = tile_of(spec, operand.role).layout;
    const bool is_index = operand.role == Role::Index && layout == TileLayout::ColMajor;
    if (layout != TileLayout::RowMajor && !is_index) return &operand;
  }
  return nullptr;
}

const Operand* tall_tile(const LegalSpec& legal) {
  const std::int64_t most = legal.profile().budget.load_rows;
  for (const Operand& operand : operands_of(legal.spec().op)) {
    if (most == 0 || !is_tile(operand.role)) continue;
    const Tile& tile = tile_of(legal.spec(), operand.role);
    if (tile.layout == TileLayout::RowMajor && tile.rows > most) return &operand;
  }
  return nullptr;
}

const Operand* runtime_table(const KernelSpec& spec) {
  for (const Operand& operand : operands_of(spec.op)) {
    if (is_tile(operand.role)) continue;
    if (std::ranges::count(table_of(spec, operand.role).shape, kRuntime) > 0) return &operand;
  }
  return nullptr;
}

const Operand* spread_rows(const KernelSpec& spec) {
  for (const Operand& operand : operands_of(spec.op)) {
    if (is_tile(operand.role)) continue;
    const Table& table = table_of(spec, operand.role);
    if (table.shape[4] != 1 && has_strides(table) && table.strides[4] != 1) return &operand;
  }
  return nullptr;
}

bool is_chunked(const LegalSpec& legal) {
  return chunking_of(legal.spec(), legal.profile())->axis != ChunkAxis::Whole;
}

// The destination is addressed as a whole, so its padded extents are its valid ones here.
bool outgrows_store(const KernelSpec& spec) {
  return spec.data.vr > spec.store.rows || spec.data.vc > spec.store.cols;
}

bool has_partial_group(const LegalSpec& legal) {
  const KernelSpec& spec = legal.spec();
  const std::int64_t group = legal.profile().dialect.assembler.offset_group;
  return spec.index.vc != kRuntime && spec.data.vc != kRuntime && spec.index.vc % group != 0;
}

std::string shown(const KernelSpec& spec, const Operand* operand) {
  return shown(spec, operand->role);
}

// `finding` names the offending value; empty when there is none.
struct Limit {
  std::string_view id;
  std::string (*finding)(const LegalSpec&);
  std::string_view rule;
};

constexpr Limit kLimits[] = {
    {"source.assembler.target",
     [](const LegalSpec& legal) {
       const Profile& profile = legal.profile();
       const bool is_known = !profile.dialect.assembler.arch.empty();
       return is_known ? "" : str(name_of(profile.target)) + " is no target of the PTO assembler";
     },
     "it assembles for A2/A3 and A5; name one of them"},
    {"source.assembler.audit",
     [](const LegalSpec& legal) {
       return legal.spec().audit ? "an audited kernel has no text for a device" : str("");
     },
     "an audit runs on the host: run it there, then emit the kernel without .audit"},
    {"source.assembler.dtype",
     [](const LegalSpec& legal) {
       const DType dtype = dtype_of(legal.spec(), Role::Data);
       return info_of(dtype).kind == NumberKind::Opaque
                  ? str(name_of(dtype)) + " has no name every PTO assembler knows"
                  : "";
     },
     "8-bit floats are only moved here: write the spec with u8"},
    {"source.assembler.layout",
     [](const LegalSpec& legal) {
       const Operand* tile = foreign_layout(legal.spec());
       return tile ? shown(legal.spec(), tile) + " is not row-major" : "";
     },
     "the assembler takes row-major tiles, and column-major ones only for the indices of MSCATTER "
     "and MGATHER; use the intrinsic form"},
    {"source.assembler.chunks",
     [](const LegalSpec& legal) {
       return is_chunked(legal)
                  ? "the kernel needs " + describe(*chunking_of(legal.spec(), legal.profile()))
                  : "";
     },
     "a module is one call; use the intrinsic form, which loops"},
    {"source.assembler.load_rows",
     [](const LegalSpec& legal) {
       const Operand* tile = is_chunked(legal) ? nullptr : tall_tile(legal);
       return tile ? shown(legal.spec(), tile) + " has too many rows for one load" : "";
     },
     "a load moves fewer than 4096 rows; give the tile fewer"},
    {"source.assembler.engine",
     [](const LegalSpec& legal) {
       return legal.spec().engine == Engine::Ccu ? "the assembler has no CCU engine" : str("");
     },
     "its communication runs on the vector core; leave out .ccu or use the intrinsic form"},
    {"source.assembler.ranks",
     [](const LegalSpec& legal) {
       const std::int32_t ranks = legal.spec().ranks;
       return ranks > kMostRanks ? str(ranks) + " ranks are too many to name" : "";
     },
     "a module has one argument for each rank, here at most 1024; use the intrinsic form"},
    {"source.assembler.runtime",
     [](const LegalSpec& legal) {
       const KernelSpec& spec = legal.spec();
       const Operand* table = is_collective(spec.op) ? runtime_table(spec) : nullptr;
       return table ? shown(spec, table) + " has runtime extents" : "";
     },
     "the assembler's communication takes tensors of static shape; bind them or use the intrinsic "
     "form"},
    {"source.assembler.row_stride",
     [](const LegalSpec& legal) {
       const KernelSpec& spec = legal.spec();
       const Operand* table = is_collective(spec.op) ? spread_rows(spec) : nullptr;
       return table ? "elements of a row of " + shown(spec, table) + " are not adjacent" : "";
     },
     "the stage is loaded and stored in contiguous rows; give the inner stride as 1"},
    {"source.assembler.unit",
     [](const LegalSpec& legal) {
       const KernelSpec& spec = legal.spec();
       const bool is_element = operation_of(spec.op).counts_bytes && spec.unit == Unit::Element;
       return is_element ? "tgatherb here moves single elements" : str("");
     },
     "the instruction moves a 32-byte block an offset: write tgatherb.block, or use the intrinsic "
     "form, which writes the loop out"},
    {"source.assembler.offsets",
     [](const LegalSpec& legal) {
       const KernelSpec& spec = legal.spec();
       const bool is_broken = spec.unit == Unit::Block && has_partial_group(legal);
       return is_broken ? str(spec.index.vc) + " blocks a row are no whole groups of eight" : "";
     },
     "on A2/A3 the instruction reads eight offsets at a time and writes what they name; make a "
     "row a multiple of 256 bytes"},
    {"source.assembler.shape",
     [](const LegalSpec& legal) {
       const KernelSpec& spec = legal.spec();
       return is_indexed_tile(spec.op, written_role(spec.op)) && outgrows_store(spec)
                  ? shown(spec, Role::Store) + " is smaller than " + shown(spec, Role::Data)
                  : "";
     },
     "the assembler wants a destination with at least the source's rows and columns; use the "
     "intrinsic form"},
    {"source.assembler.atomic",
     [](const LegalSpec& legal) {
       const KernelSpec& spec = legal.spec();
       const bool is_broken = spec.atomic == Atomic::Add && !kAdded.contains(spec.data.dtype);
       return is_broken ? "the assembler has no atomic add on " + str(name_of(spec.data.dtype))
                        : "";
     },
     "it adds i32, u32, f16 and f32; use the intrinsic form"},
};

}  // namespace

Diagnostics assembler_limits(const LegalSpec& legal) {
  Diagnostics out;
  for (const Limit& limit : kLimits) {
    std::string finding = limit.finding(legal);
    if (finding.empty()) continue;
    out.push_back(error(str(limit.id), std::move(finding)));
    out.back().rule = str(limit.rule);
  }
  return out;
}

}  // namespace pto::jit

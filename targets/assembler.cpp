#include "targets/assembler.h"

#include <algorithm>

#include "targets/dialect.h"
#include "targets/profile.h"
#include "targets/words.h"

namespace pto::jit {
namespace {

constexpr std::int32_t kMostRanks = 1024;
constexpr EnumSet<DType> kAdded = {DType::I32, DType::U32, DType::F16, DType::F32};

// A tile the assembler does not take, or none. Indices may lie column by column, and so may what
// byte offsets point into.
const Operand* foreign_layout(const KernelSpec& spec) {
  for (const Operand& operand : operands_of(spec.op)) {
    if (!is_tile(operand.role)) continue;
    const TileLayout layout = tile_of(spec, operand.role).layout;
    const bool takes_columns = operand.role != Role::Data && layout == TileLayout::ColMajor;
    if (layout != TileLayout::RowMajor && !takes_columns) return &operand;
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
    const bool is_known = has_strides(table) && table.strides[4] != kRuntime;
    if (table.shape[4] != 1 && is_known && table.strides[4] != 1) return &operand;
  }
  return nullptr;
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
    {"source.assembler.layout",
     [](const LegalSpec& legal) {
       const Operand* tile = foreign_layout(legal.spec());
       return tile ? shown(legal.spec(), tile) + " is not row-major" : "";
     },
     "the assembler takes column-major tiles only for indices and for the source of TGATHERB; use "
     "the intrinsic form"},
    {"source.assembler.chunks",
     [](const LegalSpec& legal) {
       const std::int64_t most = legal.profile().dialect.assembler.tile_bytes;
       const std::int64_t bytes = AssemblerExtents(legal).bytes();
       return bytes > most && most > 0
                  ? "the tiles take " + str(bytes) + " bytes, and the assembler has " + str(most)
                  : "";
     },
     "every tile begins at a multiple of 256 bytes, on A2/A3 also each row that TGATHERB writes, "
     "and a module is one call; use the intrinsic form, which packs its tiles and loops"},
    {"source.assembler.load_rows",
     [](const LegalSpec& legal) {
       const Operand* tile = tall_tile(legal);
       return tile ? shown(legal.spec(), tile) + " has too many rows for one load" : "";
     },
     "a load moves fewer than 4096 rows, and a module is one call; use the intrinsic form, which "
     "loops over rows of MSCATTER and MGATHER"},
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

bool leaves_writes_cached(const LegalSpec& legal) {
  const KernelSpec& spec = legal.spec();
  if (family_of(spec.op) != Family::Memory || is_tile(written_role(spec.op))) return false;
  const bool is_row = spec.coalesce == Coalesce::Row;
  const Syncs last =
      legal.profile().dialect.waits(is_row ? SyncShape::ScatterRow : SyncShape::ScatterElem).last;
  return std::ranges::count(last, SyncKind::Flush, &Sync::kind) > 0;
}

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

// Modules for the PTO assembler: goldens, what every module keeps, and what cannot be expressed.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <iostream>
#include <map>
#include <set>

#include "ir/mnemonic.h"
#include "ir/operands.h"
#include "ir/spec_text.h"
#include "jit/text/assembler/assembler_text.h"
#include "tests/source/module_checker.h"
#include "tests/support/golden.h"
#include "tests/support/grid.h"

namespace pto::jit::tests {
namespace {

struct GoldenModule {
  const char* file;
  const char* spec;
};

constexpr GoldenModule kGoldens[] = {
    {"row_clamp_f32", "a5:mscatter.row.clamp src=f32[8x32] idx=i32[1x8] table=f32[64x32]"},
    {"row_last_column_f16",
     "a5:mscatter.row.clamp src=f16[8x64] idx=i32[8x1]:cm table=f16[65536x64]"},
    {"row_runtime_a5",
     "a5:mscatter.row.wrap src=f32[64x32|?x32] idx=i32[1x64|1x?] table=f32[?x32]"},
    {"row_mixed_runtime_a5",
     "a5:mscatter.row.skip src=f32[8x32|?x?] idx=u32[1x8] table=f32[64x32]"},
    {"elem_default_f32", "a5:mscatter.elem.default src=f32[8x32] idx=i32[8x32] table=f32[256]"},
    {"elem_atomic_max_u32",
     "a5:mscatter.elem.skip.atomic_max src=u32[8x32] idx=i32[8x32]:cm table=u32[256]"},
    {"elem_column_padded_f32",
     "a5:mscatter.elem src=f32[8x8|5x8] idx=i32[8x8|5x8]:cm table=f32[256]"},
    {"elem_blocks_f16", "a5:mscatter.elem src=f16[8x16] idx=i32[8x16] table=f16[16x16x4]"},
    {"row_small_float", "a5:mscatter.row.skip src=hif8[8x32] idx=i32[1x8] table=hif8[64x32]"},
    {"elem_large_a5", "a5:mscatter.elem src=f16[999x32] idx=i32[999x32] table=f16[256]"},
    {"elem_scalar", "a5:mscatter.elem src=f32[1x8|1x1] idx=i32[1x8|1x1] table=f32[32]"},
    {"row_padded_a2a3",
     "a2a3:mscatter.row src=f32[16x32|9x32] idx=i32[1x16|1x9] table=f32[64x32@40x1]"},
    {"row_outer_rows_a2a3",
     "a2a3:mscatter.row.atomic_add src=f16[8x32] idx=i32[1x8] table=f16[4x16x1x32@640x40x1x1]"},
    {"elem_runtime_a2a3",
     "a2a3:mscatter.elem.skip.atomic_add src=f32[8x32|?x?] idx=i32[8x32|?x?] table=f32[?x?x?]"},
    {"row_runtime_strides_a2a3", "a2a3:mscatter.row src=u8[8x32] idx=i32[1x8] table=u8[?x?@?x?]"},
    {"gather_row_zero_a2a3", "a2a3:mgather.row.zero dst=f16[32x64] idx=i32[1x32] table=f16[64x64]"},
    {"gather_elem_wrap_a5", "a5:mgather.elem.wrap dst=i8[4x32] idx=u32[4x32] table=i8[2x3x64]"},
    {"gather_row_runtime_a5",
     "a5:mgather.row.clamp dst=bf16[16x16|?x16] idx=i32[16x1|?x1]:cm table=bf16[?x16]"},
    {"tile_scatter_f32", "a5:tscatter src=f32[16x16] idx=i32[16x16] dst=f32[16x16]"},
    {"tile_scatter_flat_f32", "a5:tscatter src=f32[16x16] idx=i32[16x16] dst=f32[1x256]"},
    {"tile_scatter_valid_u8",
     "a2a3:tscatter src=u8[4x32|3x17] idx=u16[4x32|3x17] dst=u8[4x64|2x9]"},
    {"mask_p1010_f16", "a5:tscatter.p1010 src=f16[16x64] dst=f16[16x128]"},
    {"mask_move_i16", "a5:tscatter.p1111 src=i16[9x16] dst=i16[9x32|9x16]"},
    {"mask_padded_f32", "a5:tscatter.p0001 src=f32[8x16|7x16] dst=f32[8x64|7x64]"},
    {"mask_runtime_i16", "a5:tscatter.p0100 src=i16[8x16|?x?] dst=i16[8x64|?x?]"},
    {"offsets_f32_a2a3", "a2a3:tgatherb.block src=f32[4x64] offset=u32[2x8] dst=f32[2x64]"},
    {"offsets_partial_f32_a2a3",
     "a2a3:tgatherb.block src=f32[8x64] offset=u32[4x16|4x12] dst=f32[4x96]"},
    {"offsets_runtime_u8_a2a3",
     "a2a3:tgatherb.block src=u8[4x64] offset=u32[2x16|?x?] dst=u8[2x480|?x?]"},
    {"offsets_column_f16_a5",
     "a5:tgatherb.block src=f16[32x33]:cm offset=u32[8x8|8x2] dst=f16[8x32]"},
    {"offsets_runtime_u16_a5",
     "a5:tgatherb.block src=u16[4x64] offset=u32[2x8|?x?] dst=u16[2x64|?x?]"},
    {"group_single",
     "a2a3:comm.tscatter src=f32[64x32] dst=f32[16x32] stage=f32[16x64] ranks=4 "
     "root=1"},
    {"group_pingpong",
     "a5:comm.tscatter.pingpong src=f32[64x32] dst=f32[16x32@40x1] "
     "stage=f32[8x32|?x?] ranks=4 root=0"},
};

Result<std::string> module_of(const KernelSpec& spec) {
  const Result<LegalSpec> legal = verify(spec);
  if (!legal) return legal.error();
  Result<AssemblerModule> module = assembler_module(*legal);
  if (!module) return module.error();
  return std::move(module->text);
}

std::string replay(const KernelSpec& spec) {
  return "ptojit emit --form pto-as '" + print(spec) + "'";
}

TEST(Assembler, ModulesMatchTheirGoldens) {
  for (const GoldenModule& golden : kGoldens) {
    const Result<KernelSpec> spec = parse(golden.spec);
    ASSERT_TRUE(spec) << golden.spec;
    const Result<std::string> text = module_of(*spec);
    ASSERT_TRUE(text) << render(text.error());
    EXPECT_TRUE(matches_golden("assembler/" + std::string(golden.file) + ".mlir", *text));
    EXPECT_EQ(read_module(*text).problem, "") << golden.spec;
  }
}

// The reasons for a refusal, written once more from what the public assembler accepts.
using Predicate = std::function<bool(const KernelSpec&)>;

bool any_tile(const KernelSpec& spec, const std::function<bool(Role, const Tile&)>& is_found) {
  for (const Role role : {Role::Data, Role::Index, Role::Store}) {
    if (has_role(spec.op, role) && is_found(role, tile_of(spec, role))) return true;
  }
  return false;
}

bool is_block_gather(const KernelSpec& spec) {
  return spec.op == Op::TGatherB && spec.unit == Unit::Block;
}

// A row that A2/A3 does not gather in whole repeats of 256 bytes.
bool has_ragged_row(const KernelSpec& spec) {
  const std::int64_t bytes = spec.data.vc * size_of(spec.data.dtype);
  return spec.target == Target::A2A3 && is_block_gather(spec) &&
         (spec.data.vc == kRuntime || bytes % 256 != 0);
}

constexpr std::int64_t up_to_256(std::int64_t bytes) { return (bytes + 255) / 256 * 256; }

// Every tile begins at a multiple of 256 bytes; ragged rows are padded to one.
std::int64_t placed_bytes(const KernelSpec& spec) {
  std::int64_t sum = 0;
  any_tile(spec, [&](Role role, const Tile& tile) {
    std::int64_t row = std::int64_t{tile.cols} * size_of(tile.dtype);
    if (role == Role::Data && has_ragged_row(spec)) row = up_to_256(row);
    sum += up_to_256(row * tile.rows);
    return false;
  });
  return spec.staging == Staging::PingPong ? 2 * sum : sum;
}

bool has_runtime_extent(const Table& table) {
  for (const std::int32_t extent : table.shape) {
    if (extent == kRuntime) return true;
  }
  return false;
}

bool has_spread_row(const Table& table) {
  return has_strides(table) && table.shape[4] != 1 && table.strides[4] > 1;
}

const std::map<std::string, Predicate>& reasons() {
  static const std::map<std::string, Predicate> all = {
      {"source.assembler.target", [](const KernelSpec& s) { return s.target == Target::Cpu; }},
      {"source.assembler.audit", [](const KernelSpec& s) { return s.audit; }},
      {"source.assembler.layout",
       [](const KernelSpec& s) {
         return any_tile(s, [](Role role, const Tile& tile) {
           return tile.layout == TileLayout::Nz ||
                  (tile.layout == TileLayout::ColMajor && role == Role::Data);
         });
       }},
      {"source.assembler.chunks",
       [](const KernelSpec& s) {
         const std::int64_t most = s.target == Target::A5 ? 253952 : 196608;
         return s.target != Target::Cpu && placed_bytes(s) > most;
       }},
      {"source.assembler.load_rows",
       [](const KernelSpec& s) {
         const auto is_tall = [](Role, const Tile& tile) {
           return tile.layout == TileLayout::RowMajor && tile.rows >= 4096;
         };
         return s.target == Target::A2A3 && any_tile(s, is_tall);
       }},
      {"source.assembler.engine", [](const KernelSpec& s) { return s.engine == Engine::Ccu; }},
      {"source.assembler.ranks", [](const KernelSpec& s) { return s.ranks > 1024; }},
      {"source.assembler.runtime",
       [](const KernelSpec& s) {
         return s.op == Op::CommTScatter &&
                (has_runtime_extent(s.table) || has_runtime_extent(s.peer));
       }},
      {"source.assembler.row_stride",
       [](const KernelSpec& s) {
         return s.op == Op::CommTScatter && (has_spread_row(s.table) || has_spread_row(s.peer));
       }},
      {"source.assembler.unit",
       [](const KernelSpec& s) { return s.op == Op::TGatherB && s.unit == Unit::Element; }},
      {"source.assembler.atomic",
       [](const KernelSpec& s) {
         const DType dtype = s.data.dtype;
         return s.atomic == Atomic::Add &&
                (dtype == DType::I8 || dtype == DType::I16 || dtype == DType::BF16);
       }},
  };
  return all;
}

std::set<std::string> predicted(const KernelSpec& spec) {
  std::set<std::string> out;
  for (const auto& [id, holds] : reasons()) {
    if (holds(spec)) out.insert(id);
  }
  return out;
}

std::set<std::string> ids_of(const Result<std::string>& text) {
  std::set<std::string> out;
  if (text) return out;
  for (const Diagnostic& diagnostic : text.error()) {
    EXPECT_FALSE(diagnostic.message.empty() || diagnostic.rule.empty()) << diagnostic.id;
    out.insert(diagnostic.id);
  }
  return out;
}

std::string enumerator(std::string_view kind, std::string_view value) {
  return "#pto<" + std::string(kind) + " " + std::string(value) + ">";
}

// Every policy of the spec, by the names the assembler gives them.
std::map<std::string, std::string> expected_policies(const KernelSpec& spec) {
  std::map<std::string, std::string> out;
  if (has_suffix(spec.op, SuffixKind::Coalesce))
    out["coalesce"] = enumerator("coalesce", name_of(spec.coalesce));
  if (spec.op == Op::MGather) out["gatherOob"] = enumerator("gather_oob", name_of(spec.oob));
  if (spec.op == Op::CommTScatter) out["root"] = std::to_string(spec.root) + " : i32";
  if (spec.op == Op::TScatterMask) {
    out["maskPattern"] = "#pto.mask_pattern<P" + std::string(name_of(spec.mask)).substr(1) + ">";
    out["axis"] = "\"row\"";
  }
  if (spec.op != Op::MScatter) return out;
  out["scatterOob"] = enumerator("scatter_oob", name_of(spec.oob));
  out["scatterAtomicOp"] = enumerator("scatter_atomic_op", name_of(spec.atomic));
  if (spec.target != Target::A5) return out;
  const bool is_any = spec.conflict == Conflict::Default || spec.atomic != Atomic::None;
  out["scatterConflict"] = enumerator("scatter_conflict", is_any ? "default" : "last");
  return out;
}

// Whether the stored part of a tile is another than what is valid of it at the call.
bool is_reshaped(const KernelSpec& spec) {
  const Tile& dst = spec.store;
  if (spec.op == Op::TScatterMask && spec.mask == MaskPattern::P1111) return false;
  if (spec.op == Op::TScatterMask) return dst.vr != dst.rows || dst.vc != dst.cols;
  return has_ragged_row(spec);
}

// Loads before the operation, stores after it, and a flush of what was written through the cache.
std::vector<std::string> expected_operations(const KernelSpec& spec) {
  const bool is_burst = spec.target == Target::A2A3 && spec.coalesce == Coalesce::Row;
  std::vector<std::string> out;
  if (spec.op != Op::CommTScatter) out.push_back("pto.tload");
  if (has_role(spec.op, Role::Index) && spec.op != Op::MGather) out.push_back("pto.tload");
  out.push_back("pto." + std::string(name_of(spec.op)));
  if (spec.op == Op::CommTScatter || (spec.op == Op::MScatter && is_burst)) return out;
  if (spec.op == Op::MScatter) {
    out.insert(out.end(), {"pto.fence.barrier_all", "pto.cmo.cacheinvalid"});
    out.push_back("pto.fence.barrier_all");
    return out;
  }
  if (is_reshaped(spec)) out.push_back("pto.set_validshape");
  out.push_back("pto.tstore");
  return out;
}

// Whether the kernel may be called with a table without slots, and must then do nothing.
bool is_guarded(const KernelSpec& spec) {
  if (spec.op != Op::MScatter && spec.op != Op::MGather) return false;
  if (spec.oob == Oob::Skip || spec.oob == Oob::Zero) return false;
  const std::size_t counted = spec.coalesce == Coalesce::Row ? 4 : 5;
  const auto& shape = spec.table.shape;
  const std::size_t first = spec.target == Target::A5 && counted == 4 ? 3 : 0;
  return std::count(shape.begin() + first, shape.begin() + counted, kRuntime) > 0;
}

std::vector<std::string> names_of_steps(const ModuleFacts& facts) {
  std::vector<std::string> out;
  for (const StepFacts& step : facts.steps) out.push_back(step.name);
  return out;
}

void expect_well_formed(const KernelSpec& spec, const std::string& text) {
  const ModuleFacts facts = read_module(text);
  EXPECT_EQ(facts.problem, "") << replay(spec);
  EXPECT_EQ(facts.arch, spec.target == Target::A5 ? "\"a5\"" : "\"a3\"") << replay(spec);
  EXPECT_EQ(facts.policies, expected_policies(spec)) << replay(spec);
  EXPECT_EQ(names_of_steps(facts), expected_operations(spec)) << replay(spec);
  EXPECT_EQ(!facts.guard.empty(), is_guarded(spec)) << replay(spec);
  EXPECT_EQ(module_of(spec).has_value() ? *module_of(spec) : "", text) << replay(spec);
}

TEST(Assembler, EveryLegalSpecOfTheGridIsAWellFormedModuleOrRefusedForAKnownReason) {
  std::map<std::string, int> counts;
  for (const KernelSpec& spec : legal_grid()) {
    const Result<std::string> text = module_of(spec);
    ASSERT_EQ(ids_of(text), predicted(spec)) << replay(spec);
    for (const std::string& id : ids_of(text)) ++counts[id];
    if (!text) continue;
    ++counts["written"];
    expect_well_formed(spec, *text);
    if (HasFailure()) break;
  }
  for (const auto& [id, count] : counts) std::cout << "  " << count << " " << id << "\n";
  EXPECT_GT(counts["written"], 1000);
}

// One spec for each reason, none of which has a second.
constexpr const char* kRefused[][2] = {
    {"source.assembler.target", "cpu:mscatter.elem src=f32[8x32] idx=i32[8x32] table=f32[256]"},
    {"source.assembler.audit", "a5:mscatter.row.audit src=f32[8x32] idx=i32[1x8] table=f32[64x32]"},
    {"source.assembler.layout",
     "a2a3:mgather.row.zero dst=f16[32x64]:nz idx=i32[1x32] table=f16[4x2x16x16]:nz"},
    {"source.assembler.layout", "a5:mscatter.elem src=f32[8x32]:cm idx=i32[8x32] table=f32[256]"},
    {"source.assembler.chunks", "a5:mscatter.elem src=f32[4096x8] idx=i32[4096x8] table=f32[256]"},
    {"source.assembler.load_rows", "a2a3:tscatter src=u8[8x32] idx=u16[8x32] dst=u8[4096x32]"},
    {"source.assembler.engine",
     "a5:comm.tscatter.ccu src=f32[64x32] dst=f32[16x32] stage=f32[8x32] ranks=4 root=0"},
    {"source.assembler.ranks",
     "a5:comm.tscatter src=f32[2000x32] dst=f32[1x32] stage=f32[8x32] ranks=2000 root=0"},
    {"source.assembler.runtime",
     "a5:comm.tscatter src=f32[?x32] dst=f32[16x32] stage=f32[8x32] ranks=4 root=0"},
    {"source.assembler.row_stride",
     "a5:comm.tscatter src=f32[64x32@64x2] dst=f32[16x32] stage=f32[8x32] ranks=4 root=0"},
    {"source.assembler.unit", "a5:tgatherb src=u8[1x256] offset=u32[1x256] dst=u8[1x256]"},
    {"source.assembler.atomic",
     "a2a3:mscatter.row.atomic_add src=bf16[8x32] idx=i32[1x8] table=bf16[64x32]"},
};

TEST(Assembler, RefusesWhatItCannotExpressAndSaysWhy) {
  std::set<std::string> seen;
  std::string all;
  for (const auto& [id, text] : kRefused) {
    const Result<KernelSpec> spec = parse(text);
    ASSERT_TRUE(spec) << text;
    const Result<std::string> module = module_of(*spec);
    ASSERT_FALSE(module) << text;
    EXPECT_EQ(ids_of(module), std::set<std::string>{id}) << text;
    EXPECT_EQ(predicted(*spec), std::set<std::string>{id}) << text;
    seen.insert(id);
    all += std::string(text) + "\n" + render(module.error()) + "\n";
  }
  EXPECT_EQ(seen.size(), reasons().size());
  EXPECT_TRUE(matches_golden("assembler/refusals.txt", all));
}

}  // namespace
}  // namespace pto::jit::tests

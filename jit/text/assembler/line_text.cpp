#include "jit/text/assembler/line_text.h"

#include <array>
#include <cstdio>

#include "ir/mnemonic.h"
#include "jit/text/assembler/mlir_types.h"
#include "targets/chunking.h"
#include "targets/dialect.h"

namespace pto::jit {
namespace {

constexpr std::size_t kLevels = 3;
constexpr std::array<std::string_view, kLevels> kLevelNames = {"sync", "ssa", "dps"};

// The spellings of an operation by level; empty where its document has none. What stands in braces
// is a type or a name of the spec: {name} its mnemonic, {src} a tile as "!pto.tile" holds it,
// {src:buf} its buffer type, {dst:record} its eight fields, {table} a shape.
struct Spellings {
  Op op;
  std::array<std::string_view, kLevels> lines;
  std::string_view plain = {};  // the synchronous one where the instruction has no modes
};

constexpr std::array<Spellings, kOps> kSpellings = {{
    {Op::MScatter,
     {"{name} %table, %src, %idx : (!pto.memref<{table}>, !pto.tile<{src}>, !pto.tile<{idx}>)",
      "pto.mscatter %src, %idx, %mem : (!pto.tile<{src}>, !pto.tile<{idx}>, "
      "!pto.partition_tensor_view<{table}>) -> ()",
      "pto.mscatter ins(%src, %idx : {src:buf}, {idx:buf}) "
      "outs(%mem : !pto.partition_tensor_view<{table}>)"},
     // Its document lists these types in another order than the operands.
     "mscatter %src, %mem, %idx : !pto.memref<{table}>, !pto.tile<{src}>, !pto.tile<{idx}>"},
    {Op::MGather,
     {"%dst = mgather %mem, %idx : !pto.memref<{table}>, !pto.tile<{idx}> -> !pto.tile<{dst}>",
      "%dst = pto.mgather %mem, %idx : (!pto.partition_tensor_view<{table}>, pto.tile<{idx}>) "
      "-> !pto.tile<{dst:record}>",
      "pto.mgather ins(%mem, %idx : !pto.partition_tensor_view<{table}>, {idx:buf}) "
      "outs(%dst : {dst:buf})"}},
    {Op::TScatter,
     {"%dst = tscatter %src, %idx : !pto.tile<{src}>, !pto.tile<{idx}> -> !pto.tile<{dst}>",
      "%dst = pto.tscatter %src, %idx : (!pto.tile<{src}>, !pto.tile<{idx}>) -> !pto.tile<{dst}>",
      "pto.tscatter ins(%src, %idx : {src:buf}, {idx:buf}) outs(%dst : {dst:buf})"}},
    {Op::TScatterMask, {}},
    {Op::TGatherB,
     {"%dst = tgatherb %src, %offsets : !pto.tile<{src}> -> !pto.tile<{dst}>",
      "%dst = pto.tgatherb %src, %offsets : (!pto.tile<{src}>, !pto.tile<{offset}>) "
      "-> !pto.tile<{dst}>",
      "pto.tgatherb ins(%src, %offsets : {src:buf}, {offset:buf}) outs(%dst : {dst:buf})"}},
    {Op::CommTScatter,
     {"pto.tscatter %group, %src : (!pto.group<{ranks}, {dst}>, !pto.memref<{src}>)", "", ""}},
}};

const Spellings& spellings_of(Op op) { return kSpellings[static_cast<std::size_t>(op)]; }

std::string_view spelling_of(const LegalSpec& legal, LineLevel level) {
  const Spellings& spellings = spellings_of(legal.spec().op);
  const bool is_plain = level == LineLevel::Sync && !legal.profile().behaviour.has_modes;
  if (is_plain && !spellings.plain.empty()) return spellings.plain;
  return spellings.lines[static_cast<std::size_t>(level)];
}

// What a field in braces stands for.
std::string field(const KernelSpec& spec, std::string_view text) {
  if (text == "name") return mnemonic(spec);
  if (text == "ranks") return std::to_string(spec.ranks);
  const std::size_t colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  for (const Operand& operand : operands_of(spec.op)) {
    if (operand.name != name) continue;
    if (!is_tile(operand.role)) return shaped(table_of(spec, operand.role));
    const Tile& tile = tile_of(spec, operand.role);
    if (colon == std::string_view::npos) return tile_fields(tile);
    return text.ends_with(":buf") ? tile_buf_type(tile) : tile_record(tile);
  }
  return {};
}

std::string filled(const KernelSpec& spec, std::string_view pattern) {
  std::string out;
  while (!pattern.empty()) {
    const std::size_t open = pattern.find('{');
    out.append(pattern.substr(0, open));
    if (open == std::string_view::npos) break;
    const std::size_t close = pattern.find('}', open);
    out += field(spec, pattern.substr(open + 1, close - open - 1));
    pattern.remove_prefix(close + 1);
  }
  return out;
}

// The policies a spelling leaves out. Row and elem show in the types, and so does the unit.
std::string unsaid(const LegalSpec& legal, std::string_view spelling) {
  const KernelSpec& spec = legal.spec();
  if (spelling.starts_with("{name}")) return "";
  std::string words;
  for (const Suffix& suffix : all_suffixes()) {
    if (suffix.kind == SuffixKind::Coalesce || suffix.kind == SuffixKind::Unit) continue;
    if (!has_suffix(spec.op, suffix.kind)) continue;
    if (suffix_value(spec, suffix.kind) != suffix.value) continue;
    words.append(words.empty() ? "" : ", ").append(suffix.word);
  }
  return words.empty() ? "" : "# not said by this spelling: " + words + "\n";
}

// The name a tile has in the lines of its operation.
std::string line_name(Op op, const Operand& operand) {
  const bool is_offset = operation_of(op).counts_bytes && operand.role == Role::Index;
  return "%" + std::string(operand.name) + (is_offset ? "s" : "");
}

// Only tiles that the line names can be placed; the stage of the communication form is not.
std::string assignments(const KernelSpec& spec) {
  std::string out;
  for (const Operand& operand : operands_of(spec.op)) {
    if (!is_tile(operand.role) || !has_memory(spec.op, operand.role)) continue;
    std::array<char, 24> offset{};
    std::snprintf(offset.data(), offset.size(), "0x%04llx",
                  static_cast<unsigned long long>(tile_offset(spec, operand.role)));
    out += "pto.tassign " + line_name(spec.op, operand) + ", @tile(" + offset.data() + ")\n";
  }
  return out;
}

std::string levels_of(Op op) {
  std::string out;
  for (std::size_t level = 0; level < kLevels; ++level) {
    if (spellings_of(op).lines[level].empty()) continue;
    out.append(out.empty() ? "" : ", ").append(kLevelNames[level]);
  }
  return out;
}

Diagnostic refusal(std::string id, std::string message, std::string rule) {
  Diagnostic out = error(std::move(id), std::move(message));
  out.rule = std::move(rule);
  return out;
}

Diagnostic no_such_level(const KernelSpec& spec, LineLevel level) {
  const std::string name = mnemonic(spec);
  const std::string levels = levels_of(spec.op);
  return refusal(
      "source.line.level",
      name + " has no " + std::string(kLevelNames[static_cast<std::size_t>(level)]) + " spelling",
      levels.empty() ? "its document spells it in C++ only; use the pto-as form"
                     : "its document has: " + levels);
}

// What keeps the text from placing the tiles; no diagnostic has an empty id.
Diagnostic placement_problem(const LegalSpec& legal) {
  const Profile& profile = legal.profile();
  const std::int64_t most = profile.dialect.placed_bytes;
  const std::int64_t bytes = footprint(legal.spec());
  if (most > 0 && bytes > most) {
    return refusal("source.placement", "the tiles take " + std::to_string(bytes) + " bytes",
                   "a text places up to " + std::to_string(most) +
                       " bytes here; leave the placement out, or ask for auto");
  }
  const Chunking chunking = *chunking_of(legal.spec(), profile);
  if (chunking.axis == ChunkAxis::Whole) return {};
  return refusal("source.line.chunks", "the kernel needs " + describe(chunking),
                 "its tiles cannot be placed at once; ask for auto or use the intrinsic form");
}

}  // namespace

Result<std::string> assembly_line(const LegalSpec& legal, LineLevel level, Placement placement) {
  const KernelSpec& spec = legal.spec();
  if (spec.audit) {
    return refusal("source.line.audit", "an audited kernel has no text for a device",
                   "an audit runs on the host: run it there, then emit the kernel without .audit");
  }
  const std::string_view spelling = spelling_of(legal, level);
  if (spelling.empty()) return no_such_level(spec, level);
  std::string placed;
  if (placement == Placement::Manual) {
    Diagnostic problem = placement_problem(legal);
    if (!problem.id.empty()) return problem;
    placed = assignments(spec);
  }
  return unsaid(legal, spelling) + placed + filled(spec, spelling) + "\n";
}

}  // namespace pto::jit

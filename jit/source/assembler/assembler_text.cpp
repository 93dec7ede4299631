#include "jit/source/assembler/assembler_text.h"

#include <optional>
#include <vector>

#include "ir/mnemonic.h"
#include "ir/spec_text.h"
#include "jit/source/assembler/mlir_types.h"
#include "jit/source/assembler/mlir_values.h"
#include "targets/assembler.h"
#include "targets/dialect.h"
#include "targets/source_words.h"

namespace pto::jit {
namespace {

// A value of the module by name and type.
struct Named {
  std::string name;
  std::string type;
};

// A rectangle of global memory.
struct View {
  std::string pointer;
  DType dtype = DType::I8;
  std::string_view layout = "nd";
  std::vector<Amount> extents = {};
  std::vector<Amount> strides = {};
  std::vector<std::int64_t> in_type =
      {};  // the extents, runtime where the type does not state them
};

template <class Range, class Print>
std::string joined(const Range& range, Print&& print) {
  std::string out;
  for (const auto& item : range) out += (out.empty() ? "" : ", ") + print(item);
  return out;
}

std::string word(std::string_view kind, std::string_view value) {
  return "#pto<" + std::string(kind) + " " + std::string(value) + ">";
}

class Module {
 public:
  explicit Module(const LegalSpec& legal)
      : spec_(legal.spec()), profile_(legal.profile()), extents_(legal), values_(spec_.op) {}

  std::string text() {
    gap();
    is_collective(spec_.op) ? write_group() : write_instruction();
    const std::string definitions = values_.definitions();
    return "// " + mnemonic(spec_) + " on " + std::string(profile_.title) +
           " as a module of the PTO assembler, from the spec\n// " + print(spec_) +
           "\nmodule attributes {pto.target_arch = \"" +
           std::string(profile_.dialect.assembler.arch) + "\"} {\n  func.func @" +
           kernel_name(spec_) + "(" + arguments() +
           ")\n      attributes {pto.entry, pto.kernel_kind = #pto.kernel_kind<vector>} {\n" +
           definitions + body_ + "    return\n  }\n}\n";
  }

 private:
  void line(const std::string& text) { body_ += "    " + text + "\n"; }
  void gap() { body_ += "\n"; }

  Amount extent(Role role, int dim) const { return extents_.of(first_extent(role) + dim); }

  std::int64_t type_extent(Role role, int dim) const {
    const bool is_stated = extents_.is_in_type(first_extent(role) + dim);
    return is_stated ? extent(role, dim).factor : kRuntime;
  }

  std::vector<std::string> pointers() const {
    std::vector<std::string> out;
    for (const Operand& operand : operands_of(spec_.op)) {
      const std::string name = "%" + std::string(operand.name);
      const std::string type =
          ": !pto.ptr<" + std::string(element_type(dtype_of(spec_, operand.role))) + ">";
      if (operand.role == Role::Peer) {
        for (int rank = 0; rank < spec_.ranks; ++rank)
          out.push_back(name + std::to_string(rank) + type);
      } else if (has_memory(spec_.op, operand.role)) {
        out.push_back(name + type);
      }
    }
    return out;
  }

  std::string arguments() const {
    std::vector<std::string> all = pointers();
    for (const Dim dim : values_.runtime()) all.push_back(values_.argument(dim) + ": index");
    return joined(all, [](const std::string& argument) { return argument; });
  }

  // A view of memory and the partition of it that operations take: all of it.
  Named part_of(const View& view) {
    const auto value = [&](const Amount& amount) { return values_.of(amount); };
    const auto zero = [&](const Amount&) { return values_.of(0); };
    const std::vector<std::int64_t> open(view.extents.size(), kRuntime);
    const std::string whole = "!pto.tensor_view<" + shaped(open, view.dtype) + ">";
    const Named part = {view.pointer + "_part",
                        "!pto.partition_tensor_view<" + shaped(view.in_type, view.dtype) + ">"};
    const std::string sizes = joined(view.extents, value);
    line(view.pointer + "_view = pto.make_tensor_view " + view.pointer + ", shape = [" + sizes +
         "], strides = [" + joined(view.strides, value) + "]");
    line("    {layout = #pto.layout<" + std::string(view.layout) + ">} : " + whole);
    line(part.name + " = pto.partition_view " + view.pointer + "_view, offsets = [" +
         joined(view.extents, zero) + "], sizes = [" + sizes + "]");
    line("    : " + whole + " -> " + part.type);
    return part;
  }

  // The stride of a dimension. One of extent one is never stepped along, but by rows the device
  // takes its pitch from the fourth, also where the rows are counted further out.
  Amount stride(Role role, int dim) const {
    const Table& table = table_of(spec_, role);
    if (has_strides(table) && !extent(role, dim).is(1))
      return extents_.of(first_stride(role) + dim);
    for (int outer = dim - 1; has_strides(table) && dim == 3 && outer >= 0; --outer) {
      if (!extent(role, outer).is(1)) return stride(role, outer);
    }
    return dim == 4 ? Amount(1) : stride(role, dim + 1) * extent(role, dim + 1);
  }

  Named table_part(Role role, const std::string& pointer) {
    View view{.pointer = pointer, .dtype = dtype_of(spec_, role)};
    for (int dim = first_written(table_of(spec_, role)); dim < 5; ++dim) {
      view.extents.push_back(extent(role, dim));
      view.strides.push_back(stride(role, dim));
      view.in_type.push_back(type_extent(role, dim));
    }
    return part_of(view);
  }

  Named table_part(Role role) {
    return table_part(role, "%" + std::string(operand_name(spec_.op, role)));
  }

  // A tile as the module declares it, valid extents in the type where they can be.
  Tile declared(Role role) const {
    Tile tile = tile_of(spec_, role);
    const bool is_whole = is_indexed_tile(spec_.op, role);
    tile.vr = is_whole ? tile.rows : static_cast<std::int32_t>(type_extent(role, 0));
    tile.vc = is_whole ? tile.cols : static_cast<std::int32_t>(type_extent(role, 1));
    return tile;
  }

  Named tile_part(Role role) {
    const Tile tile = declared(role);
    const bool lies = tile.layout == TileLayout::RowMajor;
    const bool is_whole = is_indexed_tile(spec_.op, role);
    return part_of({.pointer = "%" + std::string(operand_name(spec_.op, role)),
                    .dtype = tile.dtype,
                    .layout = lies ? "nd" : "dn",
                    .extents = {is_whole ? Amount(tile.rows) : extent(role, 0),
                                is_whole ? Amount(tile.cols) : extent(role, 1)},
                    .strides = {lies ? tile.cols : 1, lies ? 1 : tile.rows},
                    .in_type = {tile.vr, tile.vc}});
  }

  Named tile(Role role, const std::string& name) {
    const Tile declaration = declared(role);
    const Named out = {"%" + name + "_tile", tile_buf_type(declaration)};
    std::string valid;
    if (declaration.vr == kRuntime) valid += " valid_row = " + values_.of(extent(role, 0));
    if (declaration.vc == kRuntime) valid += " valid_col = " + values_.of(extent(role, 1));
    line(out.name + " = pto.alloc_tile" + valid + " : " + out.type);
    return out;
  }

  Named tile(Role role) { return tile(role, std::string(operand_name(spec_.op, role))); }

  Named loaded(Role role) {
    const Named part = tile_part(role);
    const Named out = tile(role);
    line("pto.tload ins(" + part.name + " : " + part.type + ")");
    line("    outs(" + out.name + " : " + out.type + ")");
    gap();
    return out;
  }

  void store(const Named& from, const Named& to) {
    gap();
    line("pto.tstore ins(" + from.name + " : " + from.type + ")");
    line("    outs(" + to.name + " : " + to.type + ")");
  }

  std::string coalesce() const { return "coalesce = " + word("coalesce", name_of(spec_.coalesce)); }

  // Beside an atomic every writer counts; there the assembler's library wants `default`.
  std::string conflict() const {
    if (profile_.of(spec_.op).conflicts.empty()) return "";
    const bool is_last = spec_.atomic == Atomic::None && spec_.conflict != Conflict::Default;
    const Conflict stated = is_last ? Conflict::Last : Conflict::Default;
    return ", scatterConflict = " + word("scatter_conflict", name_of(stated));
  }

  // The attributes of an instruction, in braces; nothing where it has none.
  std::string policies() const {
    if (!has_suffix(spec_.op, SuffixKind::Coalesce)) return "";
    const std::string oob(name_of(spec_.oob));
    if (!operation_of(spec_.op).combines)
      return "{" + coalesce() + ", gatherOob = " + word("gather_oob", oob) + "}";
    return "{" + coalesce() +
           ", scatterAtomicOp = " + word("scatter_atomic_op", name_of(spec_.atomic)) +
           ",\n         scatterOob = " + word("scatter_oob", oob) + conflict() + "}";
  }

  // A mask pattern stands among the operands, and its axis among their types.
  std::string inputs(const Named& from, const std::optional<Named>& index) const {
    if (index) return from.name + ", " + index->name + " : " + from.type + ", " + index->type;
    std::string pattern(name_of(spec_.mask));
    pattern[0] = 'P';
    return from.name + ", {maskPattern = #pto.mask_pattern<" + pattern + ">} : " + from.type +
           ", \"row\"";
  }

  // "pto.NAME ins(...) outs(...)" and, where there are any, the policies.
  void instruction(const std::string& ins, const Named& out) {
    line("pto." + std::string(name_of(spec_.op)) + " ins(" + ins + ")");
    line("    outs(" + out.name + " : " + out.type + ")");
    if (const std::string given = policies(); !given.empty()) line("    " + given);
  }

  // Tiles are loaded, then the table is cut out; a tile that is written is stored.
  void write_instruction() {
    const Operation& operation = operation_of(spec_.op);
    std::optional<Named> from;
    std::optional<Named> index;
    if (is_tile(operation.from)) from = loaded(operation.from);
    if (is_indexed(spec_.op)) index = loaded(Role::Index);
    if (!from) from = table_part(operation.from);
    const bool is_stored = is_tile(operation.to);
    const Named part = is_stored ? tile_part(operation.to) : table_part(operation.to);
    const Named to = is_stored ? tile(operation.to) : part;
    instruction(inputs(*from, index), to);
    if (is_stored) store(to, part);
  }

  void write_group() {
    const Named src = table_part(Role::Table);
    std::vector<Named> ranks;
    for (int rank = 0; rank < spec_.ranks; ++rank) {
      gap();
      ranks.push_back(table_part(Role::Peer, "%dst" + std::to_string(rank)));
    }
    gap();
    std::vector<Named> stages;
    const bool is_double = spec_.staging == Staging::PingPong;
    stages.push_back(tile(Role::Data, is_double ? "ping" : "stage"));
    if (is_double) stages.push_back(tile(Role::Data, "pong"));
    const auto name = [](const Named& value) { return value.name; };
    const auto type = [](const Named& value) { return value.type; };
    line("pto.comm.tscatter(" + src.name + ", recv(" + joined(stages, name) + "), group(" +
         joined(ranks, name) + ")");
    line("    : " + src.type + ", " + joined(stages, type) + ", " + joined(ranks, type) + ")");
    line("    {root = " + std::to_string(spec_.root) + " : i32}");
  }

  const KernelSpec& spec_;
  const Profile& profile_;
  const AssemblerExtents extents_;
  IndexValues values_;
  std::string body_;
};

}  // namespace

Result<std::string> assembler_module(const LegalSpec& legal) {
  Diagnostics limits = assembler_limits(legal);
  if (!limits.empty()) return limits;
  return Module(legal).text();
}

}  // namespace pto::jit

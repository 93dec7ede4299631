#include "jit/text/assembler/assembler_text.h"

#include <optional>
#include <vector>

#include "ir/mnemonic.h"
#include "ir/spec_text.h"
#include "jit/text/assembler/mlir_types.h"
#include "jit/text/assembler/module_writer.h"
#include "targets/assembler.h"
#include "targets/dialect.h"
#include "targets/source_words.h"

namespace pto::jit {
namespace {

using Lines = std::vector<std::string>;

std::string word(std::string_view kind, std::string_view value) {
  return "#pto<" + std::string(kind) + " " + std::string(value) + ">";
}

class Module {
 public:
  Module(const LegalSpec& legal, std::string name)
      : legal_(legal),
        name_(std::move(name)),
        spec_(legal.spec()),
        profile_(legal.profile()),
        extents_(legal),
        body_(spec_, extents_) {}

  AssemblerModule run() {
    write_body();
    AssemblerModule out{name_, "", assemble(), launch()};
    out.text = "// " + mnemonic(spec_) + " on " + std::string(profile_.title) +
               " as a module of the PTO assembler, from the spec\n// " + print(spec_) +
               "\n// Assembled, with its waits: " + out.assemble + "\n// Launched: " + out.launch +
               "\nmodule attributes {pto.target_arch = \"" + arch() + "\"} {\n  func.func @" +
               out.name + "(" + parameters() +
               ")\n      attributes {pto.entry, pto.kernel_kind = #pto.kernel_kind<vector>} {\n" +
               body_.text() + "    return\n  }\n}\n";
    return out;
  }

 private:
  std::string arch() const { return std::string(profile_.dialect.assembler.arch); }

  std::string assemble() const {
    return "ptoas --pto-arch=" + arch() + " --enable-insert-sync " + name_ + ".pto -o " + name_ +
           ".cpp";
  }

  // What the launch asks for is what tiles take where the assembler puts them.
  std::string launch() const {
    const std::int64_t bytes = extents_.bytes();
    const Budget& budget = profile_.budget;
    const bool asks = budget.plain_bytes > 0 && bytes > budget.plain_bytes;
    Lines arguments = pointers(false);
    for (const std::string& extent : body_.extent_arguments()) arguments.push_back(extent);
    std::string out = name_ + "<<<1, " + (asks ? "dynUBufSize" : "nullptr") + ", stream>>>(" +
                      joined(arguments, [](const std::string& name) { return name.substr(1); }) +
                      ")";
    if (asks) out += " with uint32_t dynUBufSize = " + std::to_string(bytes);
    if (asks && bytes > budget.tile_bytes)
      out += ", beyond the " + std::to_string(budget.tile_bytes) + " that the ISA documents grant";
    return out;
  }

  // The operands in memory, one for each rank of a group: "%src: !pto.ptr<f32>", or names alone.
  Lines pointers(bool are_typed) const {
    Lines out;
    for (const Operand& operand : operands_of(spec_.op)) {
      if (!has_memory(spec_.op, operand.role)) continue;
      const std::string name = "%" + std::string(operand.name);
      const std::string_view element = element_type(dtype_of(spec_, operand.role));
      const std::string type = are_typed ? ": !pto.ptr<" + std::string(element) + ">" : "";
      const bool is_group = operand.role == Role::Peer;
      for (int rank = 0; rank < (is_group ? spec_.ranks : 1); ++rank)
        out.push_back(name + (is_group ? std::to_string(rank) : "") + type);
    }
    return out;
  }

  std::string parameters() const {
    Lines all = pointers(true);
    for (const std::string& extent : body_.extent_arguments()) all.push_back(extent + ": index");
    return joined(all, [](const std::string& parameter) { return parameter; });
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
  Lines policies() const {
    if (!has_suffix(spec_.op, SuffixKind::Coalesce)) return {};
    const std::string oob(name_of(spec_.oob));
    if (!operation_of(spec_.op).combines)
      return {"{" + coalesce() + ", gatherOob = " + word("gather_oob", oob) + "}"};
    return {"{" + coalesce() +
                ", scatterAtomicOp = " + word("scatter_atomic_op", name_of(spec_.atomic)) + ",",
            " scatterOob = " + word("scatter_oob", oob) + conflict() + "}"};
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
  void write_call(const std::string& ins, const Named& out) {
    body_.line("pto." + std::string(name_of(spec_.op)) + " ins(" + ins + ")");
    body_.line("    outs(" + out.name + " : " + out.type + ")");
    for (const std::string& policy : policies()) body_.line("    " + policy);
  }

  void write_flush() {
    constexpr std::string_view kFence = "pto.fence.barrier_all #pto.fence_scope<gm>";
    body_.gap();
    body_.line(std::string(kFence));
    body_.line("pto.cmo.cacheinvalid all #pto.address_space<gm>");
    body_.line(std::string(kFence));
  }

  void write_body() {
    body_.gap();
    if (is_collective(spec_.op)) return write_group();
    const std::optional<Amount>& capacity = extents_.capacity();
    if (capacity) body_.open_unless_zero(*capacity);
    write_instruction();
    if (leaves_writes_cached(legal_)) write_flush();
    if (capacity) body_.close();
  }

  // Tiles are loaded, then the table is cut out; a tile that is written is stored.
  void write_instruction() {
    const Operation& operation = operation_of(spec_.op);
    std::optional<Named> from;
    std::optional<Named> index;
    if (is_tile(operation.from)) from = body_.loaded(operation.from);
    if (is_indexed(spec_.op)) index = body_.loaded(Role::Index);
    if (!from) from = body_.table_part(operation.from);
    const bool is_stored = is_tile(operation.to);
    const Named part = is_stored ? body_.tile_part(operation.to) : body_.table_part(operation.to);
    const Named to = is_stored ? body_.tile(operation.to) : part;
    write_call(inputs(*from, index), to);
    if (is_stored) body_.store(operation.to, to, part);
  }

  void write_group() {
    const Named src = body_.table_part(Role::Table);
    std::vector<Named> ranks;
    for (int rank = 0; rank < spec_.ranks; ++rank) {
      body_.gap();
      ranks.push_back(body_.table_part(Role::Peer, "%dst" + std::to_string(rank)));
    }
    body_.gap();
    std::vector<Named> stages;
    const bool is_double = spec_.staging == Staging::PingPong;
    stages.push_back(body_.tile(Role::Data, is_double ? "ping" : "stage"));
    if (is_double) stages.push_back(body_.tile(Role::Data, "pong"));
    const auto name = [](const Named& value) { return value.name; };
    const auto type = [](const Named& value) { return value.type; };
    body_.line("pto.comm.tscatter(" + src.name + ", recv(" + joined(stages, name) + "), group(" +
               joined(ranks, name) + ")");
    body_.line("    : " + src.type + ", " + joined(stages, type) + ", " + joined(ranks, type) +
               ")");
    body_.line("    {root = " + std::to_string(spec_.root) + " : i32}");
  }

  const LegalSpec& legal_;
  const std::string name_;
  const KernelSpec& spec_;
  const Profile& profile_;
  const AssemblerExtents extents_;
  ModuleWriter body_;
};

}  // namespace

Result<AssemblerModule> assembler_module(const LegalSpec& legal, const std::string& name) {
  if (!name.empty()) {
    if (std::optional<Diagnostic> no = refuse_kernel_name(name)) return *no;
  }
  Diagnostics limits = assembler_limits(legal);
  if (!limits.empty()) return limits;
  return Module(legal, name.empty() ? kernel_name(legal.spec()) : name).run();
}

}  // namespace pto::jit

#include "jit/source/expanded_text.h"

#include "jit/source/sync_text.h"
#include "jit/source/type_text.h"
#include "jit/source/walk_text.h"

namespace pto::jit::source {
namespace {

constexpr std::string_view kLanes = R"(
AICORE __simt_vf__ LAUNCH_BOUND(1024) inline void $name_lanes($parameters) {
)";

// A pointer of the body: what it is called, and what it is made of in the kernel.
struct PointerText {
  std::string type;
  std::string name;
  std::string from;
};

std::vector<PointerText> pointers_of(const SourcePlan& plan) {
  const ExpandedBody& body = *plan.expanded;
  const bool to_table = body.walk.direction == Direction::ToTable;
  const std::string element = body.moves_bytes ? "uint8_t" : std::string(type_name(body.dtype));
  const auto local = [&](const std::string& operand, const std::string& type, bool is_read) {
    const std::string pointer = "UbPointer<" + std::string(is_read ? "const " : "") + type + ">";
    const std::string data = operand + "Tile.data()";
    return PointerText{pointer, operand + "Ub",
                       body.moves_bytes ? pointer + "(" + data + ")" : data};
  };
  std::vector<PointerText> out;
  if (body.is_in_memory && body.means != Means::Bursts)
    out.push_back({"GmPointer<" + element + ">", body.table + "Gm", body.table});
  if (!body.is_in_memory) out.push_back(local(body.table, element, !to_table));
  out.push_back(local(body.tile, element, to_table && body.means != Means::Bursts));
  if (body.walk.has_index())
    out.push_back(local(body.index, std::string(type_name(body.index_dtype)), true));
  return out;
}

bool is_part_of_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool mentions(const std::string& text, const std::string& name) {
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    const bool begins = at == 0 || !is_part_of_name(text[at - 1]);
    if (begins && (end == text.size() || !is_part_of_name(text[end]))) return true;
  }
  return false;
}

struct Lanes {
  std::string body;
  std::vector<std::string> counts;  // runtime numbers that the body mentions
};

Lanes lanes_of(const SourcePlan& plan) {
  TextWriter out;
  out.indent();
  WalkText(plan, out).write();
  Lanes lanes{out.take(), {}};
  std::vector<std::string> names;
  for (const ExtentParameter& extent : plan.extents) names.push_back(extent.name);
  if (plan.loop) names.emplace_back(plan.loop->count);
  for (const std::string& name : names) {
    if (mentions(lanes.body, name)) lanes.counts.push_back(name);
  }
  return lanes;
}

void write_launch(TextWriter& out, const SourcePlan& plan) {
  std::vector<std::string> arguments;
  for (const PointerText& pointer : pointers_of(plan)) arguments.push_back(pointer.from);
  for (const std::string& count : lanes_of(plan).counts)
    arguments.push_back("static_cast<uint32_t>(" + count + ")");
  TextWriter unused;
  out.lines("cce::async_invoke<$name_lanes>(cce::dim3{32, $warps}, $arguments);",
            {{"name", plan.name},
             {"warps", std::to_string(WalkText(plan, unused).warps())},
             {"arguments", joined(arguments)}});
}

}  // namespace

std::string lanes_text(const SourcePlan& plan) {
  if (!plan.expanded || plan.expanded->means != Means::Lanes) return "";
  const Lanes lanes = lanes_of(plan);
  std::vector<std::string> parameters;
  for (const PointerText& pointer : pointers_of(plan))
    parameters.push_back(pointer.type + " " + pointer.name);
  for (const std::string& count : lanes.counts) parameters.push_back("uint32_t " + count);
  TextWriter out;
  out.lines(kLanes, {{"name", plan.name}, {"parameters", joined(parameters)}});
  return out.take() + lanes.body + "}\n";
}

void write_expanded(TextWriter& out, const SourcePlan& plan) {
  const ExpandedBody& body = *plan.expanded;
  if (body.means == Means::Lanes) {
    write_syncs(out, plan, body.enter);
    out.blank();
    return write_launch(out, plan);
  }
  for (const PointerText& pointer : pointers_of(plan))
    out.lines("$type $name = $from;",
              {{"type", pointer.type}, {"name", pointer.name}, {"from", pointer.from}});
  write_syncs(out, plan, body.enter);
  const std::string mode(body.store_mode);
  if (!mode.empty()) out.lines("set_atomic_$mode();\nset_atomic_add();\n", {{"mode", mode}});
  write_syncs(out, plan, body.start);
  out.blank();
  WalkText(plan, out).write();
  out.blank();
  write_syncs(out, plan, body.reset);
  if (!mode.empty()) out.lines("set_atomic_none();");
  write_syncs(out, plan, body.leave);
}

}  // namespace pto::jit::source

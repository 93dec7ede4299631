#include "jit/text/source/expanded_text.h"

#include "jit/text/source/sync_text.h"
#include "jit/text/source/type_text.h"
#include "jit/text/source/walk_text.h"

namespace pto::jit::source {
namespace {

constexpr std::string_view kLanes = R"(
AICORE __simt_vf__ LAUNCH_BOUND(1024) inline void $name_lanes($parameters) {
)";

// Rounds to nearest, ties to even; what is no number stays none.
constexpr std::string_view kBfloat16Sum = R"(
// A bfloat16_t is the upper half of a float and has no arithmetic of its own.
inline AICORE bfloat16_t $name_sum(bfloat16_t left, bfloat16_t right) {
  union Narrow {
    bfloat16_t value;
    uint16_t bits;
  };
  union Wide {
    uint32_t bits;
    float value;
  };
  Narrow narrow = {left};
  Wide first = {static_cast<uint32_t>(narrow.bits) << 16};
  narrow.value = right;
  Wide second = {static_cast<uint32_t>(narrow.bits) << 16};
  Wide sum = {0};
  sum.value = first.value + second.value;
  const bool is_number = (sum.bits & 0x7fffffff) <= 0x7f800000;
  sum.bits = is_number ? sum.bits + 0x7fff + (sum.bits >> 16 & 1) : sum.bits | 0x400000;
  narrow.bits = static_cast<uint16_t>(sum.bits >> 16);
  return narrow.value;
}
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
  std::vector<PointerText> out;
  const auto local = [&](const std::string& operand, const std::string& type, bool is_read) {
    if (!has_local_pointers(plan)) return;
    const std::string pointer = "UbPointer<" + std::string(is_read ? "const " : "") + type + ">";
    out.push_back({pointer, operand + "Ub", operand + "Tile.data()"});
  };
  if (body.is_in_memory && body.means != Means::Bursts)
    out.push_back({"GmPointer<" + element + ">", body.table + "Gm", body.table});
  if (!body.is_in_memory) local(body.table, element, !to_table);
  local(body.tile, element, to_table && body.means != Means::Bursts);
  if (body.walk.has_index()) local(body.index, std::string(type_name(body.index_dtype)), true);
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

// A number that the lanes are told, because the kernel knows it and they do not.
struct Told {
  std::string name;
  std::string value;
};

struct Lanes {
  std::string body;
  std::vector<Told> told;  // what the body mentions
};

Lanes lanes_of(const SourcePlan& plan) {
  TextWriter out;
  out.indent();
  WalkText(plan, out).write();
  Lanes lanes{out.take(), {}};
  const auto tell = [&](const std::string& name, const std::string& value) {
    if (mentions(lanes.body, name)) lanes.told.push_back({name, value});
  };
  const auto narrowed = [](const std::string& name) {
    return "static_cast<uint32_t>(" + name + ")";
  };
  for (const ExtentParameter& extent : plan.extents) tell(extent.name, narrowed(extent.name));
  if (plan.loop) tell(std::string(plan.loop->count), narrowed(std::string(plan.loop->count)));
  tell("lanes", std::to_string(32 * warps_of(plan)) + "U");
  return lanes;
}

void write_launch(TextWriter& out, const SourcePlan& plan) {
  std::vector<std::string> arguments;
  for (const PointerText& pointer : pointers_of(plan)) arguments.push_back(pointer.from);
  for (const Told& told : lanes_of(plan).told) arguments.push_back(told.value);
  out.lines("cce::async_invoke<$name_lanes>(cce::dim3{32, $warps}, $arguments);",
            {{"name", plan.name},
             {"warps", std::to_string(warps_of(plan))},
             {"arguments", joined(arguments)}});
}

std::string lanes_text(const SourcePlan& plan) {
  const Lanes lanes = lanes_of(plan);
  std::vector<std::string> parameters;
  for (const PointerText& pointer : pointers_of(plan))
    parameters.push_back(pointer.type + " " + pointer.name);
  for (const Told& told : lanes.told) parameters.push_back("uint32_t " + told.name);
  TextWriter out;
  out.lines(kLanes, {{"name", plan.name}, {"parameters", joined(parameters)}});
  return out.take() + lanes.body + "}\n";
}

std::string sum_text(const SourcePlan& plan) {
  TextWriter out;
  out.lines(kBfloat16Sum, {{"name", plan.name}});
  return out.take();
}

}  // namespace

std::int64_t warps_of(const SourcePlan& plan) {
  TextWriter unused;
  return WalkText(plan, unused).warps();
}

std::string helpers_text(const SourcePlan& plan) {
  if (!plan.expanded) return "";
  const ExpandedBody& body = *plan.expanded;
  if (body.means == Means::Lanes) return lanes_text(plan);
  const bool sums = body.means == Means::Scalars && body.walk.combine == Atomic::Add;
  return sums && !body.has_atomics && body.dtype == DType::BF16 ? sum_text(plan) : "";
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

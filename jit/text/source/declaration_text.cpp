#include "jit/text/source/declaration_text.h"

#include "jit/text/source/type_text.h"

namespace pto::jit::source {
namespace {

constexpr std::string_view kStorage = "Storage";

std::string number(std::int64_t value) { return std::to_string(value); }

std::string hex(std::int64_t value) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out;
  do {
    out.insert(out.begin(), kDigits[static_cast<std::size_t>(value % 16)]);
    value /= 16;
  } while (value > 0);
  return "0x" + out;
}

// Stages are alike, so their type is named once.
std::string type_of(const SourcePlan& plan, const TileType& type) {
  return plan.group ? "Stage" : capitalised(type.name);
}

void alias(TextWriter& out, const std::string& name, const std::string& type) {
  out.lines("using $name = $type;", {{"name", name}, {"type", type}});
}

std::string element_name(const TensorPlan& tensor) {
  return std::string(type_name(tensor.is_bytes ? DType::U8 : tensor.dtype));
}

bool is_constant(const TensorPlan& tensor) {
  return is_static(tensor.shape) && is_static(tensor.strides);
}

// Shape and stride have names of their own when they are constructed.
void tensor_alias(TextWriter& out, const TensorPlan& tensor) {
  const std::string name = capitalised(tensor.name);
  std::string shape = five("Shape", tensor.shape);
  std::string stride = five("Stride", tensor.strides);
  if (!is_constant(tensor)) {
    alias(out, name + "Shape", shape);
    alias(out, name + "Stride", stride);
    shape = name + "Shape";
    stride = name + "Stride";
  }
  alias(out, name + "Tensor",
        "GlobalTensor<" + element_name(tensor) + ", " + shape + ", " + stride +
            std::string(layout_argument(tensor.layout)) + ">");
}

void declare(TextWriter& out, const SourcePlan& plan, const TileType& type,
             const std::string& suffix) {
  std::vector<std::string> arguments = tile_arguments(plan, type);
  if (plan.group && plan.group->is_sized_at_run_time) {
    arguments = {"fits ? dataRows : " + number(plan.group->most[0]),
                 "fits ? dataCols : " + number(plan.group->most[1])};
  }
  const std::string list = arguments.empty() ? "" : "(" + joined(arguments) + ")";
  const bool is_view = suffix == kStorage;
  out.lines("$type $name$list;$note", {{"type", type_of(plan, type) + suffix},
                                       {"name", type.name + suffix},
                                       {"list", list},
                                       {"note", is_view ? "  // the same tile as a whole" : ""}});
}

void place(TextWriter& out, const TilePlan& tile, const std::string& suffix) {
  out.lines("TASSIGN<$offset>($name);",
            {{"offset", hex(tile.offset)}, {"name", tile.type.name + suffix}});
}

}  // namespace

std::size_t declared_tensors(const SourcePlan& plan) {
  return plan.expanded ? plan.tiles.size() : plan.tensors.size();
}

void write_types(TextWriter& out, const SourcePlan& plan) {
  for (const TilePlan& tile : plan.tiles) {
    if (plan.group && &tile != &plan.tiles.front()) continue;
    alias(out, type_of(plan, tile.type) + "Tile", tile_type(tile.type));
    if (tile.transfer)
      alias(out, type_of(plan, tile.type) + std::string(kStorage), tile_type(*tile.transfer));
  }
  for (std::size_t i = 0; i < declared_tensors(plan); ++i) tensor_alias(out, plan.tensors[i]);
  if (plan.group) tensor_alias(out, plan.group->rank);
}

void write_tensor(TextWriter& out, const SourcePlan& plan, const TensorPlan& tensor) {
  std::string pointer = tensor.name;
  if (tensor.is_bytes) pointer = "reinterpret_cast<__gm__ uint8_t*>(" + pointer + ")";
  if (tensor.step > 0) pointer += " + " + std::string(plan.loop->variable);
  if (tensor.step > 1) pointer += " * " + number(tensor.step);
  out.lines("$type $name($pointer$arguments);", {{"type", capitalised(tensor.name) + "Tensor"},
                                                 {"name", tensor.name + "Gm"},
                                                 {"pointer", pointer},
                                                 {"arguments", tensor_arguments(plan, tensor)}});
}

void write_tiles(TextWriter& out, const SourcePlan& plan) {
  for (const TilePlan& tile : plan.tiles) {
    declare(out, plan, tile.type, "Tile");
    if (tile.transfer) declare(out, plan, *tile.transfer, std::string(kStorage));
  }
  if (plan.placement == Placement::Auto) return;
  for (const TilePlan& tile : plan.tiles) {
    place(out, tile, "Tile");
    if (tile.transfer) place(out, tile, std::string(kStorage));
  }
}

std::string tensor_arguments(const SourcePlan& plan, const TensorPlan& tensor) {
  if (is_constant(tensor)) return "";
  const std::string name = capitalised(tensor.name);
  return ", " + name + "Shape(" + joined(five_arguments(plan, tensor.shape)) + "), " + name +
         "Stride(" + joined(five_arguments(plan, tensor.strides)) + ")";
}

}  // namespace pto::jit::source

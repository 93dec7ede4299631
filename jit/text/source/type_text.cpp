#include "jit/text/source/type_text.h"

#include <algorithm>
#include <array>

#include "jit/text/source/text_writer.h"

namespace pto::jit::source {
namespace {

constexpr std::array<std::string_view, 12> kTypeNames = {
    "int8_t", "uint8_t",    "int16_t", "uint16_t",      "int32_t",       "uint32_t",
    "half",   "bfloat16_t", "float",   "float8_e4m3_t", "float8_e5m2_t", "hifloat8_t"};

// The bulk layout before the valid extents, the layout inside blocks behind them.
struct TileLayoutText {
  std::string_view bulk;
  std::string_view inside;
};
constexpr std::array<TileLayoutText, 3> kTileLayouts = {
    {{"BLayout::RowMajor", ""},
     {"BLayout::ColMajor", ""},
     {"BLayout::ColMajor", ", SLayout::RowMajor, 512"}}};

constexpr std::array<std::string_view, 3> kTensorLayouts = {"", ", Layout::DN", ", Layout::NZ"};

std::string parameter_name(const SourcePlan& plan, Dim dim) {
  const auto found = std::ranges::find(plan.extents, dim, &ExtentParameter::dim);
  return found == plan.extents.end() ? "" : found->name;
}

std::string entry(const Extent& extent) {
  return extent.is_in_type ? std::to_string(extent.value.amount.factor) : "-1";
}

}  // namespace

std::string_view type_name(DType dtype) { return kTypeNames[static_cast<std::size_t>(dtype)]; }

std::string capitalised(std::string_view name) {
  std::string out(name);
  if (out[0] >= 'a' && out[0] <= 'z') out[0] = static_cast<char>(out[0] - 'a' + 'A');
  return out;
}

std::string value_text(const SourcePlan& plan, const Value& value) {
  const Amount& amount = value.amount;
  std::vector<std::string> factors;
  if (value.local == Local::Count) factors.emplace_back(plan.loop->count);
  if (value.local == Local::Blocks) factors.emplace_back("blocks");
  for (std::size_t i = 0; i < amount.count; ++i)
    factors.push_back(parameter_name(plan, amount.dims[i]));
  if (amount.factor != 1 || factors.empty())
    factors.insert(factors.begin(), std::to_string(amount.factor));
  return joined(factors, " * ");
}

std::string tile_type(const TileType& type) {
  const TileLayoutText& layout = kTileLayouts[static_cast<std::size_t>(type.layout)];
  return "Tile<TileType::Vec, " + std::string(type_name(type.dtype)) + ", " +
         std::to_string(type.rows) + ", " + std::to_string(type.cols) + ", " +
         std::string(layout.bulk) + ", " + entry(type.valid_rows) + ", " + entry(type.valid_cols) +
         std::string(layout.inside) + ">";
}

std::vector<std::string> tile_arguments(const SourcePlan& plan, const TileType& type) {
  std::vector<std::string> out;
  for (const Extent* extent : {&type.valid_rows, &type.valid_cols}) {
    if (!extent->is_in_type) out.push_back(value_text(plan, extent->value));
  }
  return out;
}

std::string five(std::string_view name, const std::array<Extent, 5>& entries) {
  std::vector<std::string> out;
  for (const Extent& extent : entries) out.push_back(entry(extent));
  return std::string(name) + "<" + joined(out) + ">";
}

std::vector<std::string> five_arguments(const SourcePlan& plan,
                                        const std::array<Extent, 5>& entries) {
  std::vector<std::string> out;
  for (const Extent& extent : entries) {
    if (extent.is_in_type) continue;
    const std::string text = value_text(plan, extent.value);
    out.push_back(extent.value.is_number() ? "int64_t{" + text + "}" : text);
  }
  return out;
}

bool is_static(const std::array<Extent, 5>& entries) {
  return std::ranges::all_of(entries, &Extent::is_in_type);
}

std::string_view layout_argument(TensorLayout layout) {
  return kTensorLayouts[static_cast<std::size_t>(layout)];
}

}  // namespace pto::jit::source

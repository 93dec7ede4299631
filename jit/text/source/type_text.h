// Spells the types and numbers of a source plan.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "targets/source_plan.h"

namespace pto::jit::source {

std::string_view type_name(DType dtype);  // "float"
std::string capitalised(std::string_view name);

// "4 * srcCols", by the names of a plan's parameters and of its loop's counts.
std::string value_text(const SourcePlan& plan, const Value& value);

// "Tile<TileType::Vec, float, 8, 32, BLayout::RowMajor, 8, 32>"
std::string tile_type(const TileType& type);
// What its constructor takes: the valid extents that are not in the type.
std::vector<std::string> tile_arguments(const SourcePlan& plan, const TileType& type);

// "Shape<1, 1, 1, 64, -1>"
std::string five(std::string_view name, const std::array<Extent, 5>& entries);
// The entries that are not in the type.
std::vector<std::string> five_arguments(const SourcePlan& plan,
                                        const std::array<Extent, 5>& entries);
bool is_static(const std::array<Extent, 5>& entries);
std::string_view layout_argument(TensorLayout layout);  // ", Layout::NZ", or nothing

}  // namespace pto::jit::source

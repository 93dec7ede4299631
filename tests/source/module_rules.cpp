#include "tests/source/module_rules.h"

#include <array>
#include <cstdint>
#include <optional>
#include <set>

namespace pto::jit::tests {
namespace {

using Names = std::vector<std::string>;
using Step = StepFacts;

std::optional<std::int64_t> number(const std::string& text) {
  const std::string digits = text.starts_with("%c") ? text.substr(2) : text;
  if (digits.empty() || digits.find_first_not_of("0123456789") != std::string::npos) return {};
  return std::stoll(digits);
}

std::int64_t bytes_of(const std::string& dtype) {
  if (dtype.starts_with("f8") || dtype == "!pto.hif8") return 1;
  if (dtype == "bf16") return 2;
  return std::stoll(dtype.substr(dtype.find_first_of("0123456789"))) / 8;
}

bool is_small_float(const std::string& dtype) {
  return dtype.starts_with("f8") || dtype == "!pto.hif8";
}
bool is_wide_integer(const std::string& dtype) { return dtype == "i32" || dtype == "ui32"; }
bool is_a5(const ModuleFacts& facts) { return facts.arch == "\"a5\""; }

// Extents that are equal, or not known to differ.
bool may_equal(const std::string& left, const std::string& right) {
  return left == "?" || right == "?" || left == right;
}
bool is_known_below(const std::string& left, const std::string& right) {
  return left != "?" && right != "?" && *number(left) < *number(right);
}
bool is_one(const std::string& extent) { return extent == "1" || extent == "0"; }

std::string check_view(const ModuleFacts& facts) {
  for (const auto& [pointer, view] : facts.views) {
    const std::string inferred = inferred_layout(view);
    const bool is_fine =
        inferred.empty() || inferred == view.layout || (inferred == "any" && view.layout != "nz");
    if (!is_fine) return "the view of " + pointer + " is " + view.layout + ", inferred " + inferred;
    for (std::size_t i = 0; i < view.sizes.size(); ++i) {
      const std::optional<std::int64_t> size = number(view.sizes[i]);
      const std::optional<std::int64_t> extent = number(view.shape[i]);
      if (size && *size == 0) return "a partition of " + pointer + " is empty";
      if (size && extent && *size > *extent) return "a partition leaves the view of " + pointer;
    }
  }
  return "";
}

// Each tile begins at a multiple of 256 bytes.
std::string check_tiles(const ModuleFacts& facts) {
  std::int64_t sum = 0;
  for (const std::string& type : facts.tiles) {
    const TileWords tile = tile_words(type);
    const std::int64_t bytes =
        *number(tile.shape[0]) * *number(tile.shape[1]) * bytes_of(tile.dtype);
    sum += (bytes + 255) / 256 * 256;
    if (is_small_float(tile.dtype) && !is_a5(facts)) return type + " is for a5";
    for (const std::size_t dim : {0U, 1U}) {
      if (is_known_below(tile.shape[dim], tile.valid[dim])) return "too much is valid of " + type;
    }
    const bool lies = tile.layout == "row_major";
    const std::int64_t side = *number(tile.shape[lies ? 1 : 0]) * bytes_of(tile.dtype);
    if (side % 32 != 0) return type + " is not a multiple of 32 bytes wide";
  }
  const std::int64_t most = is_a5(facts) ? 253952 : 196608;
  return sum > most ? std::to_string(sum) + " bytes of tiles" : "";
}

bool takes_atomic(const std::string& dtype, const std::string& atomic) {
  if (atomic == "#pto<scatter_atomic_op none>") return true;
  const bool adds = atomic == "#pto<scatter_atomic_op add>";
  return is_wide_integer(dtype) || dtype == "f32" || (adds && dtype == "f16");
}

// MSCATTER and MGATHER: row-major data, an index a row or an index an element.
std::string check_memory(const ModuleFacts& facts, const TileWords& data, const TileWords& index) {
  if (data.layout != "row_major") return "data that are not row-major";
  if (!is_wide_integer(index.dtype)) return "indices of " + index.dtype;
  const bool is_row = facts.policies.at("coalesce") == "#pto<coalesce row>";
  const bool lies = index.layout == "row_major";
  const std::string& count = index.valid[lies ? 1 : 0];
  const bool fits_rows = is_one(index.valid[lies ? 0 : 1]) && may_equal(count, data.valid[0]);
  const bool fits_elements =
      may_equal(index.valid[0], data.valid[0]) && may_equal(index.valid[1], data.valid[1]);
  return (is_row ? fits_rows : fits_elements) ? "" : "indices do not fit the data";
}

std::string check_scatter(const ModuleFacts& facts, std::size_t at) {
  const Step& step = facts.steps[at];
  const TileWords data = tile_words(step.ins[0]);
  if (!takes_atomic(data.dtype, facts.policies.at("scatterAtomicOp")))
    return "no such atomic on " + data.dtype;
  if (facts.policies.contains("scatterConflict") != is_a5(facts)) return "scatterConflict is a5's";
  const bool is_burst = !is_a5(facts) && facts.policies.at("coalesce") == "#pto<coalesce row>";
  constexpr std::array kFlush = {"pto.fence.barrier_all", "pto.cmo.cacheinvalid",
                                 "pto.fence.barrier_all"};
  for (std::size_t i = 0; i < kFlush.size() && !is_burst; ++i) {
    const std::size_t next = at + 1 + i;
    if (next >= facts.steps.size() || facts.steps[next].name != kFlush[i])
      return "writes stay in the data cache";
  }
  return check_memory(facts, data, tile_words(step.ins[1]));
}

std::string check_index_scatter(const Step& step) {
  const TileWords src = tile_words(step.ins[0]);
  const TileWords index = tile_words(step.ins[1]);
  const TileWords dst = tile_words(step.outs[0]);
  const std::int64_t wanted = bytes_of(src.dtype) == 1 ? 2 : bytes_of(src.dtype);
  if (bytes_of(index.dtype) != wanted) return "indices of another width";
  for (const std::size_t dim : {0U, 1U}) {
    if (!may_equal(src.valid[dim], index.valid[dim])) return "indices do not fit the data";
    if (is_known_below(dst.valid[dim], src.valid[dim])) return "a destination below its source";
  }
  return "";
}

std::string check_mask(const ModuleFacts& facts, const Step& step) {
  const TileWords src = tile_words(step.ins[0]);
  const TileWords dst = tile_words(step.outs[0]);
  const std::string pattern(inside(facts.policies.at("maskPattern")));
  const std::int64_t factor = pattern == "P1111"                         ? 1
                              : pattern == "P0101" || pattern == "P1010" ? 2
                                                                         : 4;
  const std::string cols =
      src.valid[1] == "?" ? "?" : std::to_string(*number(src.valid[1]) * factor);
  const bool fits = may_equal(src.valid[0], dst.valid[0]) && may_equal(cols, dst.valid[1]);
  return fits ? "" : "a destination of another shape than its pattern gives";
}

// Whether a value is a multiple of `grain`, however the kernel is called.
bool is_multiple(const ModuleFacts& facts, const std::string& name, std::int64_t grain) {
  if (const std::optional<std::int64_t> value = number(name)) return *value % grain == 0;
  const auto product = facts.products.find(name);
  if (product == facts.products.end()) return false;
  return is_multiple(facts, product->second[0], grain) ||
         is_multiple(facts, product->second[1], grain);
}

// A2/A3 gathers rows in groups of eight blocks, and reads eight offsets for each.
std::string check_blocks(const ModuleFacts& facts, const Step& step) {
  if (is_a5(facts)) return "";
  const TileWords offsets = tile_words(step.ins[1]);
  const TileWords dst = tile_words(step.outs[0]);
  if (dst.layout != "row_major") return "blocks that do not lie in rows";
  if (!is_multiple(facts, step.valid[1], 256 / bytes_of(dst.dtype)))
    return "rows are no multiple of 256 bytes";
  const bool is_whole = offsets.valid[1] != "?" && *number(offsets.valid[1]) % 8 == 0;
  return is_whole || offsets.pad == "1" ? "" : "offsets that were never loaded are used";
}

std::string check_group(const Step& step) {
  const std::string src = split_shape(inside(step.ins[0])).back();
  for (const std::string& type : step.ins) {
    if (!type.starts_with("!pto.partition_tensor_view")) continue;
    if (type.find('?') != std::string::npos) return type + " is open";
    if (split_shape(inside(type)).back() != src) return type + " is of another element";
  }
  return "";
}

std::string check_step(const ModuleFacts& facts, std::size_t at) {
  const Step& step = facts.steps[at];
  if (step.name == "pto.mscatter") return check_scatter(facts, at);
  if (step.name == "pto.mgather")
    return check_memory(facts, tile_words(step.outs[0]), tile_words(step.ins[1]));
  if (step.name == "pto.tscatter")
    return step.ins.size() == 2 ? check_index_scatter(step) : check_mask(facts, step);
  if (step.name == "pto.tgatherb") return check_blocks(facts, step);
  if (step.name == "pto.comm.tscatter") return check_group(step);
  return "";
}

}  // namespace

std::string inferred_layout(const ViewFacts& view) {
  std::array<std::int64_t, 5> shape = {1, 1, 1, 1, 1};
  std::array<std::int64_t, 5> strides = {1, 1, 1, 1, 1};
  const std::size_t shift = 5 - view.shape.size();
  for (std::size_t i = 0; i < view.shape.size(); ++i) {
    const std::optional<std::int64_t> extent = number(view.shape[i]);
    const std::optional<std::int64_t> stride = number(view.strides[i]);
    if (!extent || !stride) return "";
    shape[shift + i] = *extent;
    strides[shift + i] = *stride;
  }
  const bool is_block = shape[2] == 16 && shape[3] * bytes_of(view.dtype) == 32;
  if (is_block && strides[4] == 1 && strides[3] == shape[4]) return "nz";
  // Whether elements along `inner` are adjacent and those along `outer` follow without a gap.
  const auto is_packed = [&](std::size_t outer, std::size_t inner) {
    if (shape[inner] != 1 && strides[inner] != 1) return false;
    return shape[outer] == 1 || strides[outer] == shape[inner];
  };
  const bool nd = is_packed(3, 4);
  const bool dn = is_packed(4, 3);
  return nd && dn ? "any" : dn ? "dn" : "nd";
}

std::string broken_rule(const ModuleFacts& facts) {
  for (const auto check : {check_view, check_tiles}) {
    if (std::string found = check(facts); !found.empty()) return found;
  }
  for (std::size_t at = 0; at < facts.steps.size(); ++at) {
    if (std::string found = check_step(facts, at); !found.empty()) return found;
  }
  return "";
}

}  // namespace pto::jit::tests

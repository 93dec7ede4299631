#include "jit/files/operand_inputs.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <utility>

#include "ir/quantity.h"
#include "jit/files/destination.h"

namespace pto::jit::cli {
namespace {

using Shape = std::vector<std::int64_t>;

// Indices are read, so that those that were checked are those that are followed.
InputFile::Use use_of(const KernelSpec& spec, Role role) {
  if (role == Role::Index) return InputFile::Use::Read;
  return role == written_role(spec.op) ? InputFile::Use::Change : InputFile::Use::Map;
}

std::vector<Binding> told_by_tile(const Tile& tile, Role role, const Shape& shape) {
  const Dim first = first_extent(role);
  if (shape.size() == 2) return {{first, shape[0]}, {first + 1, shape[1]}};
  if (shape.size() == 1 && tile.rows == 1) return {{first, 1}, {first + 1, shape[0]}};
  return {};
}

// A flat array of a table with several dimensions tells nothing.
std::vector<Binding> told_by_table(const Table& table, Role role, const Shape& shape) {
  const std::size_t given = shape.size();
  const bool is_flat = std::ranges::count(table.shape.begin(), table.shape.end() - 1, 1) == 4;
  if (given == 0 || given > 5 || (given == 1 && !is_flat)) return {};
  std::vector<Binding> out;
  std::int64_t packed = 1;
  for (std::size_t dim = 5; dim-- > 0;) {
    const std::int64_t extent = dim + given >= 5 ? shape[dim + given - 5] : 1;
    out.push_back({first_extent(role) + static_cast<int>(dim), extent});
    out.push_back({first_stride(role) + static_cast<int>(dim), std::max<std::int64_t>(packed, 1)});
    packed = saturating_product(packed, extent);
  }
  return out;
}

std::vector<Binding> told_by(const KernelSpec& spec, Role role, const Shape& shape) {
  return is_tile(role) ? told_by_tile(tile_of(spec, role), role, shape)
                       : told_by_table(table_of(spec, role), role, shape);
}

bool may_be_storage(const KernelSpec& spec, Role role, const Shape& shape) {
  if (!is_tile(role)) return false;
  const Tile& tile = tile_of(spec, role);
  return shape == Shape{tile.rows, tile.cols} || (tile.rows == 1 && shape == Shape{tile.cols});
}

}  // namespace

Result<Done> check_pipes(const KernelSpec& spec, const OperandFiles& files) {
  std::map<std::string, MemoryOperand> readers;
  for (const auto& [operand, path] : files.in) {
    std::error_code ignored;
    if (!std::filesystem::is_fifo(path, ignored)) continue;
    const auto [first, is_new] = readers.emplace(identity_of(path), operand);
    if (!is_new) {
      return error("file.read", "cannot read '" + printable(path, 200) + "' for " +
                                    name_of(spec, first->second) + " and for " +
                                    name_of(spec, operand) + ": it is a pipe");
    }
  }
  return Done{};
}

Result<std::vector<OperandInput>> open_inputs(const KernelSpec& spec, const OperandFiles& files) {
  if (Result<Done> pipes = check_pipes(spec, files); !pipes) return pipes.error();
  std::vector<OperandInput> out;
  for (const auto& [operand, path] : files.in) {
    Result<InputFile> file = InputFile::open(path, use_of(spec, operand.role));
    if (!file) return file.error();
    out.push_back({operand, std::move(*file)});
  }
  return out;
}

std::vector<Binding> with_told_extents(const LegalSpec& legal, std::vector<Binding> given,
                                       std::span<const OperandInput> inputs) {
  KernelSpec filled = legal.spec();
  for (const Binding& binding : given) set(filled, binding.dim, binding.value);
  for (const bool is_asked_last : {false, true}) {
    for (const auto& [operand, file] : inputs) {
      if (!file.array()) continue;
      const Shape& shape = file.array()->header.shape;
      if (may_be_storage(filled, operand.role, shape) != is_asked_last) continue;
      follow_ties(filled, legal.profile());
      for (const Binding& told : told_by(filled, operand.role, shape)) {
        if (get(filled, told.dim) != kRuntime) continue;
        set(filled, told.dim, told.value);
        given.push_back(told);
      }
    }
  }
  return given;
}

}  // namespace pto::jit::cli

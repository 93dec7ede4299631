#include "jit/cli/operand_storage.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "ir/canonical.h"
#include "ir/quantity.h"
#include "ir/storage.h"

namespace pto::jit::cli {
namespace {

using Shape = std::vector<std::int64_t>;

// What a file of `elements` elements is said to be: the operand's storage, for a table without
// leading ones, or flat when a table's file is longer.
Shape shape_of_file(const BoundSpec& kernel, Role role, std::int64_t elements) {
  Shape shape = storage_shape(kernel, role);
  if (is_tile(role)) return shape;
  std::int64_t named = 1;
  for (const std::int64_t extent : shape) named = saturating_product(named, extent);
  if (named != elements) return {elements};
  while (shape.size() > 1 && shape.front() == 1) shape.erase(shape.begin());
  return shape;
}

bool is_named(const OperandFiles& files, const MemoryOperand& operand) {
  const auto names = [&](const std::vector<OperandFile>& list) {
    return std::ranges::find(list, operand, &OperandFile::operand) != list.end();
  };
  return names(files.in) || names(files.out);
}

}  // namespace

Shape storage_shape(const BoundSpec& kernel, Role role) {
  const KernelSpec& spec = kernel.spec();
  if (is_tile(role)) return {tile_of(spec, role).rows, tile_of(spec, role).cols};
  const Table& table = table_of(spec, role);
  const std::int64_t elements =
      storage_bytes(spec, role, kernel.plan(), frame_of(spec)) / size_of(table.dtype);
  const bool is_whole = is_packed(table) && extents(table, 0, 5).value == elements;
  return is_whole ? Shape(table.shape.begin(), table.shape.end()) : Shape{elements};
}

Result<OperandStore> load_operands(const BoundSpec& kernel, const OperandFiles& files) {
  std::optional<Storage> shared;
  const auto share = [&](const StorageRequest& wanted) -> Result<Storage> {
    if (shared) return *shared;
    Result<Storage> made = zeros_for(wanted);
    if (made) shared = *made;
    return made;
  };
  const StorageSource source = [&](const StorageRequest& wanted) -> Result<Storage> {
    if (!wanted.operand) return zeros_for(wanted);
    const Role role = wanted.operand->role;
    if (role == Role::Peer && !is_named(files, *wanted.operand)) return share(wanted);
    const std::string path = files.input_of(*wanted.operand);
    if (path.empty()) return zeros_for(wanted);
    Result<std::vector<std::byte>> read = read_operand(path, dtype_of(kernel.spec(), role),
                                                       storage_shape(kernel, role), !is_tile(role));
    if (!read) return std::move(read).error();
    return holding(std::move(*read));
  };
  return OperandStore::make(kernel.spec(), kernel.plan(), source);
}

std::vector<OutputFile> output_files(const BoundSpec& kernel, const OperandStore& store,
                                     const OperandFiles& files) {
  std::vector<OutputFile> out;
  for (const OperandFile& file : files.out) {
    const std::span<const std::byte> bytes = store.bytes_of(file.operand);
    const DType dtype = dtype_of(kernel.spec(), file.operand.role);
    const auto elements = static_cast<std::int64_t>(bytes.size()) / size_of(dtype);
    const Shape shape = shape_of_file(kernel, file.operand.role, elements);
    out.push_back({file.path, encode_operand(file.path, bytes, dtype, shape)});
  }
  return out;
}

}  // namespace pto::jit::cli

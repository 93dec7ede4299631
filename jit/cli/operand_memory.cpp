#include "jit/cli/operand_memory.h"

#include <algorithm>
#include <utility>

#include "ir/canonical.h"
#include "ir/quantity.h"
#include "ir/storage.h"

namespace pto::jit::cli {
namespace {

using Shape = std::vector<std::int64_t>;

constexpr FileOperand kNobody = {Role::Peer, -1};  // what ranks without an output share

std::int64_t bytes_of(const BoundKernel& kernel, Role role) {
  Frame frame;
  frame.extents = extents_of(kernel.spec);
  return storage_bytes(kernel.spec, role, kernel.plan, frame);
}

// What a file of `elements` elements is said to be: the operand's storage, for a table without
// leading ones, or flat when a table's file is longer.
Shape shape_of_file(const BoundKernel& kernel, Role role, std::int64_t elements) {
  Shape shape = storage_shape(kernel, role);
  if (is_tile(role)) return shape;
  std::int64_t named = 1;
  for (const std::int64_t extent : shape) named = saturating_product(named, extent);
  if (named != elements) return {elements};
  while (shape.size() > 1 && shape.front() == 1) shape.erase(shape.begin());
  return shape;
}

}  // namespace

Shape storage_shape(const BoundKernel& kernel, Role role) {
  if (is_tile(role)) return {tile_of(kernel.spec, role).rows, tile_of(kernel.spec, role).cols};
  const Table& table = table_of(kernel.spec, role);
  const std::int64_t elements = bytes_of(kernel, role) / size_of(table.dtype);
  const bool is_whole = is_packed(table) && extents(table, 0, 5).value == elements;
  return is_whole ? Shape(table.shape.begin(), table.shape.end()) : Shape{elements};
}

Result<std::byte*> OperandMemory::load_one(const BoundKernel& kernel, const FileOperand& operand,
                                           const std::string& path) {
  const Role role = operand.role;
  if (path.empty()) {
    Result<Buffer> zeros = Buffer::zeros(bytes_of(kernel, role), name_of(kernel.spec, operand));
    if (!zeros) return std::move(zeros).error();
    return held_.emplace_back(operand, std::move(*zeros)).buffer.data();
  }
  Result<std::vector<std::byte>> read =
      read_operand(path, dtype_of(kernel.spec, role), storage_shape(kernel, role), !is_tile(role));
  if (!read) return std::move(read).error();
  return held_.emplace_back(operand, Buffer(std::move(*read))).buffer.data();
}

Result<Done> OperandMemory::load_operands(const BoundKernel& kernel, const OperandFiles& files) {
  std::vector<FileOperand> operands = operands_read(kernel.spec);
  const Role written = written_role(kernel.spec.op);
  if (written != Role::Peer) operands.push_back({written});
  for (const FileOperand& operand : operands) {
    Result<std::byte*> at = load_one(kernel, operand, files.input_of(operand));
    if (!at) return std::move(at).error();
    set_buffer(frame_, kernel.spec.op, operand.role, *at);
  }
  return Done{};
}

// Ranks that no option names have no result to keep: they share one buffer.
Result<Done> OperandMemory::load_ranks(const BoundKernel& kernel, const OperandFiles& files) {
  if (kernel.plan.ranks == 0) return Done{};
  Result<std::byte*> shared = load_one(kernel, kNobody, "");
  if (!shared) return std::move(shared).error();
  ranks_.assign(static_cast<std::size_t>(kernel.plan.ranks), *shared);
  for (const std::vector<OperandFile>* list : {&files.in, &files.out}) {
    for (const OperandFile& file : *list) {
      if (file.operand.rank < 0) continue;
      void*& rank = ranks_[static_cast<std::size_t>(file.operand.rank)];
      if (rank != *shared) continue;
      Result<std::byte*> own = load_one(kernel, file.operand, files.input_of(file.operand));
      if (!own) return std::move(own).error();
      rank = *own;
    }
  }
  frame_.ranks = ranks_.data();
  return Done{};
}

Result<OperandMemory> OperandMemory::load(const BoundKernel& kernel, const OperandFiles& files) {
  OperandMemory memory;
  memory.frame_.extents = extents_of(kernel.spec);
  if (Result<Done> done = memory.load_operands(kernel, files); !done)
    return std::move(done).error();
  if (Result<Done> done = memory.load_ranks(kernel, files); !done) return std::move(done).error();
  return memory;
}

const Buffer& OperandMemory::buffer_of(const FileOperand& operand) const {
  return std::ranges::find(held_, operand, &Held::operand)->buffer;
}

std::vector<OutputFile> OperandMemory::outputs(const BoundKernel& kernel,
                                               const OperandFiles& files) const {
  std::vector<OutputFile> out;
  for (const OperandFile& file : files.out) {
    const std::span<const std::byte> bytes = buffer_of(file.operand).bytes();
    const DType dtype = dtype_of(kernel.spec, file.operand.role);
    const auto elements = static_cast<std::int64_t>(bytes.size()) / size_of(dtype);
    const Shape shape = shape_of_file(kernel, file.operand.role, elements);
    out.push_back({file.path, encode_operand(file.path, bytes, dtype, shape)});
  }
  return out;
}

}  // namespace pto::jit::cli

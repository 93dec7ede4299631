// Gathers by byte offsets that the text does by itself: why, where to, and on tiles of bytes, which
// any offset can reach.
#include "ir/quantity.h"
#include "targets/source_parts.h"

namespace pto::jit {
namespace {

constexpr std::int64_t kRepeatBytes = 256;

constexpr std::string_view kElementReason =
    "// TGATHERB moves 32 bytes for each offset. One element for each is written out, byte by "
    "byte,\n"
    "// because an offset need not be a multiple of the element's size.\n";
constexpr std::string_view kRaggedReason =
    "// TGATHERB takes offsets and writes blocks by eights. Rows of any other number of blocks "
    "are\n"
    "// written out, byte by byte, because an offset need not be a multiple of the element's "
    "size.\n";

bool has_ragged_rows(const Tile& data) {
  return data.vc == kRuntime || data.vc * size_of(data.dtype) % kRepeatBytes != 0;
}

// Bytes are counted along the contiguous side of a tile.
bool is_row_major(TileLayout layout) { return layout == TileLayout::RowMajor; }

void widen(Extent& extent, std::int64_t size) {
  extent.value.amount = extent.value.amount * Amount(size);
}

TileType bytes_of(TileType type) {
  const std::int64_t size = size_of(type.dtype);
  (is_row_major(type.layout) ? type.cols : type.rows) *= size;
  widen(is_row_major(type.layout) ? type.valid_cols : type.valid_rows, size);
  type.dtype = DType::U8;
  return type;
}

TensorPlan bytes_of(TensorPlan tensor) {
  const std::int64_t size = size_of(tensor.dtype);
  const bool is_dn = tensor.layout == TensorLayout::Dn;
  widen(tensor.shape[is_dn ? 3 : 4], size);
  widen(tensor.strides[is_dn ? 4 : 3], size);
  tensor.is_bytes = true;
  return tensor;
}

}  // namespace

bool is_gathered_by_text(const LegalSpec& legal) {
  const KernelSpec& spec = legal.spec();
  if (!operation_of(spec.op).counts_bytes) return false;
  const bool is_exact = !legal.profile().dialect.gathers_by_eights || !has_ragged_rows(spec.data);
  return spec.unit == Unit::Element || !is_exact;
}

ByteGather byte_gather(const LegalSpec& legal, const TileType& offset, const TileType& data) {
  const KernelSpec& spec = legal.spec();
  const bool is_element = spec.unit == Unit::Element;
  const std::int64_t size = size_of(data.dtype);
  ByteGather out{.unit_bytes = is_element ? size : kBlockBytes,
                 .offset_steps = {offset.cols, 1},
                 .reason = is_element ? kElementReason : kRaggedReason};
  out.data_steps = is_row_major(data.layout) ? std::array{data.cols * size, out.unit_bytes}
                                             : std::array{out.unit_bytes, data.rows * size};
  const Tile& source = spec.store;
  if (legal.profile().behaviour.clamps_offsets)
    out.last_offset = std::int64_t{source.rows} * source.cols * size - out.unit_bytes;
  return out;
}

void view_as_bytes(SourcePlan& plan) {
  const std::size_t source = 0;
  const std::size_t destination = plan.tiles.size() - 1;
  for (const std::size_t i : {source, destination}) {
    TileType& type = plan.tiles[i].type;
    if (type.dtype == DType::U8) continue;
    type = bytes_of(type);
    plan.tensors[i] = bytes_of(plan.tensors[i]);
  }
}

}  // namespace pto::jit

#include "jit/text/assembler/module_writer.h"

#include "jit/text/assembler/mlir_types.h"

namespace pto::jit {

// A rectangle of global memory, and the partition of it that operations take.
struct ModuleWriter::View {
  std::string pointer;
  DType dtype = DType::I8;
  std::string_view layout = "nd";
  std::vector<Amount> extents = {};
  std::vector<Amount> strides = {};
  std::vector<Amount> sizes = {};          // of the partition
  std::vector<std::int64_t> in_type = {};  // its sizes, runtime where the type does not state them
};

namespace {

constexpr std::int64_t kNzRows = 16;

// The assembler takes a third-last extent of 16 above rows of 32 bytes for NZ, against the view's
// own word. A view that is one step longer than its partition is read as it is meant.
template <class View>
void keep_from_nz(View& view) {
  const std::size_t rank = view.extents.size();
  if (rank < 3) return;
  Amount& planes = view.extents[rank - 3];
  const bool is_block = planes.is(kNzRows) && view.extents[rank - 2].is(block_elements(view.dtype));
  const bool is_packed =
      view.strides[rank - 2] == view.extents[rank - 1] && view.strides[rank - 1].is(1);
  if (is_block && is_packed) planes = kNzRows + 1;
}

}  // namespace

void ModuleWriter::open_unless_zero(const Amount& count) {
  line("%has_slots = arith.cmpi ne, " + values_.of(count) + ", " + values_.of(0) + " : index");
  line("scf.if %has_slots {");
  indent_ += "  ";
}

void ModuleWriter::close() {
  indent_.resize(indent_.size() - 2);
  line("}");
}

Named ModuleWriter::part_of(const View& view) {
  const auto value = [&](const Amount& amount) { return values_.of(amount); };
  const auto zero = [&](const Amount&) { return values_.of(0); };
  const std::vector<std::int64_t> open(view.extents.size(), kRuntime);
  const std::string whole = "!pto.tensor_view<" + shaped(open, view.dtype) + ">";
  const Named part = {view.pointer + "_part",
                      "!pto.partition_tensor_view<" + shaped(view.in_type, view.dtype) + ">"};
  line(view.pointer + "_view = pto.make_tensor_view " + view.pointer + ", shape = [" +
       joined(view.extents, value) + "], strides = [" + joined(view.strides, value) + "]");
  line("    {layout = #pto.layout<" + std::string(view.layout) + ">} : " + whole);
  line(part.name + " = pto.partition_view " + view.pointer + "_view, offsets = [" +
       joined(view.sizes, zero) + "], sizes = [" + joined(view.sizes, value) + "]");
  line("    : " + whole + " -> " + part.type);
  return part;
}

// The stride of a dimension. One of extent one is never stepped along, but by rows the device
// takes its pitch from the fourth, also where the rows are counted further out.
Amount ModuleWriter::stride(Role role, int dim) const {
  const Table& table = table_of(spec_, role);
  if (has_strides(table) && !extent(role, dim).is(1)) return extents_.of(first_stride(role) + dim);
  for (int outer = dim - 1; has_strides(table) && dim == 3 && outer >= 0; --outer) {
    if (!extent(role, outer).is(1)) return stride(role, outer);
  }
  return dim == 4 ? Amount(1) : stride(role, dim + 1) * extent(role, dim + 1);
}

Named ModuleWriter::table_part(Role role, const std::string& pointer) {
  View view{.pointer = pointer, .dtype = dtype_of(spec_, role)};
  for (int dim = first_written(table_of(spec_, role)); dim < 5; ++dim) {
    const bool is_stated = extents_.is_in_type(first_extent(role) + dim);
    view.sizes.push_back(extent(role, dim));
    view.strides.push_back(stride(role, dim));
    view.in_type.push_back(is_stated ? extent(role, dim).factor : kRuntime);
  }
  view.extents = view.sizes;
  keep_from_nz(view);
  return part_of(view);
}

// The view is of the whole storage, for the assembler takes it for column-major only then.
Named ModuleWriter::tile_part(Role role) {
  const AssemblerTile declared = extents_.tile(role);
  const Tile& tile = tile_of(spec_, role);
  const bool lies = tile.layout == TileLayout::RowMajor;
  const std::array<std::int32_t, 2> stated = {declared.type.vr, declared.type.vc};
  View view{.pointer = "%" + operand(role),
            .dtype = tile.dtype,
            .layout = lies ? "nd" : "dn",
            .extents = {tile.rows, tile.cols},
            .strides = {lies ? tile.cols : 1, lies ? 1 : tile.rows}};
  for (std::size_t dim = 0; dim < 2; ++dim) {
    const Amount& moved = declared.moved[dim];
    const bool is_stated = declared.is_reshaped() ? moved.is_static() : stated[dim] != kRuntime;
    view.sizes.push_back(moved);
    view.in_type.push_back(is_stated ? moved.factor : kRuntime);
  }
  return part_of(view);
}

Named ModuleWriter::tile(Role role, const std::string& name) {
  const AssemblerTile tile = extents_.tile(role);
  const Named out = {"%" + name + "_tile", tile_buf_type(tile.type, tile.is_zero_padded)};
  std::string valid;
  if (tile.type.vr == kRuntime) valid += " valid_row = " + values_.of(tile.valid[0]);
  if (tile.type.vc == kRuntime)
    valid += " valid_col = " + values_.rounded_up(tile.valid[1], tile.column_grain);
  line(out.name + " = pto.alloc_tile" + valid + " : " + out.type);
  return out;
}

Named ModuleWriter::loaded(Role role) {
  const Named part = tile_part(role);
  const Named out = tile(role);
  line("pto.tload ins(" + part.name + " : " + part.type + ")");
  line("    outs(" + out.name + " : " + out.type + ")");
  gap();
  return out;
}

void ModuleWriter::store(Role role, const Named& from, const Named& to) {
  const AssemblerTile tile = extents_.tile(role);
  gap();
  if (tile.is_reshaped()) {
    line("pto.set_validshape " + from.name + ", " + values_.of(tile.moved[0]) + ", " +
         values_.of(tile.moved[1]) + " : " + from.type);
  }
  line("pto.tstore ins(" + from.name + " : " + from.type + ")");
  line("    outs(" + to.name + " : " + to.type + ")");
}

std::vector<std::string> ModuleWriter::extent_arguments() const {
  std::vector<std::string> out;
  for (const Dim dim : values_.runtime()) out.push_back(values_.argument(dim));
  return out;
}

}  // namespace pto::jit

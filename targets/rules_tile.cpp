// Rules of the tile-to-tile forms: TSCATTER and TGATHERB.
#include <algorithm>

#include "targets/remedies.h"
#include "targets/rules.h"
#include "targets/words.h"

namespace pto::jit {
namespace {

std::int64_t index_width_for(DType dtype) { return size_of(dtype) == 4 ? 4 : 2; }

Truth block_width(const Subject& s) {
  if (s.spec.unit != Unit::Block) return Truth::Holds;
  const Quantity bytes = Quantity(s.spec.data.vc) * size_of(s.spec.data.dtype);
  return bytes.known ? truth(bytes.value % kBlockBytes == 0) : Truth::AtInvocation;
}

bool round_to_blocks(KernelSpec& spec, const Profile& profile) {
  const std::int32_t block = block_elements(spec.data.dtype);
  spec.data.vc = std::max(spec.data.vc / block, 1) * block;
  spec.data.cols = std::max(spec.data.cols, spec.data.vc);
  remedy::reshape_index(spec, profile);
  return true;
}

bool to_element_unit(KernelSpec& spec, const Profile& profile) {
  spec.unit = Unit::Element;
  remedy::reshape_index(spec, profile);
  return true;
}

}  // namespace

const Rule kIndexWidthRule = {
    "index.width",
    [](const Subject& s) {
      return truth(size_of(s.spec.index.dtype) == index_width_for(s.spec.data.dtype));
    },
    [](const Subject& s) {
      return str(name_of(s.spec.data.dtype)) + " data with " + str(name_of(s.spec.index.dtype)) +
             " indices; " + str(size_of(s.spec.data.dtype)) + "-byte data take " +
             str(index_width_for(s.spec.data.dtype)) + "-byte indices";
    },
    {[](KernelSpec& spec, const Profile&) {
      const bool wide = index_width_for(spec.data.dtype) == 4;
      const bool is_unsigned = info_of(spec.index.dtype).kind == NumberKind::Unsigned;
      const DType narrow = is_unsigned ? DType::U16 : DType::I16;
      spec.index.dtype = wide ? (is_unsigned ? DType::U32 : DType::I32) : narrow;
      return true;
    }}};

const Rule kBlockWidthRule = {"block.width",
                              block_width,
                              [](const Subject& s) {
                                return value_phrase(s.spec, Dim::DataVc) + ": rows of " +
                                       str(s.spec.data.vc * size_of(s.spec.data.dtype)) +
                                       " bytes are not whole blocks of 32";
                              },
                              {round_to_blocks, to_element_unit}};

const Rule kBlockSourceRule = {
    "block.source",
    [](const Subject& s) {
      return truth(s.spec.unit != Unit::Block || tile_bytes(s.spec.store) >= kBlockBytes);
    },
    [](const Subject& s) {
      return shown(s.spec, Role::Store) + " holds " + str(tile_bytes(s.spec.store)) +
             " bytes, less than one block of 32";
    },
    {[](KernelSpec& spec, const Profile&) {
      spec.store.cols = block_elements(spec.store.dtype);
      return true;
    }}};

const Rule kBlockLayoutRule = {
    "block.layout",
    [](const Subject& s) {
      return truth(s.spec.unit != Unit::Block || s.spec.data.layout == TileLayout::RowMajor);
    },
    [](const Subject& s) { return shown(s.spec, Role::Data) + " is column-major"; },
    {[](KernelSpec& spec, const Profile&) {
       spec.data.layout = TileLayout::RowMajor;
       return true;
     },
     to_element_unit}};

}  // namespace pto::jit

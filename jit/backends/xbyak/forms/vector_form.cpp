#include "jit/backends/xbyak/forms/vector_form.h"

#include <cstdio>
#include <cstdlib>

namespace pto::jit::xbyak {
namespace {

// A strategy whose form cannot do what the plan asks: a broken invariant.
[[noreturn]] void refuse(const char* what) {
  std::fprintf(stderr, "pto-jit: this form has no way to %s\n", what);
  std::abort();
}

}  // namespace

Value VectorForm::gather(const Index&, const Mask&) { refuse("gather"); }
void VectorForm::scatter(const Index&, Value, const Mask&) { refuse("scatter"); }
void VectorForm::clear_behind(const Xbyak::Reg64&) { refuse("clear"); }
void VectorForm::jump_if_lanes_meet(const Index&, const Mask&, Label&) { refuse("combine"); }

Value VectorForm::load_tiles(const Position& at) {
  const Xbyak::Zmm value = a_.vec.tile.z();
  const Xbyak::Address from = a_.ptr[tile_of(at.group)];
  at.group.is_rest ? a_.vmovdqu32(value | a_.mask.rest | a_.T_z, from) : a_.vmovdqu32(value, from);
  return {.held = Held::Tile};
}

// Elements below 32 bits are stored from the low end of their lanes.
void VectorForm::store_tiles(const Position& at, Value value, const Mask& where) {
  const bool is_partial = where.kind == Mask::Kind::Vector;
  const Vector from = vector_of(value);
  Xbyak::Address to = a_.ptr[tile_of(at.group)];
  if (!strategy_.avx512) {
    return is_partial ? a_.vpmaskmovd(to, a_.vec.live.y(), from.y()) : a_.vmovdqu(to, from.y());
  }
  if (is_partial || at.group.is_rest) to = to | (is_partial ? a_.mask.live : a_.mask.rest);
  switch (plan_.element_size) {
    case 1: return a_.vpmovdb(to, from.z());
    case 2: return a_.vpmovdw(to, from.z());
    default: return a_.vmovdqu32(to, from.z());
  }
}

}  // namespace pto::jit::xbyak

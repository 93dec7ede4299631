// The array functions below their arguments: a spec made for the arrays at hand, its kernel kept,
// and the work done block by block, so that one kernel serves any number of indices.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "ir/spec.h"
#include "jit/calls/index_scan.h"

namespace pto::jit::python {

// What a kernel is made for. Kernels of equal wishes are one.
struct MoveWish {
  Op op = Op::MGather;
  Coalesce coalesce = Coalesce::Row;
  DType dtype = DType::F32;
  Oob oob = Oob::Undefined;
  Atomic atomic = Atomic::None;
  Conflict conflict = Conflict::Unstated;
  std::uint16_t zero = 0;  // explicit padding
  std::int32_t width = 1;  // elements that an index moves; 0: indices are checked, nothing moves
  std::int32_t pitch = 1;  // elements from one of them to the next in the kernel's tile
  std::int64_t slots = 0;  // of the table; a kernel may serve several

  bool operator==(const MoveWish&) const = default;
};

// Elements of the tile from one row to the next: rows begin at multiples of 32 bytes.
std::int64_t padded_width(DType dtype, std::int64_t width);

struct Move {
  MoveWish wish;
  std::byte* table = nullptr;
  std::byte* tile = nullptr;   // a scatter's source, a gather's destination
  std::int64_t tile_step = 0;  // bytes of it from one row to the next
  IndexRun indices;
  NumberKind index_kind = NumberKind::Signed;
  bool refuses = false;  // an index out of range is an error, and nothing has been written then
  std::string_view index_name = "ids";
  int threads = 1;  // 0: as many as there are
};

void carry_out(const Move& move);

}  // namespace pto::jit::python

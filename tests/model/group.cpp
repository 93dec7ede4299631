// TSCATTER of the communication set: the root deals the rows of its source to all ranks, itself
// included. Staging moves data in pieces but never elsewhere, so there is none here.
#include <array>
#include <cstddef>
#include <cstdint>

#include "tests/model/addressing.h"
#include "tests/model/operations.h"

namespace pto::jit::model {
namespace {

using Position = std::array<std::int64_t, 5>;

std::int64_t offset_in(const Table& table, const Position& position) {
  const std::array<std::int64_t, 5> strides = strides_of(table);
  std::int64_t offset = 0;
  for (std::size_t k = 0; k < 5; ++k) offset += position[k] * strides[k];
  return offset;
}

// Rank `rank` sees row h of its own as row rank*H + h of the root's.
void copy_element(const KernelSpec& spec, const Memory& memory, std::int64_t rank,
                  const Position& position) {
  Position source = position;
  source[3] += rank * spec.peer.shape[3];
  const std::uint32_t bits = load(memory.table, offset_in(spec.table, source), spec.table.dtype);
  std::byte* destination = memory.ranks[static_cast<std::size_t>(rank)];
  save(destination, offset_in(spec.peer, position), spec.peer.dtype, bits);
}

void copy_slice(const KernelSpec& spec, const Memory& memory, std::int64_t rank) {
  const std::array<std::int32_t, 5>& extents = spec.peer.shape;
  for (std::int64_t a = 0; a < extents[0]; ++a) {
    for (std::int64_t b = 0; b < extents[1]; ++b) {
      for (std::int64_t c = 0; c < extents[2]; ++c) {
        for (std::int64_t h = 0; h < extents[3]; ++h) {
          for (std::int64_t w = 0; w < extents[4]; ++w) {
            copy_element(spec, memory, rank, {a, b, c, h, w});
          }
        }
      }
    }
  }
}

}  // namespace

void scatter_to_ranks(const KernelSpec& spec, const Memory& memory) {
  for (std::int64_t rank = 0; rank < spec.ranks; ++rank) copy_slice(spec, memory, rank);
}

}  // namespace pto::jit::model

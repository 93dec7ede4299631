// L: what the machine can do at most for the kind of access a cell makes.
#pragma once

#include <cstddef>
#include <cstdint>

namespace pto::jit::bench {

struct LimitWork {
  std::byte* tile = nullptr;
  const std::uint32_t* index = nullptr;
  std::byte* table = nullptr;
  std::size_t count = 0;     // indices
  std::size_t bytes = 0;     // of a row
  std::size_t pitch = 0;     // bytes from one row of the tile to the next
  std::size_t capacity = 0;  // rows of the table
  std::size_t written = 0;   // bytes of a tile that is written whole
  std::size_t element = 0;   // bytes
  bool is_gather = false;
};

// One row after the other, by `rep movsb` and by libc.
void copy_rows_by_string_move(const LimitWork& work);
void copy_rows_by_libc(const LimitWork& work);

// As many bytes, but in one piece (again from the table's start at its end), in vectors as wide as
// the machine has them.
void copy_in_one_piece(const LimitWork& work);

// As many bytes in one piece by libc, from wherever the first index points.
void copy_by_libc(const LimitWork& work);

// Every byte of a tile, and nothing read.
void fill_all(const LimitWork& work);

// 1.5 loads an element and nothing stored; one store an element.
void load_each(const LimitWork& work);
void store_each(const LimitWork& work);

}  // namespace pto::jit::bench

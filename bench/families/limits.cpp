#include "bench/families/limits.h"

#include <algorithm>
#include <cstring>

namespace pto::jit::bench {
namespace {

std::byte* target_of(const LimitWork& work, std::size_t row) {
  return work.is_gather ? work.tile + row * work.pitch
                        : work.table + std::size_t{work.index[row]} * work.bytes;
}

const std::byte* source_of(const LimitWork& work, std::size_t row) {
  return work.is_gather ? work.table + std::size_t{work.index[row]} * work.bytes
                        : work.tile + row * work.pitch;
}

struct Pair {
  std::uint32_t first;
  std::uint32_t second;
};

// Two indices by one load.
Pair pair_at(const std::uint32_t* index) {
  std::uint64_t both = 0;
  std::memcpy(&both, index, sizeof both);
  return {static_cast<std::uint32_t>(both), static_cast<std::uint32_t>(both >> 32)};
}

template <class T>
void load_each_as(const LimitWork& work) {
  const T* table = reinterpret_cast<const T*>(work.table);
  std::uint32_t first = 0;
  std::uint32_t second = 0;
  for (std::size_t i = 0; i + 4 <= work.count; i += 4) {
    const Pair low = pair_at(work.index + i);
    const Pair high = pair_at(work.index + i + 2);
    first += table[low.first];
    second += table[low.second];
    first += table[high.first];
    second += table[high.second];
  }
  asm volatile("" : : "r"(first), "r"(second));
}

template <class T>
void store_each_as(const LimitWork& work) {
  T* table = reinterpret_cast<T*>(work.table);
  for (std::size_t i = 0; i + 4 <= work.count; i += 4) {
    const Pair low = pair_at(work.index + i);
    const Pair high = pair_at(work.index + i + 2);
    table[low.first] = 1;
    table[low.second] = 2;
    table[high.first] = 3;
    table[high.second] = 4;
  }
}

using Wide = std::uint64_t __attribute__((vector_size(64), aligned(1), may_alias));

void copy_wide(std::byte* to, const std::byte* from, std::size_t bytes) {
  constexpr std::size_t kStep = 4 * sizeof(Wide);
  for (std::size_t at = 0; at + kStep <= bytes; at += kStep) {
    const auto* source = reinterpret_cast<const Wide*>(from + at);
    auto* target = reinterpret_cast<Wide*>(to + at);
    const Wide a = source[0];
    const Wide b = source[1];
    const Wide c = source[2];
    const Wide d = source[3];
    target[0] = a;
    target[1] = b;
    target[2] = c;
    target[3] = d;
  }
}

}  // namespace

void copy_rows_by_string_move(const LimitWork& work) {
  for (std::size_t row = 0; row < work.count; ++row) {
    std::byte* to = target_of(work, row);
    const std::byte* from = source_of(work, row);
    std::size_t bytes = work.bytes;
    asm volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(bytes) : : "memory");
  }
}

void copy_rows_by_libc(const LimitWork& work) {
  for (std::size_t row = 0; row < work.count; ++row) {
    std::memcpy(target_of(work, row), source_of(work, row), work.bytes);
  }
}

void copy_in_one_piece(const LimitWork& work) {
  const std::size_t all = work.count * work.bytes;
  const std::size_t piece = work.capacity * work.bytes;
  for (std::size_t at = 0; at < all; at += piece) {
    std::byte* tile = work.tile + at;
    const std::size_t bytes = all - at < piece ? all - at : piece;
    copy_wide(work.is_gather ? tile : work.table, work.is_gather ? work.table : tile, bytes);
  }
}

void copy_by_libc(const LimitWork& work) {
  const std::size_t rows = std::min(work.count, work.capacity);
  const std::size_t from = std::min<std::size_t>(work.index[0], work.capacity - rows);
  for (std::size_t row = 0; row + rows <= work.count; row += rows) {
    std::byte* tile = work.tile + row * work.bytes;
    std::byte* table = work.table + from * work.bytes;
    std::memcpy(work.is_gather ? tile : table, work.is_gather ? table : tile, rows * work.bytes);
  }
}

void fill_all(const LimitWork& work) {
  Wide value = {};
  asm volatile("" : "+v"(value));
  for (std::size_t at = 0; at + sizeof value <= work.written; at += sizeof value) {
    *reinterpret_cast<Wide*>(work.table + at) = value;
  }
}

void load_each(const LimitWork& work) {
  switch (work.element) {
    case 1: return load_each_as<std::uint8_t>(work);
    case 2: return load_each_as<std::uint16_t>(work);
    default: return load_each_as<std::uint32_t>(work);
  }
}

void store_each(const LimitWork& work) {
  switch (work.element) {
    case 1: return store_each_as<std::uint8_t>(work);
    case 2: return store_each_as<std::uint16_t>(work);
    default: return store_each_as<std::uint32_t>(work);
  }
}

}  // namespace pto::jit::bench

// How a thread map hashes the specs it is asked for.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/cache/cache_entry.h"

namespace pto::jit {

// Over the fields that usually tell specs apart; equality is decided by all bytes. Four extents
// that follow one another are loaded twice, six bytes apart, so that each has 16 bits of the sum to
// itself and four products do for the whole spec.
inline std::uint64_t quick_hash(const KernelSpec& spec, std::uint64_t maker) {
  constexpr std::size_t kFlags = offsetof(KernelSpec, target);
  constexpr std::size_t kGroup = offsetof(KernelSpec, engine);
  constexpr std::size_t kData = offsetof(KernelSpec, data);
  constexpr std::size_t kIndex = offsetof(KernelSpec, index);
  constexpr std::size_t kStore = offsetof(KernelSpec, store);
  constexpr std::size_t kTable = offsetof(KernelSpec, table);
  const std::uint64_t data = word_at(spec, kData) + word_at(spec, kData + 6);
  const std::uint64_t table = word_at(spec, kTable + 4) + word_at(spec, kTable + 10) +
                              word_at(spec, kTable + offsetof(Table, strides) + 24);
  const std::uint64_t kinds =
      word_at(spec, kFlags) + (word_at(spec, kData + offsetof(Tile, dtype)) << 3);
  const std::uint64_t rest = word_at(spec, kIndex + 6) +
                             word_at(spec, kStore + offsetof(Tile, vr)) + word_at(spec, kGroup) +
                             maker;
  return data * 0x9e3779b97f4a7c15 + table * 0xff51afd7ed558ccd + kinds * 0xc4ceb9fe1a85ec53 +
         rest * 0xbf58476d1ce4e5b9;
}

// The upper half: the lowest bits of a product know nothing of the highest of its factors. Never 0.
inline std::uint32_t tag_of(std::uint64_t hash) {
  return static_cast<std::uint32_t>(hash >> 32) | 1;
}

}  // namespace pto::jit

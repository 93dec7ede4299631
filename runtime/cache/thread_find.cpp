// Finding a slot of a thread map: the one comparison per hit, as wide as the host can. Each
// function is compiled for its own feature level and chosen when a map is made.
#include "runtime/cache/thread_find.h"

#include <cstring>

#include "runtime/cache/thread_map.h"
#include "runtime/host/host_features.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace pto::jit {
namespace {

using Compare = bool (*)(const ThreadSlot& slot, const KernelSpec& spec);

const std::byte* bytes_of(const KernelSpec& spec) {
  return reinterpret_cast<const std::byte*>(&spec);
}

#if defined(__x86_64__)

static_assert(sizeof(KernelSpec) == 208);  // 13 * 16 = 6.5 * 32 = 3.25 * 64

inline bool same_by_16(const ThreadSlot& slot, const KernelSpec& spec) {
  const auto* a = reinterpret_cast<const __m128i*>(bytes_of(slot.spec));
  const auto* b = reinterpret_cast<const __m128i*>(bytes_of(spec));
  __m128i differ = _mm_xor_si128(_mm_load_si128(a), _mm_loadu_si128(b));
#pragma GCC unroll 12
  for (int i = 1; i < 13; ++i) {
    differ = _mm_or_si128(differ, _mm_xor_si128(_mm_load_si128(a + i), _mm_loadu_si128(b + i)));
  }
  return _mm_movemask_epi8(_mm_cmpeq_epi8(differ, _mm_setzero_si128())) == 0xffff;
}

// The last of each overlaps the one before.
[[gnu::target("avx2,bmi2")]] inline __m256i difference_32(const std::byte* a, const std::byte* b) {
  return _mm256_xor_si256(_mm256_load_si256(reinterpret_cast<const __m256i*>(a)),
                          _mm256_loadu_si256(reinterpret_cast<const __m256i*>(b)));
}

[[gnu::target("avx2,bmi2")]] inline bool same_by_32(const ThreadSlot& slot,
                                                    const KernelSpec& spec) {
  const std::byte* a = bytes_of(slot.spec);
  const std::byte* b = bytes_of(spec);
  const __m256i last =
      _mm256_xor_si256(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(a + 176)),
                       _mm256_loadu_si256(reinterpret_cast<const __m256i*>(b + 176)));
  __m256i differ = last;
#pragma GCC unroll 6
  for (int i = 0; i < 192; i += 32) {
    differ = _mm256_or_si256(differ, difference_32(a + i, b + i));
  }
  return _mm256_testz_si256(differ, differ) != 0;
}

[[gnu::target("avx512f,bmi2")]] inline bool same_by_64(const ThreadSlot& slot,
                                                       const KernelSpec& spec) {
  constexpr int kOrXor = 0xf6;  // first | (second ^ third)
  const std::byte* a = bytes_of(slot.spec);
  const std::byte* b = bytes_of(spec);
  __m512i differ = _mm512_xor_si512(_mm512_loadu_si512(a), _mm512_loadu_si512(b));
#pragma GCC unroll 3
  for (const int i : {64, 128, 144}) {
    differ = _mm512_ternarylogic_epi64(differ, _mm512_loadu_si512(a + i), _mm512_loadu_si512(b + i),
                                       kOrXor);
  }
  return _mm512_test_epi64_mask(differ, differ) == 0;
}

#else

inline bool same_by_library(const ThreadSlot& slot, const KernelSpec& spec) {
  return std::memcmp(&slot.spec, &spec, sizeof spec) == 0;
}

#endif

}  // namespace

// A friend of the map, with a search for each comparison. They are flattened so that the comparison
// becomes part of a search for the same feature level.
struct ThreadFind {
  template <Compare Same>
  static ThreadSlot* find(ThreadMap& map, const KernelSpec& spec, std::uint64_t maker) {
    const ThreadMap::Memo& memo = map.memo_of(spec);
    if (memo.spec == &spec) [[likely]] {
      ThreadSlot& slot = map.slots_[memo.slot];
      if (slot.maker == maker && Same(slot, spec)) [[likely]]
        return &slot;
    }
    return find_by_content<Same>(map, spec, maker);
  }

  template <Compare Same>
  static ThreadSlot* find_by_content(ThreadMap& map, const KernelSpec& spec, std::uint64_t maker) {
    const std::uint64_t hash = quick_hash(spec, maker);
    const std::uint32_t tag = tag_of(hash);
    for (std::size_t at = map.home_of(hash);; at = (at + 1) & map.mask_) {
      const ThreadMap::Place place = map.index_[at];
      if (place.tag == 0) return nullptr;
      if (place.tag != tag) continue;
      ThreadSlot& slot = map.slots_[place.slot];
      if (slot.maker != maker || !Same(slot, spec)) continue;
      map.memo_of(spec) = {&spec, place.slot};
      return &slot;
    }
  }

#if defined(__x86_64__)
  [[gnu::flatten]] static ThreadSlot* by_16(ThreadMap& map, const KernelSpec& spec,
                                            std::uint64_t maker) {
    return find<same_by_16>(map, spec, maker);
  }
  [[gnu::flatten, gnu::target("avx2,bmi2")]] static ThreadSlot* by_32(ThreadMap& map,
                                                                      const KernelSpec& spec,
                                                                      std::uint64_t maker) {
    return find<same_by_32>(map, spec, maker);
  }
  [[gnu::flatten, gnu::target("avx512f,bmi2")]] static ThreadSlot* by_64(ThreadMap& map,
                                                                         const KernelSpec& spec,
                                                                         std::uint64_t maker) {
    return find<same_by_64>(map, spec, maker);
  }
#endif
};

ThreadMap::Find ThreadMap::best_find() {
#if defined(__x86_64__)
  const HostFeatures& host = host_features();
  if (host.avx512f && host.bmi2) return ThreadFind::by_64;
  if (host.avx2 && host.bmi2) return ThreadFind::by_32;
  return ThreadFind::by_16;
#else
  return ThreadFind::find<same_by_library>;
#endif
}

}  // namespace pto::jit

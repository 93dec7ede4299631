#include "runtime/cache/cache_reader.h"

#include <cstring>

#include "runtime/cache/process_fence.h"
#include "runtime/host/host_features.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace pto::jit {
namespace {

bool same_by_library(const KernelSpec& a, const KernelSpec& b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

#if defined(__x86_64__)

// Without a branch between the vectors, the last of which overlaps the one before.
[[gnu::target("avx2")]] inline bool same_by_vectors(const KernelSpec& a, const KernelSpec& b) {
  constexpr std::size_t kLast = sizeof(KernelSpec) - sizeof(__m256i);
  __m256i differ = _mm256_setzero_si256();
#pragma GCC unroll 8
  for (std::size_t at = 0; at < sizeof(KernelSpec); at += sizeof(__m256i)) {
    const std::size_t from = at < kLast ? at : kLast;
    const auto* x = reinterpret_cast<const __m256i*>(reinterpret_cast<const char*>(&a) + from);
    const auto* y = reinterpret_cast<const __m256i*>(reinterpret_cast<const char*>(&b) + from);
    const __m256i difference = _mm256_xor_si256(_mm256_loadu_si256(x), _mm256_loadu_si256(y));
    differ = _mm256_or_si256(differ, difference);
  }
  return _mm256_testz_si256(differ, differ) != 0;
}

#endif

}  // namespace

[[gnu::tls_model("initial-exec")]] constinit thread_local CacheReader* last_reader = nullptr;

// Comparing specs is most of it, so that is done as wide as the host can, by a function compiled
// for the same features that it becomes a part of.
struct Recall {
  template <bool (*is_same)(const KernelSpec&, const KernelSpec&)>
  static const CacheEntry* recall(CacheReader& reader, const KernelSpec& spec,
                                  std::uint64_t maker) {
    const CacheEntry* entry = reader.memo_.entry_of(&spec);
    if (!entry) return nullptr;
    reader.announce(entry);
    if (reader.removals() != reader.memo_removals_) return nullptr;
    if (entry->key.maker != maker || !is_same(entry->key.spec, spec)) return nullptr;
    reader.count_hit(*entry);
    return entry;
  }

#if defined(__x86_64__)
  [[gnu::flatten, gnu::target("avx2")]] static const CacheEntry* by_vectors(CacheReader& reader,
                                                                            const KernelSpec& spec,
                                                                            std::uint64_t maker) {
    return recall<same_by_vectors>(reader, spec, maker);
  }
#endif
};

CacheReader::RecallFunction CacheReader::best_recall() {
#if defined(__x86_64__)
  if (host_features().avx2) return Recall::by_vectors;
#endif
  return Recall::recall<same_by_library>;
}

CacheReader::CacheReader(const CacheState& cache, const std::atomic<std::uint64_t>& removals)
    : cache_(&cache),
      recall_(best_recall()),
      removals_(&removals),
      must_fence_(!has_process_fence()),
      is_fencing_(!has_process_fence()) {}

// Starts over when a removal is counted meanwhile.
const CacheEntry* CacheReader::find(const KernelTable& table, const KernelSpec& spec,
                                    std::uint64_t maker) {
  const std::uint64_t hash = hash_of(spec, maker);
  std::uint64_t before = 0;
  const CacheEntry* found = nullptr;
  do {
    before = removals();
    found = table.find(hash, [&](const CacheEntry* entry) {
      announce(entry);
      return removals() != before || entry->is(spec, maker);
    });
  } while (removals() != before);
  if (!found) return nullptr;
  if (memo_removals_ != before) memo_.forget();
  memo_removals_ = before;
  memo_.note(&spec, *found);
  count_hit(*found);
  return found;
}

}  // namespace pto::jit

#include "runtime/host/host_probe.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <limits>
#include <vector>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace pto::jit {

#if defined(__x86_64__)

namespace {

constexpr std::size_t kElements = 512;
constexpr int kRounds = 9;
constexpr int kStringGain = 25;  // percent: copies in a row flatter it, rows apart do not
constexpr std::size_t kCopied = std::size_t{128} << 10;  // bytes of a round: beyond the first cache

struct Data {
  std::vector<std::uint32_t> table = std::vector<std::uint32_t>(kElements, 1);
  std::vector<std::uint32_t> index = std::vector<std::uint32_t>(kElements);
  std::vector<std::uint32_t> out = std::vector<std::uint32_t>(kElements);
};

__attribute__((target("avx2"), noinline)) void gather_vectors(Data& data) {
  for (std::size_t i = 0; i < kElements; i += 8) {
    const __m256i at = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(&data.index[i]));
    const __m256i value =
        _mm256_i32gather_epi32(reinterpret_cast<const int*>(data.table.data()), at, 4);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(&data.out[i]), value);
  }
}

// Two indices by one load; the empty statements keep the compiler from making vectors of it.
__attribute__((noinline)) void gather_singly(Data& data) {
  const std::uint32_t* table = data.table.data();
  for (std::size_t i = 0; i < kElements; i += 2) {
    std::uint64_t both = 0;
    __builtin_memcpy(&both, &data.index[i], sizeof both);
    std::uint32_t first = table[static_cast<std::uint32_t>(both)];
    std::uint32_t second = table[both >> 32];
    __asm__("" : "+r"(first), "+r"(second));
    data.out[i] = first;
    data.out[i + 1] = second;
  }
}

__attribute__((target("avx2"), noinline)) void copy_vectors(std::byte* to, const std::byte* from,
                                                            std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; i += 64) {
    const __m256i low = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from + i));
    const __m256i high = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from + i + 32));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + i), low);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + i + 32), high);
  }
}

__attribute__((target("avx512f"), noinline)) void copy_wide(std::byte* to, const std::byte* from,
                                                            std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; i += 256) {
    const __m512i a = _mm512_loadu_si512(from + i);
    const __m512i b = _mm512_loadu_si512(from + i + 64);
    const __m512i c = _mm512_loadu_si512(from + i + 128);
    const __m512i d = _mm512_loadu_si512(from + i + 192);
    _mm512_storeu_si512(to + i, a);
    _mm512_storeu_si512(to + i + 64, b);
    _mm512_storeu_si512(to + i + 128, c);
    _mm512_storeu_si512(to + i + 192, d);
  }
}

__attribute__((noinline)) void copy_string(std::byte* to, const std::byte* from,
                                           std::size_t bytes) {
  __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(bytes) : : "memory");
}

// The quickest of several rounds of two rivals, taken in turn: whether the first is faster by more
// than `percent`.
template <class First, class Second>
bool is_first_faster(First&& first, Second&& second, int percent) {
  using Clock = std::chrono::steady_clock;
  Clock::duration best_first = Clock::duration::max();
  Clock::duration best_second = Clock::duration::max();
  for (int round = 0; round < kRounds; ++round) {
    const Clock::time_point begin = Clock::now();
    first();
    const Clock::time_point middle = Clock::now();
    second();
    const Clock::time_point end = Clock::now();
    best_first = std::min(best_first, middle - begin);
    best_second = std::min(best_second, end - middle);
  }
  return best_first * (100 + percent) < best_second * 100;
}

template <class Body>
auto repeated(int times, Body&& body) {
  return [=] {
    for (int i = 0; i < times; ++i) body();
  };
}

bool has_fast_gather() {
  Data data;
  for (std::size_t i = 0; i < kElements; ++i)
    data.index[i] = static_cast<std::uint32_t>(i * 197 % kElements);
  return is_first_faster(repeated(4, [&] { gather_vectors(data); }),
                         repeated(4, [&] { gather_singly(data); }), 0);
}

// The shortest of a few lengths from which the string instruction wins; none when it never does.
std::size_t shortest_string(const HostFeatures& host) {
  constexpr std::array<std::size_t, 3> kLengths = {4096, 8192, 16384};
  std::vector<std::byte> from(kCopied);
  std::vector<std::byte> to(kCopied);
  for (const std::size_t bytes : kLengths) {
    const auto over_all = [&](auto copy) {
      return [&, copy] {
        for (std::size_t at = 0; at < kCopied; at += bytes)
          copy(to.data() + at, from.data() + at, bytes);
      };
    };
    const auto vectors = host.avx512f ? copy_wide : copy_vectors;
    if (is_first_faster(over_all(copy_string), over_all(vectors), kStringGain)) return bytes;
  }
  return std::numeric_limits<std::int64_t>::max();
}

}  // namespace

void probe(HostFeatures& host) {
  if (!host.avx2) return;
  host.fast_gather = has_fast_gather();
  host.string_from = shortest_string(host);
}

#else

void probe(HostFeatures&) {}

#endif

}  // namespace pto::jit

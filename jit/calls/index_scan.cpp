#include "jit/calls/index_scan.h"

// One copy of a loop for each vector width, chosen when the library is loaded.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
#define PTOJIT_WIDTHS __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define PTOJIT_WIDTHS
#endif

namespace pto::jit {
namespace {

// Comparisons are added up instead of left early, so that they are done by vectors.
template <class Index>
inline bool inside(const Index* from, std::int64_t count, std::uint64_t limit) {
  // A limit beyond what an index can be lets all of them pass.
  const auto most = static_cast<Index>(limit - 1);
  if (limit == 0) return count == 0;
  if (most != limit - 1) return true;
  Index outside = 0;
  for (std::int64_t i = 0; i < count; ++i) outside |= static_cast<Index>(from[i] > most);
  return outside == 0;
}

PTOJIT_WIDTHS bool inside_2(const std::uint16_t* from, std::int64_t count, std::uint64_t limit) {
  return inside(from, count, limit);
}

PTOJIT_WIDTHS bool inside_4(const std::uint32_t* from, std::int64_t count, std::uint64_t limit) {
  return inside(from, count, limit);
}

PTOJIT_WIDTHS bool inside_8(const std::uint64_t* from, std::int64_t count, IndexRange range) {
  std::uint64_t outside = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    outside |= static_cast<std::uint64_t>(from[i] + range.bias >= range.limit);
  }
  return outside == 0;
}

PTOJIT_WIDTHS bool narrow_8(const std::uint64_t* from, std::int64_t count, IndexRange range,
                            std::uint32_t* out) {
  std::uint64_t outside = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    outside |= static_cast<std::uint64_t>(from[i] + range.bias >= range.limit);
    out[i] = static_cast<std::uint32_t>(from[i]);
  }
  return outside == 0;
}

}  // namespace

bool all_inside(const IndexRun& run, IndexRange range) {
  switch (run.size) {
    case 2: return inside_2(static_cast<const std::uint16_t*>(run.first), run.count, range.limit);
    case 4: return inside_4(static_cast<const std::uint32_t*>(run.first), run.count, range.limit);
    default: return inside_8(static_cast<const std::uint64_t*>(run.first), run.count, range);
  }
}

bool narrow_indices(const IndexRun& run, IndexRange range, std::uint32_t* out) {
  return narrow_8(static_cast<const std::uint64_t*>(run.first), run.count, range, out);
}

}  // namespace pto::jit

// The legal path through verify never touches the heap.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <vector>

#include "ir/canonical.h"
#include "ir/spec_text.h"
#include "runtime/cache/cache_entry.h"
#include "targets/verify.h"
#include "tests/support/allocations.h"
#include "tests/support/grid.h"

namespace pto::jit::tests {
namespace {

// Keeps the compiler from leaving an allocation out.
void use(const void* memory) { asm volatile("" : : "r"(memory) : "memory"); }

struct alignas(128) Wide {
  std::array<std::byte, 128> bytes;
};

TEST(Allocations, AreCounted) {
  EXPECT_EQ(allocations_of([] {}), 0u);
  EXPECT_EQ(allocations_of([] { use(std::make_unique<int>(7).get()); }), 1u);
  EXPECT_EQ(allocations_of([] { use(std::vector<int>(100, 7).data()); }), 1u);
  EXPECT_EQ(allocations_of([] { use(std::make_unique<Wide>().get()); }), 1u);
  EXPECT_EQ(allocations_of([] { use(std::make_unique<std::byte[]>(9).get()); }), 1u);
}

TEST(Allocations, VerifyOfALegalSpecMakesNone) {
  const std::vector<KernelSpec> legal = legal_grid();
  bool all_legal = true;
  std::uint64_t most = 0;
  for (const KernelSpec& spec : legal) {
    most = std::max(most, allocations_of([&] { all_legal &= verify(spec).has_value(); }));
  }
  EXPECT_TRUE(all_legal);
  EXPECT_EQ(most, 0u);
}

TEST(Allocations, IsLegalKeysAndBoundChecksMakeNone) {
  const std::vector<GridCase> runnable = runnable_grid();
  bool all_legal = true;
  std::uint64_t hashes = 0;
  std::uint64_t most = 0;
  for (const GridCase& entry : runnable) {
    const Result<LegalSpec> legal = verify(entry.spec);
    most = std::max(most, allocations_of([&] {
                      all_legal &= is_legal(entry.spec);
                      all_legal &= verify_bound(*legal, entry.bound).has_value();
                      hashes ^= hash_of(canonical(entry.spec), 0);
                    }));
  }
  EXPECT_TRUE(all_legal);
  EXPECT_NE(hashes, 0u);
  EXPECT_EQ(most, 0u);
}

TEST(Allocations, RawSpecsMakeNoneEither) {
  KernelSpec raw = *parse("a5:mscatter.row src=f32[8x32] idx=i32[1x8] table=f32[64x32]");
  raw.table.strides = {9, 9, 9, 32, 1};
  raw.conflict = Conflict::Last;
  raw.index.zero = 1;
  bool legal = false;
  EXPECT_EQ(allocations_of([&] { legal = verify(raw).has_value(); }), 0u);
  EXPECT_TRUE(legal);
}

}  // namespace
}  // namespace pto::jit::tests

// The store of operands: whose memory it takes, what its frame points to, what a copy shares.
#include "runtime/operands.h"

#include <gtest/gtest.h>

#include <cstring>

#include "ir/spec_text.h"
#include "targets/binding.h"

namespace pto::jit::tests {
namespace {

BoundSpec bound(std::string_view text) { return *jit::bind(*verify(*parse(text)), {}); }

OperandStore zeroed(const BoundSpec& kernel) {
  return *OperandStore::make(kernel.spec(), kernel.plan());
}

TEST(OperandStore, HoldsEveryOperandAndPointsAtIt) {
  const OperandStore store =
      zeroed(bound("a5:mscatter.row src=f32[8x32] idx=i32[1x8] table=f32[64x32]"));
  ASSERT_EQ(store.operands().size(), 3u);
  EXPECT_EQ(store.operands()[2].name, "table");
  EXPECT_EQ(store.bytes_of({Role::Data}).size(), 1024u);
  EXPECT_EQ(store.frame().tile, store.bytes_of({Role::Data}).data());
  EXPECT_EQ(store.frame().index, store.bytes_of({Role::Index}).data());
  EXPECT_EQ(store.frame().table, store.bytes_of({Role::Table}).data());
  EXPECT_EQ(store.frame().extents[static_cast<std::size_t>(Dim::TableD3)], 64);
  EXPECT_TRUE(store.bytes_of({Role::Store}).empty());
}

TEST(OperandStore, GivesRanksMemoryOfTheirOwnAndStagesNone) {
  const OperandStore store =
      zeroed(bound("a5:comm.tscatter src=f32[32x32] dst=f32[8x32] stage=f32[8x32] ranks=4 root=1"));
  ASSERT_EQ(store.operands().size(), 5u);
  EXPECT_EQ(store.operands()[4].name, "dst.3");
  EXPECT_EQ(store.frame().tile, store.bytes_of({Role::Table}).data());
  for (std::int32_t rank = 0; rank < 4; ++rank)
    EXPECT_EQ(store.frame().ranks[rank], store.bytes_of({Role::Peer, rank}).data());
}

TEST(OperandStore, KeepsItsFrameWhenItIsMoved) {
  OperandStore first =
      zeroed(bound("a5:mscatter.row.skip.audit src=f32[8x32] idx=i32[1x8] table=f32[64x32]"));
  const Frame before = first.frame();
  const OperandStore second = std::move(first);
  EXPECT_EQ(second.frame().tile, before.tile);
  EXPECT_EQ(second.frame().report, &second.report());
  EXPECT_EQ(second.frame().report, before.report);
  EXPECT_NE(second.frame().scratch, nullptr);
}

TEST(OperandStore, CopiesShareNothing) {
  const BoundSpec kernel = bound("a5:mgather.row dst=f32[8x32] idx=i32[1x8] table=f32[64x32]");
  const OperandStore store = zeroed(kernel);
  const OperandStore copy = store.copy_for(kernel.spec(), kernel.plan());
  EXPECT_TRUE(copy.holds_same(store));
  copy.bytes_of({Role::Table})[7] = std::byte{1};
  EXPECT_FALSE(copy.holds_same(store));
  EXPECT_EQ(store.bytes_of({Role::Table})[7], std::byte{0});
}

TEST(OperandStore, AsksItsSourceForWhatIsNeeded) {
  const BoundSpec kernel =
      bound("a5:mscatter.row.skip.audit src=f32[8x32] idx=i32[1x8] table=f32[64x32]");
  std::string asked;
  const StorageSource source = [&](const StorageRequest& wanted) -> Result<Storage> {
    asked += wanted.name + " " + std::to_string(wanted.bytes) + (wanted.operand ? "; " : ".");
    return zeros_for(wanted);
  };
  ASSERT_TRUE(OperandStore::make(kernel.spec(), kernel.plan(), source));
  EXPECT_EQ(asked, "src 1024; idx 32; table 8192; the audit 264.");
}

TEST(OperandStore, HandsOnWhatItsSourceRefuses) {
  const BoundSpec kernel = bound("a5:mgather.row dst=f32[8x32] idx=i32[1x8] table=f32[64x32]");
  const StorageSource none = [](const StorageRequest& wanted) -> Result<Storage> {
    return out_of_memory(wanted.name);
  };
  const Result<OperandStore> store = OperandStore::make(kernel.spec(), kernel.plan(), none);
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error()[0].id, "memory.allocate");
  EXPECT_EQ(store.error()[0].message, "there is not enough memory for dst");
}

TEST(Storage, OfZerosIsThereWithoutBytesAndRefusedBeyondReach) {
  const Result<Storage> none = zeros(0, "src");
  ASSERT_TRUE(none);
  EXPECT_NE(none->bytes.data(), nullptr);
  const Result<Storage> most = zeros(std::int64_t{1} << 62, "table");
  ASSERT_FALSE(most);
  EXPECT_EQ(most.error()[0].message,
            "there is not enough memory for table, 4611686018427387904 bytes");
}

}  // namespace
}  // namespace pto::jit::tests

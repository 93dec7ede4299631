// Operands by name and role, and every dimension by one number.
#include "ir/operands.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace pto::jit::tests {
namespace {

std::string names(Op op) {
  std::string out;
  for (const Operand& operand : operands_of(op))
    out += (out.empty() ? "" : " ") + std::string(operand.name);
  return out;
}

TEST(Operands, ComeInTheOrderOfTheText) {
  EXPECT_EQ(names(Op::MScatter), "src idx table");
  EXPECT_EQ(names(Op::MGather), "dst idx table");
  EXPECT_EQ(names(Op::TScatter), "src idx dst");
  EXPECT_EQ(names(Op::TScatterMask), "src dst");
  EXPECT_EQ(names(Op::TGatherB), "src offset dst");
  EXPECT_EQ(names(Op::CommTScatter), "src dst stage");
}

TEST(Operands, NameTheWrittenOne) {
  const auto written = [](Op op) { return operand_name(op, written_role(op)); };
  EXPECT_EQ(written(Op::MScatter), "table");
  EXPECT_EQ(written(Op::MGather), "dst");
  EXPECT_EQ(written(Op::TScatter), "dst");
  EXPECT_EQ(written(Op::TScatterMask), "dst");
  EXPECT_EQ(written(Op::TGatherB), "dst");
  EXPECT_EQ(written(Op::CommTScatter), "dst");
}

TEST(Operands, FeedEachPointerOfTheFrameAtMostOnce) {
  for (const Operation& operation : kOperations) {
    std::multiset<Side> fed;
    for (const Operand& operand : operands_of(operation.op)) fed.insert(operand.side);
    for (const Side side : {Side::Walked, Side::Index, Side::Addressed, Side::Ranks})
      EXPECT_LE(fed.count(side), 1U) << operation.form;
    EXPECT_EQ(fed.count(Side::Walked), 1U) << operation.form;
    EXPECT_EQ(fed.count(Side::Addressed) + fed.count(Side::Ranks), 1U) << operation.form;
  }
}

TEST(Operands, AreMovedFromOneToAnother) {
  for (const Operation& operation : kOperations) {
    EXPECT_TRUE(has_memory(operation.op, operation.from)) << operation.form;
    EXPECT_TRUE(has_memory(operation.op, operation.to)) << operation.form;
    EXPECT_NE(operation.from, operation.to) << operation.form;
  }
  EXPECT_FALSE(has_memory(Op::CommTScatter, Role::Data)) << "a stage";
  EXPECT_FALSE(has_memory(Op::MScatter, Role::Store)) << "no such operand";
}

TEST(Operands, HaveTheirRolesAndNoOthers) {
  EXPECT_TRUE(has_role(Op::MScatter, Role::Table));
  EXPECT_FALSE(has_role(Op::MScatter, Role::Store));
  EXPECT_FALSE(has_role(Op::MScatter, Role::Peer));
  EXPECT_FALSE(has_role(Op::TScatterMask, Role::Index));
  EXPECT_TRUE(has_role(Op::TGatherB, Role::Store));
  EXPECT_FALSE(has_role(Op::TGatherB, Role::Table));
  EXPECT_TRUE(has_role(Op::CommTScatter, Role::Peer));
  EXPECT_FALSE(has_role(Op::CommTScatter, Role::Index));
}

TEST(Dims, GetWhatWasSetAndNothingElse) {
  for (std::size_t i = 0; i < kDims; ++i) {
    KernelSpec spec;
    set(spec, static_cast<Dim>(i), 1000 + static_cast<std::int64_t>(i));
    for (std::size_t k = 0; k < kDims; ++k) {
      const std::int64_t expected = i == k ? 1000 + static_cast<std::int64_t>(i) : 0;
      EXPECT_EQ(get(spec, static_cast<Dim>(k)), expected) << i << " " << k;
    }
  }
}

TEST(Dims, ReachTheFieldsTheyAreNamedAfter) {
  KernelSpec spec;
  spec.data = {.rows = 1, .cols = 2, .vr = 3, .vc = 4};
  spec.index = {.rows = 5, .cols = 6, .vr = 7, .vc = 8};
  spec.store = {.rows = 9, .cols = 10, .vr = 11, .vc = 12};
  spec.table = {.shape = {13, 14, 15, 16, 17}, .strides = {18, 19, 20, 21, 22}};
  spec.peer = {.shape = {23, 24, 25, 26, 27}, .strides = {28, 29, 30, 31, 32}};
  EXPECT_EQ(get(spec, Dim::DataVr), 3);
  EXPECT_EQ(get(spec, Dim::IndexVc), 8);
  EXPECT_EQ(get(spec, Dim::StoreVr), 11);
  EXPECT_EQ(get(spec, Dim::TableD3), 16);
  EXPECT_EQ(get(spec, Dim::TableS0), 18);
  EXPECT_EQ(get(spec, Dim::PeerD4), 27);
  EXPECT_EQ(get(spec, Dim::PeerS4), 32);
}

TEST(Dims, HaveNamesThatReadBack) {
  for (const Operation& operation : kOperations) {
    const Op op = operation.op;
    std::set<std::string> seen;
    for (std::size_t i = 0; i < kDims; ++i) {
      const Dim dim = static_cast<Dim>(i);
      const std::string name = dim_name(op, dim);
      EXPECT_EQ(name.empty(), !has_role(op, role_of(dim)));
      if (name.empty()) continue;
      EXPECT_TRUE(seen.insert(name).second) << name;
      EXPECT_EQ(dim_named(op, name), dim) << name;
    }
  }
}

TEST(Dims, AreNamedByOperandAndField) {
  EXPECT_EQ(dim_name(Op::MScatter, Dim::DataVr), "src.vr");
  EXPECT_EQ(dim_name(Op::MGather, Dim::DataVr), "dst.vr");
  EXPECT_EQ(dim_name(Op::TGatherB, Dim::IndexVc), "offset.vc");
  EXPECT_EQ(dim_name(Op::TGatherB, Dim::StoreVc), "src.vc");
  EXPECT_EQ(dim_name(Op::MScatter, Dim::TableS3), "table.s3");
  EXPECT_EQ(dim_name(Op::CommTScatter, Dim::TableD3), "src.d3");
  EXPECT_EQ(dim_name(Op::CommTScatter, Dim::PeerS4), "dst.s4");
  EXPECT_EQ(dim_name(Op::CommTScatter, Dim::DataVc), "stage.vc");
}

TEST(Dims, UnknownNamesAreNoDimension) {
  for (const std::string_view name : {"", "src", "src.", ".vr", "src.vx", "table.d5", "table.d",
                                      "dst.vr", "src.vr ", "SRC.vr", "src.d0"}) {
    EXPECT_EQ(dim_named(Op::MScatter, name), std::nullopt) << name;
  }
}

TEST(Dims, StridesFollowTheExtentsOfATable) {
  EXPECT_EQ(first_extent(Role::Table) + 3, Dim::TableD3);
  EXPECT_EQ(first_stride(Role::Table) + 3, Dim::TableS3);
  EXPECT_EQ(first_stride(Role::Peer), Dim::PeerS0);
  EXPECT_TRUE(is_stride(Dim::TableS4));
  EXPECT_FALSE(is_stride(Dim::TableD4));
  EXPECT_FALSE(is_stride(Dim::StoreVc));
}

}  // namespace
}  // namespace pto::jit::tests

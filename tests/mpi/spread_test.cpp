// Tables spread over ranks: equal to one process's, bit for bit.
#include <gtest/gtest.h>

#include "tests/mpi/launched.h"

namespace pto::jit::tests {
namespace {

class MpiSpreadTable : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Ranks, MpiSpreadTable, ::testing::Values(1, 2, 3, 4, 8),
                         ::testing::PrintToStringParamName());

TEST_P(MpiSpreadTable, LeavesWhatOneProcessDoes) {
  EXPECT_TRUE(holds(GetParam(), "ptojit_mpi_spread cases", GetParam() * 480));
}

TEST(MpiSpreadTables, LeaveTheSameOverLoopback) {
  EXPECT_TRUE(holds(2, "ptojit_mpi_spread cases", 960, Way::Loopback));
}

TEST(MpiSpreadTables, RefuseOnEveryRankBeforeAnythingMoves) {
  for (const Way way : {Way::Any, Way::Loopback})
    EXPECT_TRUE(holds(3, "ptojit_mpi_spread errors", 45, way));
}

}  // namespace
}  // namespace pto::jit::tests

// Records of emulated runs, read and counted.
#include "jit/checks/emulation/run_record.h"

#include <gtest/gtest.h>

namespace pto::jit::tests {
namespace {

constexpr std::string_view kRecord =
    "report\trace: one of them\n"
    "operation\tMTE2\tTLOAD\treads\tsrc\t16\t112\t64\twrites\tUB\t64\t128\t64\n"
    "set\tMTE2\tV\tEVENT_ID3\n"
    "wait\tMTE2\tV\tEVENT_ID3\n"
    "operation\tV\tMSCATTER\treads\tUB\t64\t128\t64\twrites\ttable\t0\t96\t48\n"
    "follow\tS\tMTE3\n"
    "barrier\tALL\n"
    "end\n";

TEST(RunRecord, HasEveryStepAndReport) {
  const std::optional<RunRecord> record = parse_record(kRecord);
  ASSERT_TRUE(record);
  EXPECT_EQ(record->reports, "race: one of them\n");
  ASSERT_EQ(record->steps.size(), 6U);
  EXPECT_EQ(record->steps[0].name, "TLOAD");
  ASSERT_EQ(record->steps[0].touches.size(), 2U);
  EXPECT_EQ(record->steps[0].touches[0].where, "src");
  EXPECT_EQ(record->steps[0].touches[0].end, 112U);
  EXPECT_TRUE(record->steps[0].touches[1].is_write);
  EXPECT_EQ(record->steps[2].kind, StepKind::Wait);
  EXPECT_EQ(record->steps[2].to, "V");
  EXPECT_FALSE(record->is_automatic);
  EXPECT_TRUE(parse_record("automatic\nend\n")->is_automatic);
}

TEST(RunRecord, IsNoneWithoutItsLastLine) {
  EXPECT_FALSE(parse_record(""));
  EXPECT_FALSE(parse_record(kRecord.substr(0, kRecord.size() - 4)));
}

TEST(RunRecord, ComesToAnAccount) {
  Account account;
  account.add(*parse_record(kRecord));
  account.add(*parse_record(kRecord));
  EXPECT_EQ(account.operations, 4);
  EXPECT_EQ(account.transfers, 2);
  EXPECT_EQ(account.waits, 2);
  EXPECT_EQ(account.barriers, 2);
  EXPECT_EQ(account.bytes_read, 128U);
  EXPECT_EQ(account.bytes_written, 96U);
  EXPECT_EQ(account.meetings, (std::set<std::pair<std::string, std::string>>{{"MTE2", "V"}}));
}

}  // namespace
}  // namespace pto::jit::tests

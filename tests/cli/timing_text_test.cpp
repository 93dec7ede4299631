// The figures of `ptojit bench`, from timings whose results are known.
#include "jit/tools/bench/timing_text.h"

#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string>

namespace pto::jit::cli {
namespace {

// 64 indices of rows of 16 elements: 4096 bytes in 200 ns, which memcpy moves in 50.
TimedTable table_of_one_row() {
  KernelTiming timing = {.backend = Backend::Xbyak,
                         .compile_us = 3,
                         .lookup_ns = 7,
                         .call = {.low = 190, .median = 200, .high = 220},
                         .copy = {.low = 45, .median = 50, .high = 60},
                         .parts = 2,
                         .indices = 64,
                         .elements = 1024,
                         .bytes = 4096,
                         .index_sets = 5,
                         .table_bytes = 65536,
                         .table_met = 0.5,
                         .level = "L1"};
  return {
      .spec = "s", .strategy = "group=8", .wish = {}, .rows = {{.spec = "s", .timing = timing}}};
}

TEST(TimingText, FiguresFollowFromWhatWasMeasured) {
  const std::map<std::string, double> expected = {{"compile_us", 3},
                                                  {"lookup_ns", 7},
                                                  {"call_ns", 200},
                                                  {"call_ns_low", 190},
                                                  {"call_ns_high", 220},
                                                  {"ns_per_index", 3.125},
                                                  {"parts", 2},
                                                  {"bytes_per_ns", 20.48},
                                                  {"copy_bytes_per_ns", 81.92},
                                                  {"percent_of_copy", 25},
                                                  {"table_bytes", 65536},
                                                  {"table_met", 0.5},
                                                  {"index_sets", 5},
                                                  {"ns_per_element", 0.1953125}};
  const nlohmann::json row = nlohmann::json::parse(as_json(table_of_one_row()));
  std::size_t numbers = 0;
  for (const auto& [name, value] : row.items()) {
    const auto known = expected.find(name);
    if (known == expected.end()) continue;
    EXPECT_DOUBLE_EQ(value.get<double>(), known->second) << name;
    ++numbers;
  }
  EXPECT_EQ(numbers, expected.size()) << row;
}

TEST(TimingText, TextComparesWithTheCopyTheSameWay) {
  const std::string text = as_text(table_of_one_row());
  EXPECT_NE(text.find("this is 25 %"), std::string::npos) << text;
  EXPECT_NE(text.find("3.125 ns an index"), std::string::npos) << text;
  EXPECT_NE(text.find("meet 50 % of a table"), std::string::npos) << text;
}

TEST(TimingText, NothingMeasuredIsNoDivisionByZero) {
  TimedTable table = table_of_one_row();
  table.rows[0].timing = {};
  const nlohmann::json row = nlohmann::json::parse(as_json(table));
  EXPECT_EQ(row["percent_of_copy"], 0);
  EXPECT_EQ(row["ns_per_index"], 0);
}

}  // namespace
}  // namespace pto::jit::cli

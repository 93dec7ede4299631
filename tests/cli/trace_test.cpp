// Emulated runs as Chrome traces: valid JSON, a track for each pipe, an arrow for each wait.
#include "jit/checks/trace.h"

#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "tests/cli/tool_fixture.h"

namespace pto::jit::tests {
namespace {

using nlohmann::json;

constexpr const char* kSpec = "a2a3:mscatter.row.clamp src=f32[8x32] idx=i32[1x8] table=f32[64x32]";

// An event lies in a slice of its own track.
bool is_in_a_slice(const json& events, const json& event) {
  for (const json& slice : events) {
    if (slice.at("ph") != "X" || slice.at("pid") != event.at("pid")) continue;
    const auto begin = slice.at("ts").get<std::uint64_t>();
    const auto at = event.at("ts").get<std::uint64_t>();
    if (slice.at("tid") != event.at("tid") || at < begin) continue;
    if (at < begin + slice.at("dur").get<std::uint64_t>()) return true;
  }
  return false;
}

class TraceTest : public ToolTest {
 protected:
  struct Traced {
    json checked;
    json events;
  };

  // One check for all tests.
  const Traced& traced() const {
    static const Traced kept = [this] {
      const ToolRun run = tool({"emit", kSpec, "--check", "--json", "--trace", path("trace.json")});
      EXPECT_EQ(run.exit, 0) << run.err << run.out;
      const Bytes bytes = get("trace.json");
      const auto* text = reinterpret_cast<const char*>(bytes.data());
      return Traced{json::parse(run.out).at("checked"),
                    json::parse(text, text + bytes.size()).at("traceEvents")};
    }();
    return kept;
  }
};

TEST_F(TraceTest, ShowsWhatTheCheckCounts) {
  const json& checked = traced().checked;
  std::map<std::string, std::int64_t> kinds;
  std::set<std::string> tracks;
  std::set<std::string> processes;
  std::int64_t operations = 0;
  for (const json& event : traced().events) {
    ++kinds[event.at("ph")];
    if (event.at("name") == "thread_name") tracks.insert(event.at("args").at("name"));
    if (event.at("name") == "process_name") processes.insert(event.at("args").at("name"));
    operations +=
        event.at("name") == "TLOAD" || event.at("name") == "MSCATTER" || event.at("name") == "dcci";
  }
  EXPECT_EQ(tracks, (std::set<std::string>{"MTE2", "MTE3", "S", "V"}));
  EXPECT_EQ(processes,
            (std::set<std::string>{"sequential indices", "random indices", "beyond indices"}));
  EXPECT_EQ(kinds["s"], checked.at("waits"));
  EXPECT_EQ(kinds["f"], checked.at("waits"));
  EXPECT_EQ(operations, checked.at("operations"));
}

TEST_F(TraceTest, ArrowsLeadForwardFromSliceToSlice) {
  const json& events = traced().events;
  std::map<std::uint64_t, json> starts;
  int arrows = 0;
  for (const json& event : events) {
    if (event.at("ph") != "s" && event.at("ph") != "f") continue;
    EXPECT_TRUE(is_in_a_slice(events, event)) << event;
    if (event.at("ph") == "s") {
      starts[event.at("id")] = event;
      continue;
    }
    const json& start = starts.at(event.at("id"));
    EXPECT_LT(start.at("ts"), event.at("ts"));
    EXPECT_NE(start.at("tid"), event.at("tid"));
    ++arrows;
  }
  EXPECT_GT(arrows, 10);
}

TEST_F(TraceTest, SlicesOfATrackFollowOneAnother) {
  std::map<std::pair<int, int>, std::uint64_t> ends;
  for (const json& event : traced().events) {
    if (event.at("ph") != "X") continue;
    std::uint64_t& end = ends[{event.at("pid").get<int>(), event.at("tid").get<int>()}];
    EXPECT_GE(event.at("ts").get<std::uint64_t>(), end) << event;
    end = event.at("ts").get<std::uint64_t>() + event.at("dur").get<std::uint64_t>();
  }
  EXPECT_GE(ends.size(), 12U);
}

TEST_F(TraceTest, OperationsTellBytesAndAddresses) {
  const json& events = traced().events;
  const auto load = std::find_if(events.begin(), events.end(),
                                 [](const json& event) { return event.at("name") == "TLOAD"; });
  ASSERT_NE(load, events.end());
  const json source = {{"memory", "src"}, {"address", 0}, {"end", 1024}, {"bytes", 1024}};
  const json tile = {{"memory", "UB"}, {"address", 0}, {"end", 1024}, {"bytes", 1024}};
  EXPECT_EQ(load->at("args").at("reads"), json::array({source}));
  EXPECT_EQ(load->at("args").at("writes"), json::array({tile}));
  EXPECT_EQ(load->at("dur"), 32);
}

TEST_F(TraceTest, WaitsLastUntilTheFlagIsThere) {
  RunRecord record;
  record.steps = {{.kind = StepKind::Operation,
                   .pipe = "MTE2",
                   .name = "TLOAD",
                   .touches = {{"src", false, 0, 320, 320}}},
                  {StepKind::Set, "MTE2", "V", "EVENT_ID0"},
                  {StepKind::Wait, "MTE2", "V", "EVENT_ID0"},
                  {.kind = StepKind::Operation, .pipe = "V", .name = "MSCATTER"}};
  const cli::NamedRun run{"a run", record};
  const json events = json::parse(cli::trace_text(std::span(&run, 1))).at("traceEvents");
  EXPECT_EQ(events.back().at("name"), "MSCATTER");
  EXPECT_EQ(events.back().at("ts"), 12);  // ten blocks, the flag set, the flag seen
}

TEST_F(TraceTest, OperationsInProgramOrderDoNotOverlap) {
  RunRecord record{.reports = "", .is_automatic = true};
  for (const std::string pipe : {"MTE2", "V", "MTE3"})
    record.steps.push_back({.kind = StepKind::Operation, .pipe = pipe, .name = pipe});
  const cli::NamedRun run{"a run", record};
  const json trace = json::parse(cli::trace_text(std::span(&run, 1)));
  std::uint64_t at = 0;
  for (const json& event : trace.at("traceEvents")) {
    if (event.at("ph") == "X") {
      EXPECT_EQ(event.at("ts"), at++) << event;
    }
  }
  EXPECT_EQ(at, 3U);
}

TEST_F(TraceTest, IsWrittenWithTheKernelOrNotAtAll) {
  const ToolRun lost = tool(
      {"emit", kSpec, "--check", "-o", path("kernel.cpp"), "--trace", path("none/trace.json")});
  EXPECT_TRUE(lost.fails(2, {"file.write", "trace.json"}));
  EXPECT_TRUE(names().empty());
  const ToolRun both =
      tool({"emit", kSpec, "--check", "-o", path("kernel.cpp"), "--trace", path("trace.json")});
  EXPECT_EQ(both.exit, 0) << both.err;
  EXPECT_EQ(names(), (std::set<std::string>{"kernel.cpp", "trace.json"}));
}

TEST_F(TraceTest, NeedsACheckToShow) {
  EXPECT_TRUE(tool({"emit", kSpec, "--trace", path("t")}).fails(2, {"option.trace", "--check"}));
  EXPECT_TRUE(
      tool({"emit", kSpec, "--form", "asm", "--trace", path("t")}).fails(2, {"option.trace"}));
  EXPECT_TRUE(names().empty());
}

}  // namespace
}  // namespace pto::jit::tests

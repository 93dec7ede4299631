#include "jit/checks/trace.h"

#include <nlohmann/json.hpp>

#include "jit/checks/schedule.h"

namespace pto::jit::cli {
namespace {

using nlohmann::json;

json arguments_of(const Slice& slice) {
  json out = json::object();
  for (const Touch& touch : slice.touches) {
    out[touch.is_write ? "writes" : "reads"].push_back({{"memory", touch.where},
                                                        {"address", touch.begin},
                                                        {"end", touch.end},
                                                        {"bytes", touch.bytes}});
  }
  return out;
}

// The events of one run.
class RunEvents {
 public:
  RunEvents(std::size_t process, json& events, std::uint64_t& flows)
      : process_(process), events_(events), flows_(flows) {}

  void draw(const NamedRun& run) {
    const Schedule schedule = schedule_of(run.record);
    name("process_name", 0, run.name);
    for (std::size_t i = 0; i < schedule.tracks.size(); ++i)
      name("thread_name", i, schedule.tracks[i]);
    for (const Arrow& arrow : schedule.arrows) {
      ++flows_;
      event("s", arrow.from, "wait", arrow.set, {{"cat", "wait"}, {"id", flows_}});
      event("f", arrow.to, "wait", arrow.seen, {{"cat", "wait"}, {"id", flows_}, {"bp", "e"}});
    }
    for (const Slice& slice : schedule.slices)
      event("X", slice.track, slice.what, slice.at,
            {{"dur", slice.blocks}, {"args", arguments_of(slice)}});
  }

 private:
  void name(const char* what, std::size_t track, const std::string& text) {
    events_.push_back({{"ph", "M"},
                       {"name", what},
                       {"pid", process_},
                       {"tid", track},
                       {"args", {{"name", text}}}});
  }

  void event(const char* kind, std::size_t track, const std::string& what, std::uint64_t at,
             const json& more) {
    json out = {{"ph", kind}, {"name", what}, {"pid", process_}, {"tid", track}, {"ts", at}};
    out.update(more);
    events_.push_back(std::move(out));
  }

  std::size_t process_;
  json& events_;
  std::uint64_t& flows_;
};

}  // namespace

std::string trace_text(std::span<const NamedRun> runs) {
  json events = json::array();
  std::uint64_t flows = 0;
  for (std::size_t i = 0; i < runs.size(); ++i) RunEvents(i, events, flows).draw(runs[i]);
  return json{{"displayTimeUnit", "ns"}, {"traceEvents", std::move(events)}}.dump() + "\n";
}

}  // namespace pto::jit::cli

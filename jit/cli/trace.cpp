#include "jit/cli/trace.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

namespace pto::jit::cli {
namespace {

using nlohmann::json;

constexpr std::uint64_t kBlockBytes = 32;
constexpr const char* kAll = "ALL";

std::uint64_t blocks_of(const Step& step) {
  std::uint64_t most = 1;
  for (const bool is_write : {false, true}) {
    std::uint64_t bytes = 0;
    for (const Touch& touch : step.touches) bytes += touch.is_write == is_write ? touch.bytes : 0;
    most = std::max(most, (bytes + kBlockBytes - 1) / kBlockBytes);
  }
  return most;
}

json arguments_of(const Step& step) {
  json out = json::object();
  for (const Touch& touch : step.touches) {
    out[touch.is_write ? "writes" : "reads"].push_back({{"memory", touch.where},
                                                        {"address", touch.begin},
                                                        {"end", touch.end},
                                                        {"bytes", touch.bytes}});
  }
  return out;
}

// The events of one run.
class Timeline {
 public:
  Timeline(std::size_t process, json& events, std::uint64_t& flows)
      : process_(process), events_(events), flows_(flows) {}

  void draw(const NamedRun& run) {
    name("process_name", 0, run.name);
    for (const Step& step : run.record.steps) add_tracks(step);
    for (const Step& step : run.record.steps) {
      if (run.record.is_automatic) join_all();
      draw(step);
    }
  }

 private:
  // A flag that is set, in one block of its pipe.
  struct Sent {
    std::uint64_t flow = 0;
    std::uint64_t at = 0;
  };

  void name(const char* what, std::size_t track, const std::string& text) {
    events_.push_back({{"ph", "M"},
                       {"name", what},
                       {"pid", process_},
                       {"tid", track},
                       {"args", {{"name", text}}}});
  }

  void add_tracks(const Step& step) {
    for (const std::string& pipe : {step.pipe, step.to}) {
      if (pipe.empty() || pipe == kAll || !tracks_.try_emplace(pipe, tracks_.size()).second)
        continue;
      free_[pipe] = 0;
      name("thread_name", tracks_[pipe], pipe);
    }
  }

  void draw(const Step& step) {
    switch (step.kind) {
      case StepKind::Operation:
        return slice(step.pipe, step.name, blocks_of(step), arguments_of(step));
      case StepKind::Set: return set(step);
      case StepKind::Wait: return wait(step);
      case StepKind::Barrier: return barrier(step);
      case StepKind::Follow: free_[step.to] = std::max(free_[step.to], free_[step.pipe]); return;
    }
  }

  void slice(const std::string& pipe, const std::string& what, std::uint64_t blocks,
             json arguments) {
    event("X", pipe, what, free_[pipe], {{"dur", blocks}, {"args", std::move(arguments)}});
    free_[pipe] += blocks;
  }

  void event(const char* kind, const std::string& pipe, const std::string& what, std::uint64_t at,
             json more) {
    json out = {
        {"ph", kind}, {"name", what}, {"pid", process_}, {"tid", tracks_[pipe]}, {"ts", at}};
    out.update(more);
    events_.push_back(std::move(out));
  }

  static std::string flag_of(const Step& step) {
    return "(" + step.pipe + ", " + step.to + ", " + step.name + ")";
  }

  void set(const Step& step) {
    sent_[flag_of(step)] = {++flows_, free_[step.pipe]};
    slice(step.pipe, "set_flag" + flag_of(step), 1, json::object());
  }

  // It lasts until the flag is there; the arrow ends in its last block.
  void wait(const Step& step) {
    const Sent sent = sent_[flag_of(step)];
    const std::uint64_t since = free_[step.to];
    const std::uint64_t until = std::max(since, sent.at + 1) + 1;
    event("s", step.pipe, "wait", sent.at, {{"cat", "wait"}, {"id", sent.flow}});
    slice(step.to, "wait_flag" + flag_of(step), until - since, json::object());
    event("f", step.to, "wait", until - 1, {{"cat", "wait"}, {"id", sent.flow}, {"bp", "e"}});
  }

  void barrier(const Step& step) {
    const std::string what = "pipe_barrier(" + step.pipe + ")";
    if (step.pipe != kAll) return slice(step.pipe, what, 1, json::object());
    const std::uint64_t until = latest() + 1;
    for (const auto& [pipe, track] : tracks_)
      slice(pipe, what, until - free_[pipe], json::object());
  }

  std::uint64_t latest() const {
    std::uint64_t out = 0;
    for (const auto& [pipe, since] : free_) out = std::max(out, since);
    return out;
  }

  void join_all() {
    const std::uint64_t until = latest();
    for (auto& [pipe, since] : free_) since = until;
  }

  std::size_t process_;
  json& events_;
  std::uint64_t& flows_;
  std::map<std::string, std::size_t> tracks_;
  std::map<std::string, std::uint64_t> free_;  // when a pipe is free again
  std::map<std::string, Sent> sent_;           // the last set of each flag
};

}  // namespace

std::string trace_text(std::span<const NamedRun> runs) {
  json events = json::array();
  std::uint64_t flows = 0;
  for (std::size_t i = 0; i < runs.size(); ++i) Timeline(i, events, flows).draw(runs[i]);
  return json{{"displayTimeUnit", "ns"}, {"traceEvents", std::move(events)}}.dump() + "\n";
}

}  // namespace pto::jit::cli

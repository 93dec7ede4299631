#include "jit/checks/schedule.h"

#include <algorithm>
#include <array>
#include <map>

namespace pto::jit::cli {
namespace {

constexpr std::uint64_t kBlockBytes = 32;
constexpr const char* kAll = "ALL";
constexpr std::array kPipes = {"MTE2", "V", "S", "MTE3"};

std::uint64_t blocks_of(const Step& step) {
  std::uint64_t most = 1;
  for (const bool is_write : {false, true}) {
    std::uint64_t bytes = 0;
    for (const Touch& touch : step.touches) bytes += touch.is_write == is_write ? touch.bytes : 0;
    most = std::max(most, (bytes + kBlockBytes - 1) / kBlockBytes);
  }
  return most;
}

std::size_t rank_of(const std::string& pipe) {
  return static_cast<std::size_t>(std::ranges::find(kPipes, pipe) - kPipes.begin());
}

std::vector<std::string> pipes_of(const RunRecord& record) {
  std::vector<std::string> out;
  for (const Step& step : record.steps) {
    for (const std::string& pipe : {step.pipe, step.to}) {
      if (!pipe.empty() && pipe != kAll && std::ranges::find(out, pipe) == out.end())
        out.push_back(pipe);
    }
  }
  std::ranges::stable_sort(out, {}, rank_of);
  return out;
}

class Scheduler {
 public:
  explicit Scheduler(const RunRecord& record) : record_(record) {
    out_.tracks = pipes_of(record);
    for (const std::string& pipe : out_.tracks) tracks_.emplace(pipe, tracks_.size());
    free_.resize(out_.tracks.size());
  }

  Schedule run() {
    for (const Step& step : record_.steps) {
      if (record_.is_automatic) std::ranges::fill(free_, std::ranges::max(free_));
      add(step);
    }
    return std::move(out_);
  }

 private:
  // A flag that is set, in one block of its pipe.
  struct Sent {
    std::size_t track = 0;
    std::uint64_t at = 0;
  };

  void add(const Step& step) {
    switch (step.kind) {
      case StepKind::Operation: return operation(step);
      case StepKind::Set: return set(step);
      case StepKind::Wait: return wait(step);
      case StepKind::Barrier: return barrier(step);
      case StepKind::Follow: return follow(tracks_[step.pipe], tracks_[step.to]);
    }
  }

  void slice(std::size_t track, const std::string& what, std::uint64_t blocks) {
    out_.slices.push_back({.track = track, .what = what, .at = free_[track], .blocks = blocks});
    free_[track] += blocks;
  }

  void operation(const Step& step) {
    slice(tracks_[step.pipe], step.name, blocks_of(step));
    out_.slices.back().operation = ++operations_;
    out_.slices.back().touches = step.touches;
  }

  void follow(std::size_t earlier, std::size_t later) {
    free_[later] = std::max(free_[later], free_[earlier]);
  }

  static std::string flag_of(const Step& step) {
    return "(" + step.pipe + ", " + step.to + ", " + step.name + ")";
  }

  void set(const Step& step) {
    const std::size_t track = tracks_[step.pipe];
    sent_[flag_of(step)] = {track, free_[track]};
    slice(track, "set_flag" + flag_of(step), 1);
  }

  // It lasts until the flag is there; the arrow ends in its last block.
  void wait(const Step& step) {
    const Sent sent = sent_[flag_of(step)];
    const std::size_t track = tracks_[step.to];
    const std::uint64_t until = std::max(free_[track], sent.at + 1) + 1;
    slice(track, "wait_flag" + flag_of(step), until - free_[track]);
    out_.arrows.push_back({.from = sent.track, .to = track, .set = sent.at, .seen = until - 1});
  }

  void barrier(const Step& step) {
    const std::string what = "pipe_barrier(" + step.pipe + ")";
    if (step.pipe != kAll) return slice(tracks_[step.pipe], what, 1);
    if (free_.empty()) return;
    const std::uint64_t until = std::ranges::max(free_) + 1;
    for (std::size_t track = 0; track < free_.size(); ++track)
      slice(track, what, until - free_[track]);
  }

  const RunRecord& record_;
  Schedule out_;
  std::size_t operations_ = 0;
  std::map<std::string, std::size_t> tracks_;
  std::vector<std::uint64_t> free_;   // when a pipe is free again
  std::map<std::string, Sent> sent_;  // the last set of each flag
};

}  // namespace

std::uint64_t Schedule::end() const {
  std::uint64_t out = 0;
  for (const Slice& slice : slices) out = std::max(out, slice.at + slice.blocks);
  return out;
}

Schedule schedule_of(const RunRecord& record) { return Scheduler(record).run(); }

}  // namespace pto::jit::cli

// Happens-before between the pipes of one core: a vector clock for each pipe, published by flags,
// joined by waits and barriers. Knows nothing of memory; what is wrong comes back as a value.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

enum pipe_t : std::uint8_t {
  PIPE_S,
  PIPE_V,
  PIPE_M,
  PIPE_MTE1,
  PIPE_MTE2,
  PIPE_MTE3,
  PIPE_FIX,
  PIPE_ALL,
};

enum event_t : std::uint8_t {
  EVENT_ID0,
  EVENT_ID1,
  EVENT_ID2,
  EVENT_ID3,
  EVENT_ID4,
  EVENT_ID5,
  EVENT_ID6,
  EVENT_ID7,
};

namespace pto::emulation {

constexpr std::size_t kPipes = 7;
constexpr std::size_t kEvents = 8;

inline const char* name_of(pipe_t pipe) {
  constexpr std::array<const char*, kPipes + 1> kNames = {"S",    "V",    "M",   "MTE1",
                                                          "MTE2", "MTE3", "FIX", "ALL"};
  return kNames[pipe];
}

struct Flag {
  pipe_t from = PIPE_S;
  pipe_t to = PIPE_S;
  event_t event = EVENT_ID0;
};

// Times count the operations of one pipe, from 1. Pipe P knows time T of pipe Q when everything Q
// did up to T happens before what P does next.
class PipeOrder {
 public:
  std::uint32_t begin(pipe_t pipe) { return ++clocks_[pipe][pipe]; }

  bool knows(pipe_t pipe, pipe_t other, std::uint32_t time) const {
    return clocks_[pipe][other] >= time;
  }

  // Operations of one pipe start in order, but a store is certain to have finished before a later
  // one only when its completion came back: by a barrier, by flags that return to the pipe, or by
  // a wait of the scalar pipe, which issues everything that follows.
  bool has_finished(pipe_t pipe, std::uint32_t time) const {
    return std::max(finished_[pipe], clocks_[PIPE_S][pipe]) >= time;
  }

  // Whether the flag was free.
  bool set(Flag flag) {
    std::optional<Clock>& slot = slot_of(flag);
    const bool was_free = !slot.has_value();
    slot = clocks_[flag.from];
    return was_free;
  }

  // Whether anything had set the flag.
  bool wait(Flag flag) {
    std::optional<Clock>& slot = slot_of(flag);
    if (!slot) return false;
    join(flag.to, *slot);
    slot.reset();
    return true;
  }

  void barrier(pipe_t pipe) {
    if (pipe != PIPE_ALL) {
      finished_[pipe] = clocks_[pipe][pipe];
      return;
    }
    Clock all{};
    for (const Clock& clock : clocks_) all = latest(all, clock);
    clocks_.fill(all);
    finished_ = all;
  }

  // An order that needs no flag: `later` starts only after what `earlier` has done so far.
  void follow(pipe_t later, pipe_t earlier) { join(later, clocks_[earlier]); }

  std::vector<Flag> flags_still_set() const {
    std::vector<Flag> set;
    for (std::size_t k = 0; k < slots_.size(); ++k) {
      if (slots_[k]) set.push_back(flag_at(k));
    }
    return set;
  }

 private:
  using Clock = std::array<std::uint32_t, kPipes>;

  static Clock latest(Clock left, const Clock& right) {
    for (std::size_t k = 0; k < kPipes; ++k) left[k] = std::max(left[k], right[k]);
    return left;
  }

  void join(pipe_t pipe, const Clock& clock) {
    finished_[pipe] = std::max(finished_[pipe], clock[pipe]);
    clocks_[pipe] = latest(clocks_[pipe], clock);
  }

  static Flag flag_at(std::size_t index) {
    return {static_cast<pipe_t>(index / kEvents / kPipes),
            static_cast<pipe_t>(index / kEvents % kPipes), static_cast<event_t>(index % kEvents)};
  }

  std::optional<Clock>& slot_of(Flag flag) {
    return slots_[(static_cast<std::size_t>(flag.from) * kPipes + flag.to) * kEvents + flag.event];
  }

  std::array<Clock, kPipes> clocks_{};
  Clock finished_{};
  std::array<std::optional<Clock>, kPipes * kPipes * kEvents> slots_{};
};

}  // namespace pto::emulation

// Events: every intrinsic returns a RecordEvent and waits for the events behind its arguments. An
// Event names two kinds of instruction and is a flag between the pipes they run on.
#pragma once

#include <cstdint>

#include "pto/emulation/execution.hpp"
#include "pto/emulation/pipes.hpp"
#include "pto/emulation/target.hpp"

namespace pto {

enum class Op : std::uint8_t {
  TLOAD,
  TSTORE_VEC,
  SCALAR,
  VECTOR,
  TSCATTER,
  TGATHERB,
  MGATHER,
  MSCATTER,
};

struct RecordEvent {};

inline namespace PTO_EMULATION_TARGET {

// The A2/A3 forms of MGATHER and MSCATTER begin by waiting for the vector pipe and end by telling
// it, so that pipe stands for them.
constexpr pipe_t pipe_of(Op op) {
  switch (op) {
    case Op::TLOAD: return PIPE_MTE2;
    case Op::TSTORE_VEC: return PIPE_MTE3;
    case Op::SCALAR: return PIPE_S;
    case Op::TSCATTER: return kTarget == emulation::Device::A2A3 ? PIPE_S : PIPE_V;
    case Op::VECTOR:
    case Op::TGATHERB:
    case Op::MGATHER:
    case Op::MSCATTER: return PIPE_V;
  }
  return PIPE_V;
}

// With automatic tokens the events of a pair of pipes take the flags in turn.
template <Op kFrom, Op kTo, bool kAutomaticToken = true, event_t kEvent = EVENT_ID0>
class Event {
 public:
  Event() : event_(choose()) {}
  Event(RecordEvent) : Event() { Record(); }  // NOLINT: as on the device
  Event& operator=(RecordEvent) { return Record(); }

  Event& Record() {
    if constexpr (kJoinsPipes) operations().set_flag({pipe_of(kFrom), pipe_of(kTo), event_});
    return *this;
  }
  Event& Wait() {
    if constexpr (kJoinsPipes) operations().wait_flag({pipe_of(kFrom), pipe_of(kTo), event_});
    return *this;
  }

 private:
  static constexpr bool kJoinsPipes = !kPlacesAutomatically && pipe_of(kFrom) != pipe_of(kTo);

  static emulation::Operations& operations() { return emulation::execution().operations(); }
  static event_t choose() {
    return kAutomaticToken ? operations().next_event(pipe_of(kFrom), pipe_of(kTo)) : kEvent;
  }

  event_t event_;
};

template <typename... WaitEvents>
void wait_for(WaitEvents&... events) {
  (events.Wait(), ...);
}

}  // namespace PTO_EMULATION_TARGET
}  // namespace pto

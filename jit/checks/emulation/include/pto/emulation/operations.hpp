// The operations of one kernel in program order, and the order that flags and barriers give them.
// Misused flags are reported here, by name.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "pto/emulation/access_log.hpp"
#include "pto/emulation/pipes.hpp"
#include "pto/emulation/record.hpp"
#include "pto/emulation/report.hpp"

namespace pto::emulation {

class Operations {
 public:
  explicit Operations(Reports& reports) : reports_(reports) {}

  // From here on every operation comes after all earlier ones, as when a compiler places flags.
  void order_automatically() { is_automatic_ = true; }
  bool is_automatic() const { return is_automatic_; }

  OperationId begin(const char* name, pipe_t pipe) {
    if (is_automatic_) order_.barrier(PIPE_ALL);
    scalar_run_ = 0;
    list_.push_back({name, pipe, order_.begin(pipe), false});
    record_.add_operation(name, pipe);
    return static_cast<OperationId>(list_.size() - 1);
  }

  // Scalar accesses with no synchronisation between count as one operation; inside a SIMT launch
  // they are the launch's.
  OperationId scalar() {
    if (launch_ != 0) return launch_;
    if (scalar_run_ == 0) {
      const OperationId run = begin("a scalar access", PIPE_S);
      scalar_run_ = run;
    }
    return scalar_run_;
  }

  void enter_launch(OperationId launch) { launch_ = launch; }
  void leave_launch() { launch_ = 0; }
  bool is_in_launch() const { return launch_ != 0; }

  const Operation& operator[](OperationId id) const { return list_[id]; }
  void mark_atomic(OperationId id) { list_[id].adds_atomically = true; }

  // Whether `earlier` is certain to be over when `now` touches memory.
  bool is_before(OperationId earlier, OperationId now) const {
    const Operation& first = list_[earlier];
    const pipe_t pipe = list_[now].pipe;
    return first.pipe == pipe || order_.knows(pipe, first.pipe, first.time);
  }

  // The same for two stores of one pipe to one address of global memory, which start in order but
  // may finish in either.
  bool has_finished(OperationId earlier) const {
    return order_.has_finished(list_[earlier].pipe, list_[earlier].time);
  }

  void touch(OperationId id, const Touch& touch) { record_.add_touch(id, touch); }
  std::string record() const { return (is_automatic_ ? "automatic\n" : "") + record_.text(); }

  void set_flag(Flag flag) {
    scalar_run_ = 0;
    if (!is_usable(flag)) return;
    record_.add_flag("set", flag);
    if (!order_.set(flag)) {
      reports_.add(ReportKind::FlagReused,
                   "set_flag" + spell(flag) + ": set before, and nobody has waited for it since");
    }
  }

  void wait_flag(Flag flag) {
    scalar_run_ = 0;
    if (!is_usable(flag)) return;
    if (order_.wait(flag)) {
      record_.add_flag("wait", flag);
    } else if (!is_automatic_) {
      reports_.add(ReportKind::WaitWithoutSet,
                   "wait_flag" + spell(flag) + ": nothing has set it, the device would hang here");
    }
  }

  // A pair with nothing between.
  void handshake(pipe_t from, pipe_t to, event_t event = EVENT_ID0) {
    set_flag({from, to, event});
    wait_flag({from, to, event});
  }

  // Flags for events that do not name one, in turn.
  event_t next_event(pipe_t from, pipe_t to) {
    std::size_t& next = next_event_[static_cast<std::size_t>(from) * kPipes + to];
    return static_cast<event_t>(next++ % kEvents);
  }

  void barrier(pipe_t pipe) {
    scalar_run_ = 0;
    record_.add_barrier(pipe);
    order_.barrier(pipe);
  }

  void follow(pipe_t later, pipe_t earlier) {
    record_.add_order(later, earlier);
    order_.follow(later, earlier);
  }

  void finish() {
    for (const Flag& flag : order_.flags_still_set()) {
      reports_.add(ReportKind::FlagNotWaited,
                   "set_flag" + spell(flag) + ": still set when the kernel ends");
    }
  }

  std::string describe(OperationId id) const {
    const Operation& operation = list_[id];
    return std::string(operation.name) + " (operation " + std::to_string(id) + " on " +
           name_of(operation.pipe) + ")";
  }

 private:
  bool is_usable(const Flag& flag) {
    const bool usable = flag.from < kPipes && flag.to < kPipes && flag.from != flag.to;
    if (!usable) {
      reports_.add(ReportKind::Extent, "flag" + spell(flag) + ": a flag joins two different pipes");
    }
    return usable;
  }

  static std::string spell(const Flag& flag) {
    return std::string("(PIPE_") + name_of(flag.from) + ", PIPE_" + name_of(flag.to) +
           ", EVENT_ID" + std::to_string(flag.event) + ")";
  }

  Reports& reports_;
  PipeOrder order_;
  Record record_;
  std::vector<Operation> list_ = {{}};  // so that 0 is none
  std::array<std::size_t, kPipes * kPipes> next_event_{};
  OperationId scalar_run_ = 0;
  OperationId launch_ = 0;
  bool is_automatic_ = false;
};

}  // namespace pto::emulation

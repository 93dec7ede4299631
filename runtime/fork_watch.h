// Objects with locks or memory that a fork must find in order: told before it, and after it on both
// sides.
//
// No thread may hold the locks of two participants at once, so the order they are told in does not
// matter.
#pragma once

namespace pto::jit {

class ForkParticipant {
 public:
  ForkParticipant() = default;
  ForkParticipant(const ForkParticipant&) = delete;
  ForkParticipant& operator=(const ForkParticipant&) = delete;
  ForkParticipant(ForkParticipant&&) = delete;
  ForkParticipant& operator=(ForkParticipant&&) = delete;

  virtual void before_fork() = 0;  // takes the locks
  virtual void after_fork_in_parent() = 0;
  virtual void after_fork_in_child() = 0;  // the forking thread is the only one left

 protected:
  ~ForkParticipant() = default;
};

// From the end of the participant's constructor to the beginning of its destructor.
void watch_forks(ForkParticipant& participant);
void unwatch_forks(ForkParticipant& participant);

}  // namespace pto::jit

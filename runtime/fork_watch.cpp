#include "runtime/fork_watch.h"

#include <pthread.h>

#include <mutex>
#include <vector>

#include "runtime/invariant.h"

namespace pto::jit {
namespace {

struct Watch {
  std::mutex mutex;
  std::vector<ForkParticipant*> participants;
};

void register_handlers();

// Never destroyed: a process may fork while its static objects go.
Watch& watch() {
  static Watch& the_watch = *[] {
    register_handlers();
    return new Watch;
  }();
  return the_watch;
}

void before() {
  watch().mutex.lock();
  for (ForkParticipant* participant : watch().participants) participant->before_fork();
}

void in_parent() {
  for (ForkParticipant* participant : watch().participants) participant->after_fork_in_parent();
  watch().mutex.unlock();
}

void in_child() {
  for (ForkParticipant* participant : watch().participants) participant->after_fork_in_child();
  watch().mutex.unlock();
}

void register_handlers() {
  if (pthread_atfork(before, in_parent, in_child) != 0) {
    broken_invariant("no memory to register fork handlers");
  }
}

}  // namespace

void watch_forks(ForkParticipant& participant) {
  const std::lock_guard lock(watch().mutex);
  watch().participants.push_back(&participant);
}

void unwatch_forks(ForkParticipant& participant) {
  const std::lock_guard lock(watch().mutex);
  std::erase(watch().participants, &participant);
}

}  // namespace pto::jit

#include "runtime/fork_watch.h"

#include <pthread.h>

#include <mutex>
#include <vector>

#include "runtime/invariant.h"
#include "runtime/made_once.h"

namespace pto::jit {
namespace {

struct Watch {
  std::mutex mutex;
  std::vector<ForkParticipant*> participants;
};

Watch& watch() {
  static constinit MadeOnce<Watch> the_watch;
  return the_watch.get([] { return std::make_unique<Watch>(); });
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

// When the program is loaded, before anything can be made in the middle of a fork.
[[gnu::constructor]] void register_handlers() {
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

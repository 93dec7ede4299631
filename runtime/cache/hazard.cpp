#include "runtime/cache/hazard.h"

#include "runtime/fork_watch.h"

namespace pto::jit {
namespace {

constinit std::atomic<Hazard*> first_hazard{nullptr};
constinit thread_local Hazard* own_hazard = nullptr;

// In a child, threads that were reading are gone, and their announcements with them.
class HazardsAtFork final : public ForkParticipant {
 public:
  HazardsAtFork() { watch_forks(*this); }

  void before_fork() override {}
  void after_fork_in_parent() override {}
  void after_fork_in_child() override {
    for (Hazard* hazard = first_hazard.load(); hazard; hazard = hazard->next) {
      if (hazard != own_hazard) return_hazard(*hazard);
    }
  }
};

void expect_forks() {
  static HazardsAtFork& participant = *new HazardsAtFork;
  static_cast<void>(participant);
}

bool try_to_take(Hazard& hazard) {
  bool is_taken = false;
  return hazard.is_taken.compare_exchange_strong(is_taken, true);
}

Hazard& add_hazard() {
  auto* hazard = new Hazard;
  hazard->next = first_hazard.load();
  while (!first_hazard.compare_exchange_weak(hazard->next, hazard)) {
  }
  return *hazard;
}

Hazard& free_hazard() {
  for (Hazard* hazard = first_hazard.load(); hazard; hazard = hazard->next) {
    if (try_to_take(*hazard)) return *hazard;
  }
  return add_hazard();
}

}  // namespace

Hazard& take_hazard() {
  expect_forks();
  own_hazard = &free_hazard();
  return *own_hazard;
}

void return_hazard(Hazard& hazard) {
  if (own_hazard == &hazard) own_hazard = nullptr;
  clear(hazard);
  hazard.is_taken.store(false);
}

bool is_announced(const void* object) {
  for (const Hazard* hazard = first_hazard.load(); hazard; hazard = hazard->next) {
    if (hazard->announced.load() == object) return true;
  }
  return false;
}

}  // namespace pto::jit

// MadeOnce: what a process has one of, made by the first who asks and never destroyed. Unlike a
// static object of a function it has no guard that a fork could find taken, in the child for ever:
// two threads may make one each at the same time, and one of the two is dropped.
#pragma once

#include <atomic>
#include <memory>

namespace pto::jit {

template <class T>
class MadeOnce {
 public:
  // `make` gives a std::unique_ptr.
  template <class Make>
  T& get(Make&& make) {
    T* made = made_.load(std::memory_order_acquire);  // what another thread released below
    if (made != nullptr) return *made;
    std::unique_ptr<T> own = make();
    if (made_.compare_exchange_strong(made, own.get(), std::memory_order_release,
                                      std::memory_order_acquire))
      made = own.release();
    return *made;
  }

 private:
  // Released by whoever makes it, acquired by all others: they see it whole.
  std::atomic<T*> made_ = nullptr;
};

}  // namespace pto::jit

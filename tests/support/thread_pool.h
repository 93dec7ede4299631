// A pool as a caller may have one: new threads for each call, which take parts in turn.
#pragma once

#include <atomic>
#include <thread>
#include <vector>

#include "runtime/parallel/work_pool.h"

namespace pto::jit::tests {

class ThreadPool final : public WorkPool {
 public:
  explicit ThreadPool(int threads) : threads_(threads) {}

  int threads() const override { return threads_; }
  void run(int parts, const std::function<void(int)>& part) override {
    std::atomic<int> next = 0;
    std::vector<std::thread> hands;
    for (int i = 0; i < threads_; ++i) {
      hands.emplace_back([&] {
        for (int number = next++; number < parts; number = next++) part(number);
      });
    }
    for (std::thread& hand : hands) hand.join();
    ran_ += parts;
  }

  int ran() const { return ran_; }  // parts, in all calls

 private:
  int threads_;
  int ran_ = 0;
};

}  // namespace pto::jit::tests

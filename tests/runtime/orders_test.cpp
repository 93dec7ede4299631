// What threads tell each other by atomics alone. Most hosts order more than they have to, so that
// only the thread sanitizer can find an order that is missing.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <barrier>
#include <memory>
#include <thread>
#include <vector>

#include "runtime/kernel.h"
#include "runtime/made_once.h"

namespace pto::jit {
namespace {

constexpr int kThreads = 8;
constexpr int kRounds = 200;

template <class Body>
void at_once(Body body) {
  std::barrier start(kThreads);
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      start.arrive_and_wait();
      body(t);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(MadeOnceThreads, AllSeeWholeWhatOneHasMade) {
  for (int round = 0; round < kRounds; ++round) {
    MadeOnce<std::vector<int>> numbers;
    std::array<const std::vector<int>*, kThreads> seen{};
    at_once([&](int t) {
      const std::vector<int>& made =
          numbers.get([&] { return std::make_unique<std::vector<int>>(16, round); });
      EXPECT_EQ(made, std::vector<int>(16, round));
      seen[static_cast<std::size_t>(t)] = &made;
    });
    for (const std::vector<int>* one : seen) EXPECT_EQ(one, seen[0]);
    delete seen[0];  // which it never does itself
  }
}

// A kernel with memory of its own, which its holders read and its end writes.
class Written final : public KernelBody {
 public:
  explicit Written(int& ended)
      : KernelBody({.entry = [](const Frame*, const void*) {},
                    .context = nullptr,
                    .backend = Backend::Interpreter,
                    .code = {},
                    .footprint = sizeof(int),
                    .name = "written"}),
        ended_(ended) {}
  ~Written() override { ++ended_; }
  Written(const Written&) = delete;
  Written& operator=(const Written&) = delete;
  Written(Written&&) = delete;
  Written& operator=(Written&&) = delete;

 private:
  int& ended_;
};

TEST(KernelThreads, TheLastToLetGoComesAfterAllOthers) {
  for (int round = 0; round < kRounds; ++round) {
    int ended = 0;  // written by whoever is last, read by the others before: no order, a race
    std::vector<Kernel> held;
    {
      const Kernel kernel(std::make_unique<Written>(ended));
      held.assign(kThreads, kernel);
    }
    at_once([&](int t) {
      const Kernel mine = std::move(held[static_cast<std::size_t>(t)]);
      EXPECT_EQ(ended, 0);
    });
    EXPECT_EQ(ended, 1);
  }
}

}  // namespace
}  // namespace pto::jit

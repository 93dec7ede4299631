#include "tests/soak/soak.h"

#include <malloc.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <thread>

#include "ir/mnemonic.h"
#include "ir/spec_text.h"
#include "jit/backends/backend.h"
#include "jit/compile/compile.h"
#include "runtime/cache/kernel_cache.h"
#include "tests/runtime/tiny_kernels.h"
#include "tests/support/cells.h"
#include "tests/support/deck.h"
#include "tests/support/workload.h"

namespace pto::jit::tests {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kThreads = 8;
constexpr std::size_t kSmallCache = 48;  // kernels; there are more
constexpr std::size_t kMostShown = 5;
constexpr std::chrono::milliseconds kRound(500);
constexpr int kCallsInChild = 12;
// However slow the machine is.
constexpr int kLeastRounds = 4;
constexpr int kLeastSteps = 40;  // of each thread in a round

struct Case {
  LegalSpec legal;
  Workload load;
  Image expected;
};

// One of the grid's cases for each of its cells, with indices at random.
std::vector<Case> make_cases() {
  std::vector<Case> out;
  const std::vector<GridCase> grid = runnable_grid();
  for (const GridCase& entry : chosen_cases(grid, grid.size())) {
    const Result<LegalSpec> legal = verify(entry.spec);
    std::optional<Workload> load = make_workload(*legal, entry.bound, Pattern::Random, 1);
    if (!load) load = make_workload(*legal, entry.bound, Pattern::Sequential, 1);
    Image expected = run_model(*load);
    out.push_back({*legal, std::move(*load), std::move(expected)});
  }
  return out;
}

Backend any_backend(Random& random) {
  const std::size_t choice = random.below(24);  // LLVM takes a thousand times as long
  const Backend wanted = choice == 0   ? Backend::Llvm
                         : choice == 1 ? Backend::Interpreter
                                       : Backend::Auto;
  return has_backend(wanted) ? wanted : Backend::Auto;
}

class Soak {
 public:
  SoakReport run(std::chrono::milliseconds time) {
    const Clock::time_point end = Clock::now() + time;
    while (Clock::now() < end || round_ < kLeastRounds) run_round();
    return std::move(report_);
  }

 private:
  void run_round() {
    round_end_ = Clock::now() + kRound;
    ++round_;
    std::array<std::thread, kThreads> threads;
    for (int t = 0; t < kThreads; ++t) threads[static_cast<std::size_t>(t)] = start(t);
    for (std::thread& thread : threads) thread.join();
    let_go();
    report_.rounds.push_back(holdings());
  }

  std::thread start(int t) {
    return std::thread([this, t] {
      Random random(static_cast<std::uint64_t>(round_ * kThreads + t));
      for (int done = 0; Clock::now() < round_end_ || done < kLeastSteps; ++done) {
        step(random);
        if (t == 0 && done % 200 == 20) clear(random);
        if (t == 1 && kForks && done % 50 == 20) fork_and_step(random);
      }
    });
  }

  void let_go() {
    clear_cache();
    report_.evictions = small_.statistics().evictions;
    small_.clear();
    malloc_trim(0);
  }

  static Holdings holdings() {
    const auto entries = [](const char* folder) {
      return static_cast<std::size_t>(
          std::distance(std::filesystem::directory_iterator(folder), {}));
    };
    std::ifstream maps("/proc/self/maps");
    std::size_t lines = 0;
    for (std::string line; std::getline(maps, line);) ++lines;
    return {resident_bytes(), entries("/proc/self/fd"), lines};
  }

  void step(Random& random) {
    const Case& chosen = cases_[random.below(cases_.size())];
    const Result<Kernel> kernel = any_kernel(chosen, random);
    const std::string found = kernel ? complaint(chosen, *kernel) : render(kernel.error());
    const std::lock_guard lock(mutex_);
    if (!found.empty()) note(print(chosen.legal.spec()) + ": " + found);
    if (kernel) ++report_.calls[word_of(chosen, kernel->backend())];
  }

  static std::string word_of(const Case& chosen, Backend backend) {
    return std::string(operation_of(chosen.load.bound.op).form) + " " +
           std::string(name_of(backend));
  }

  // Of the backends, x86-64's takes wishes.
  static StrategyWish wish_for(Backend backend) {
    const bool takes_it = (backend == Backend::Auto ? best_backend() : backend) == Backend::Xbyak;
    return takes_it ? StrategyWish{.group = 1} : StrategyWish{};
  }

  // From the process's cache, from one that is too small, or to a wish and so from none.
  Result<Kernel> any_kernel(const Case& chosen, Random& random) {
    const Backend backend = any_backend(random);
    const KernelSpec& spec = chosen.legal.spec();
    switch (random.below(4)) {
      case 0: return compile(spec, {backend, FeatureLevel::Native, wish_for(backend)});
      case 1: return compile(spec, {backend, FeatureLevel::Baseline});
      case 2: return compile(spec, {backend});
      default: return from_small_cache(chosen, backend == Backend::Auto ? best_backend() : backend);
    }
  }

  Result<Kernel> from_small_cache(const Case& chosen, Backend backend) {
    const auto make = [&] {
      return make_kernel(backend, {chosen.legal.spec(), chosen.load.plan, host_features(), {}});
    };
    return small_.get_or_make({chosen.legal.spec(), static_cast<std::uint64_t>(backend)}, make);
  }

  static std::string complaint(const Case& chosen, const Kernel& kernel) {
    return difference(chosen.load, chosen.expected,
                      run_guarded(chosen.load, Guard::Behind, kernel));
  }

  void clear(Random& random) {
    random.below(2) == 0 ? clear_cache() : small_.clear();
    const std::lock_guard lock(mutex_);
    ++report_.clears;
  }

  // The child is alone with whatever the other threads were at.
  void fork_and_step(Random& random) {
    const bool holds = holds_in_child([&] {
      for (int i = 0; i < kCallsInChild; ++i) {
        const Case& chosen = cases_[random.below(cases_.size())];
        const Result<Kernel> kernel = any_kernel(chosen, random);
        if (!kernel || !complaint(chosen, *kernel).empty()) return false;
      }
      clear_cache();
      return true;
    });
    const std::lock_guard lock(mutex_);
    ++report_.forks;
    if (!holds) note("a child went wrong");
  }

  void note(std::string what) {
    if (report_.wrong.size() < kMostShown) report_.wrong.push_back(std::move(what));
  }

  const std::vector<Case> cases_ = make_cases();
  KernelCache small_{{.entries = kSmallCache}};
  Clock::time_point round_end_;
  int round_ = 0;
  std::mutex mutex_;  // of the report
  SoakReport report_;
};

}  // namespace

SoakReport soak(std::chrono::milliseconds time) { return Soak().run(time); }

std::string print(const SoakReport& report) {
  std::string out = std::to_string(report.rounds.size()) + " rounds, " +
                    std::to_string(report.evictions) + " evictions, " +
                    std::to_string(report.clears) + " clears, " + std::to_string(report.forks) +
                    " forks\n";
  for (const auto& [word, count] : report.calls) out += word + " " + std::to_string(count) + "\n";
  for (const std::string& wrong : report.wrong) out += "wrong: " + wrong + "\n";
  return out;
}

}  // namespace pto::jit::tests

#include "bench/calls.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <iostream>
#include <sstream>
#include <tuple>

#include "bench/report/repetitions.h"

namespace pto::jit::bench {
namespace {

// Nanoseconds, at most; over those of another figure where one is named.
struct CallGoal {
  int number;
  const char* name;
  const char* over;
  double at_most;
};

constexpr const char* kEmpty = "call_empty_kernel";
constexpr std::array kGoals = {
    CallGoal{12, "llvm", "", 2.2e6},
    CallGoal{13, "new/static_shape/p50", "", 4000},
    CallGoal{13, "new/static_shape/p99", "", 9000},
    CallGoal{13, "new/runtime_shape/p50", "", 12000},
    CallGoal{13, "new/runtime_shape/p99", "", 30000},
    CallGoal{14, "borrow/10/threads:1", kEmpty, 4},
    CallGoal{14, "borrow_in_random_order/1000", kEmpty, 25},
    CallGoal{14, "borrow_in_random_order/10000", kEmpty, 50},
    CallGoal{14, "hit_owning", "", 25},
    CallGoal{15, kEmpty, "", 2.5},
};
constexpr double kLlvm = 0.87;  // of the x86-64 backend, in every family

Figure* find(std::vector<Figure>& figures, const std::string& name) {
  const auto at = std::ranges::find(figures, name, &Figure::name);
  return at != figures.end() ? &*at : nullptr;
}

// Keeps the repetitions; says which benchmarks this build cannot run.
class Collector final : public benchmark::BenchmarkReporter {
 public:
  Collector() { SetErrorStream(&unread_); }

  bool ReportContext(const Context&) override { return true; }

  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.run_type != Run::RT_Iteration) continue;
      if (run.error_occurred) {
        std::cerr << "left out: " << run.run_name.str() << ": " << run.error_message << '\n';
        continue;
      }
      const double unit = 1e9 / benchmark::GetTimeUnitMultiplier(run.time_unit);
      Repetition one = {.name = run.run_name.str(),
                        .real_ns = run.GetAdjustedRealTime() * unit,
                        .cpu_ns = run.GetAdjustedCPUTime() * unit,
                        .counters = {}};
      for (const auto& [name, counter] : run.counters) one.counters[name] = counter.value;
      repetitions.push_back(std::move(one));
    }
  }

  std::vector<Repetition> repetitions;

 private:
  std::ostringstream unread_;  // a filter that nothing matches is no error here
};

// Families and cases have a slash between them there, and a space elsewhere.
std::string as_regex(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const bool is_plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '/';
    out += c == ' ' ? "[ /]" : is_plain ? std::string(1, c) : std::string("\\") + c;
  }
  return out.empty() ? "." : out;
}

}  // namespace

std::vector<Figure> time_calls(const CallWish& wish) {
  std::array<std::string, 4> words = {
      "ptojit_bench", wish.is_quick ? "--benchmark_min_time=0.004" : "--benchmark_min_time=0.01",
      "--benchmark_repetitions=3", "--benchmark_enable_random_interleaving=true"};
  std::array<char*, 5> arguments{};
  std::ranges::transform(words, arguments.begin(), [](std::string& word) { return word.data(); });
  int count = static_cast<int>(words.size());
  benchmark::Initialize(&count, arguments.data());
  Collector collector;
  benchmark::RunSpecifiedBenchmarks(&collector, as_regex(wish.filter));
  std::vector<Figure> out = figures_of(collector.repetitions);
  std::ranges::sort(out, {}, [](const Figure& one) { return std::tie(one.family, one.name); });
  return out;
}

void add_call_goals(std::vector<Figure>& figures) {
  for (const CallGoal& goal : kGoals) {
    Figure* figure = find(figures, goal.name);
    const std::string over = goal.over;
    const Figure* base = over.empty() ? nullptr : find(figures, over);
    if (figure == nullptr || (base == nullptr && !over.empty())) continue;
    const double found = figure->ns - (base != nullptr ? base->ns : 0);
    figure->goals.push_back({goal.number, over.empty() ? "ns" : "ns over " + over, goal.at_most,
                             found, found <= goal.at_most});
  }
  for (Figure& figure : figures) {
    if (figure.family != "llvm") continue;
    const double found = value_of(figure);
    figure.goals.push_back({12, "K", kLlvm, found, found >= kLlvm});
  }
}

int run_google_benchmark(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}

}  // namespace pto::jit::bench

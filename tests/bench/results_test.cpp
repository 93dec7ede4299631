// Files of results: what is written is read again, Google Benchmark's are understood, and two of
// them are told apart by more than their spread.
#include "bench/report/results.h"

#include <gtest/gtest.h>

#include <array>
#include <sstream>

#include "bench/report/compare.h"
#include "bench/report/passes.h"
#include "bench/report/repetitions.h"

namespace pto::jit::bench {
namespace {

Figure figure_named(std::string name, double ns, double spread) {
  Figure out;
  out.family = "rows";
  out.name = std::move(name);
  out.ns = ns;
  out.spread = spread;
  return out;
}

Figure against_static(Figure figure, double ns) {
  figure.opponents.push_back({"S", "g++ 12.2.0", ns, true});
  return figure;
}

Results results_of(std::vector<Figure> figures) {
  Results out;
  out.machine.processor = "a processor";
  out.figures = std::move(figures);
  return out;
}

TEST(Results, AreReadAsTheyWereWritten) {
  Figure figure = against_static(figure_named("L1 \"x\"", 12.5, 0.02), 25);
  figure.spec = "a5:mgather.row dst=f32[8x32] idx=i32[1x8] table=f32[64x32]";
  figure.home = "L1";
  figure.units = 8;
  figure.bytes = 1024;
  figure.opponents.push_back({"L", "stores", 10, false});
  figure.goals.push_back({5, "S", 1.25, 2, true});
  Results results = results_of({figure, figure_named("plain", 3, 0)});
  results.machine = {"a processor", 2,       32768,     1048576, 33554432,
                     "fast",        "never", "madvise", "quick", 0.5};
  const Result<Results> read = results_from_json(as_json(results));
  ASSERT_TRUE(read) << render(read.error());
  EXPECT_EQ(*read, results);
}

TEST(Results, OfSomethingElseAreRefused) {
  for (const char* text : {"", "[1]", "{\"figures\": []}", "{\"benchmarks\": [{}]}"}) {
    const Result<Results> read = results_from_json(text);
    ASSERT_FALSE(read) << text;
    EXPECT_EQ(read.error()[0].id, "bench.results");
  }
}

// A limit that does less is nobody to be held against, and a sibling only where there is no other.
TEST(Results, BestOpponentIsTheFastestThatDoesTheSame) {
  Figure figure = against_static(figure_named("x", 10, 0), 20);
  figure.opponents.push_back({"R", "R", 15, true});
  figure.opponents.push_back({"L", "stores", 5, false});
  figure.opponents.push_back({"K", "static extents", 8, true});
  EXPECT_EQ(figure.best()->letter, "R");
  EXPECT_DOUBLE_EQ(value_of(figure), 1.5);
  figure.opponents.erase(figure.opponents.begin(), figure.opponents.begin() + 3);
  EXPECT_EQ(figure.best()->letter, "K");
  EXPECT_DOUBLE_EQ(value_of(figure_named("x", 10, 0)), 10);
}

// Two repetitions and their mean; a counter in place of the time; a clock of its own; an error.
constexpr const char* kGoogle = R"({"context": {}, "benchmarks": [
{"name": "calls/a", "run_name": "calls/a", "run_type": "iteration", "real_time": 9.0, "cpu_time": 2.0, "time_unit": "ns"},
{"name": "calls/a", "run_name": "calls/a", "run_type": "iteration", "real_time": 9.0, "cpu_time": 4.0, "time_unit": "ns"},
{"name": "calls/a", "run_name": "calls/a", "run_type": "iteration", "real_time": 9.0, "cpu_time": 3.0, "time_unit": "ns"},
{"name": "calls/a_mean", "run_name": "calls/a", "run_type": "aggregate", "real_time": 9.0, "cpu_time": 99.0, "time_unit": "ns"},
{"name": "llvm/b/iterations:1", "run_type": "iteration", "real_time": 1.0, "cpu_time": 1.0, "time_unit": "ms", "ns": 50.0, "K": 40.0},
{"name": "lookups/c/10/manual_time", "run_type": "iteration", "real_time": 2.0, "cpu_time": 7.0, "time_unit": "us"},
{"name": "d", "run_type": "iteration", "real_time": 1.0, "cpu_time": 1.0, "time_unit": "s"},
{"name": "calls/e", "run_type": "iteration", "error_occurred": true, "error_message": "no", "real_time": 0, "cpu_time": 0}]})";

TEST(Results, OfGoogleBenchmarkAreFiguresToo) {
  const Result<Results> read = results_from_json(kGoogle);
  ASSERT_TRUE(read) << render(read.error());
  ASSERT_EQ(read->figures.size(), 4U);
  ASSERT_NE(read->find("calls", "a"), nullptr);
  EXPECT_DOUBLE_EQ(read->find("calls", "a")->ns, 2);
  EXPECT_NEAR(read->find("calls", "a")->spread, 2.0 / 3, 1e-9);
  ASSERT_NE(read->find("llvm", "b"), nullptr);
  EXPECT_DOUBLE_EQ(value_of(*read->find("llvm", "b")), 0.8);
  ASSERT_NE(read->find("lookups", "c/10"), nullptr);
  EXPECT_DOUBLE_EQ(read->find("lookups", "c/10")->ns, 2000);
  EXPECT_DOUBLE_EQ(read->find("benchmark", "d")->ns, 1e9);
}

// Two dozen repetitions are twelve pairs, of which the faster counts.
TEST(Results, OfManyRepetitionsCountByTheFastestOfEachPass) {
  std::vector<Repetition> repetitions;
  for (const double slow : {1000.0, 0.0}) {
    for (int pass = 0; pass < kMostPasses; ++pass) {
      repetitions.push_back({"calls/a", 0, slow + 10.0 + pass, {}});
    }
  }
  const std::vector<Figure> figures = figures_of(repetitions);
  ASSERT_EQ(figures.size(), 1U);
  EXPECT_DOUBLE_EQ(figures[0].ns, 10);
  EXPECT_GT(figures[0].spread, 0);
  EXPECT_LT(figures[0].spread, 1);
}

std::vector<Results> passes_of(std::initializer_list<std::array<double, 3>> times) {
  std::vector<Results> out;
  for (const auto& [own, gcc, clang] : times) {
    Figure figure = against_static(figure_named("x", own, 0), gcc);
    figure.opponents.push_back({"S", "clang++ 19", clang, true});
    out.push_back(results_of({figure}));
  }
  return out;
}

// Fast and slow states of a machine stay for a process: the best of several is what repeats.
TEST(Passes, TogetherHaveTheBestOfEachContestant) {
  const Results all = together(passes_of({{10, 40, 30}, {30, 20, 90}, {20, 60, 60}, {30, 60, 25}}));
  ASSERT_EQ(all.figures.size(), 1U);
  EXPECT_DOUBLE_EQ(all.figures[0].ns, 10);
  ASSERT_EQ(all.figures[0].opponents.size(), 1U);
  EXPECT_EQ(all.figures[0].opponents[0].is, "g++ 12.2.0");
  EXPECT_DOUBLE_EQ(all.figures[0].opponents[0].ns, 20);
}

TEST(Passes, SpreadIsHowFarHalvesOfThemDiffer) {
  const auto spread = [](const std::vector<Results>& passes) {
    return together(passes).figures[0].spread;
  };
  EXPECT_DOUBLE_EQ(spread(passes_of({{10, 20, 30}})), 0);
  EXPECT_DOUBLE_EQ(spread(passes_of({{10, 20, 30}, {10, 20, 30}, {10, 20, 30}, {10, 20, 30}})), 0);
  // One slow pass of four never hides the others; two of them are a half, and fill it once.
  EXPECT_DOUBLE_EQ(spread(passes_of({{10, 20, 30}, {90, 20, 30}, {10, 20, 30}, {10, 20, 30}})), 0);
  EXPECT_GT(spread(passes_of({{90, 20, 30}, {10, 20, 30}, {90, 20, 30}, {90, 20, 30}})), 0.4);
}

TEST(Passes, ThatFindAnotherMachineSaySo) {
  std::vector<Results> passes = passes_of({{1, 1, 1}, {1, 1, 1}, {1, 1, 1}});
  for (Results& pass : passes) pass.machine.gathers = "slow";
  EXPECT_EQ(together(passes).machine.gathers, "slow");
  passes[1].machine.gathers = "fast";
  EXPECT_EQ(together(passes).machine.gathers, "slow, fast");
}

std::vector<std::string> moved_between(const Results& before, const Results& now) {
  std::vector<std::string> out;
  for (const Move& move : moves_between(before, now)) {
    if (move.is_beyond_spread()) out.push_back(move.now->name);
  }
  return out;
}

TEST(Compare, TellsWhatMovedBeyondTheSpread) {
  const Results before =
      results_of({figure_named("steady", 100, 0.02), figure_named("rough", 100, 0.1),
                  figure_named("slower", 100, 0.02), figure_named("gone", 1, 0)});
  const Results now =
      results_of({figure_named("steady", 103, 0.02), figure_named("rough", 115, 0.1),
                  figure_named("slower", 105, 0.02), figure_named("new", 1, 0)});
  EXPECT_EQ(moved_between(before, now), std::vector<std::string>{"slower"});
  EXPECT_TRUE(moved_between(now, now).empty());
  std::ostringstream out;
  print_comparison(out, before, now);
  EXPECT_NE(out.str().find("3 figures in both, 1 moved beyond the spread: 0 faster, 1 slower; 1 "
                           "only before, 1 only now"),
            std::string::npos)
      << out.str();
  EXPECT_NE(out.str().find("-4.8%"), std::string::npos) << "105 ns instead of 100: " << out.str();
}

// Which code a kernel is depends on what is measured at start-up.
TEST(Compare, SaysWhenTheMachineWasFoundToBeAnother) {
  Results before = results_of({figure_named("x", 1, 0)});
  Results now = before;
  before.machine.gathers = "slow";
  now.machine.gathers = "fast";
  std::ostringstream out;
  print_comparison(out, before, now);
  EXPECT_TRUE(out.str().starts_with("gather instructions: slow before, fast now")) << out.str();
  std::ostringstream same;
  print_comparison(same, now, now);
  EXPECT_TRUE(same.str().starts_with("1 figures in both")) << same.str();
}

// A machine that is slower as a whole moves nothing that was taken in turns.
TEST(Compare, HoldsRatiosAgainstEachOther) {
  const Results before = results_of({against_static(figure_named("x", 10, 0.01), 20),
                                     against_static(figure_named("y", 10, 0.01), 20)});
  const Results now = results_of({against_static(figure_named("x", 30, 0.01), 60),
                                  against_static(figure_named("y", 15, 0.01), 60)});
  EXPECT_EQ(moved_between(before, now), std::vector<std::string>{"y"});
  EXPECT_DOUBLE_EQ(moves_between(before, now)[1].faster, 2);
}

}  // namespace
}  // namespace pto::jit::bench

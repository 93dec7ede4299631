#include "bench/report/repetitions.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "bench/ratio.h"

namespace pto::jit::bench {
namespace {

// Time of the thread, unless the benchmark asked for another clock.
double time_of(const Repetition& repetition) {
  const auto counter = repetition.counters.find("ns");
  if (counter != repetition.counters.end()) return counter->second;
  const bool is_real = repetition.name.find("/manual_time") != std::string::npos ||
                       repetition.name.find("/real_time") != std::string::npos;
  return is_real ? repetition.real_ns : repetition.cpu_ns;
}

// Without what only says how it was run.
std::string case_of(std::string name) {
  for (const char* suffix : {"/iterations:", "/manual_time", "/real_time"}) {
    const std::size_t at = name.find(suffix);
    if (at != std::string::npos) name.erase(at, name.find('/', at + 1) - at);
  }
  return name;
}

struct Samples {
  Series own;
  Series sibling;
};

// Of many repetitions a seventh at a time counts by the fastest of it, as a pass over cells does.
Series passes_of(const Series& all) {
  constexpr std::size_t kPasses = 7;
  const std::size_t each = all.times.size() / kPasses;
  if (each < 2) return all;
  Series out;
  for (auto at = all.times.begin(); out.times.size() < kPasses; at += static_cast<long>(each)) {
    out.times.push_back(*std::min_element(at, at + static_cast<long>(each)));
  }
  return out;
}

Figure figure_of(const std::string& name, const Samples& all) {
  const Samples samples = {passes_of(all.own), passes_of(all.sibling)};
  const std::size_t slash = name.find('/');
  const bool has_family = slash != std::string::npos;
  Figure out;
  out.family = has_family ? name.substr(0, slash) : "benchmark";
  out.name = case_of(has_family ? name.substr(slash + 1) : name);
  out.ns = median_of(samples.own);
  if (samples.sibling.times.empty()) {
    const Series one = {.name = "", .times = std::vector<double>(samples.own.times.size(), 1)};
    out.spread = ratio_of(one, samples.own).spread;
  } else {
    out.opponents = {{"K", "x86-64 backend", median_of(samples.sibling)}};
    out.spread = ratio_of(samples.own, samples.sibling).spread;
  }
  return out;
}

double nanoseconds_in(const std::string& unit) {
  struct Unit {
    const char* name;
    double nanoseconds;
  };
  constexpr std::array kUnits = {Unit{"ns", 1}, Unit{"us", 1e3}, Unit{"ms", 1e6}, Unit{"s", 1e9}};
  for (const Unit& one : kUnits) {
    if (unit == one.name) return one.nanoseconds;
  }
  return 1;
}

}  // namespace

std::vector<Figure> figures_of(const std::vector<Repetition>& repetitions) {
  std::vector<std::string> names;
  std::map<std::string, Samples> samples;
  for (const Repetition& one : repetitions) {
    const auto [at, is_new] = samples.try_emplace(one.name);
    if (is_new) names.push_back(one.name);
    at->second.own.times.push_back(time_of(one));
    const auto sibling = one.counters.find("K");
    if (sibling != one.counters.end()) at->second.sibling.times.push_back(sibling->second);
  }
  std::vector<Figure> out;
  for (const std::string& name : names) out.push_back(figure_of(name, samples[name]));
  return out;
}

std::vector<Repetition> repetitions_from_json(const nlohmann::json& benchmarks) {
  std::vector<Repetition> out;
  for (const nlohmann::json& one : benchmarks) {
    if (one.value("run_type", "iteration") != "iteration") continue;
    if (one.value("error_occurred", false)) continue;
    const double unit = nanoseconds_in(one.value("time_unit", "ns"));
    Repetition repetition = {.name = one.value("run_name", one.at("name").get<std::string>()),
                             .real_ns = one.at("real_time").get<double>() * unit,
                             .cpu_ns = one.at("cpu_time").get<double>() * unit,
                             .counters = {}};
    for (const char* counter : {"ns", "K"}) {
      if (one.contains(counter)) repetition.counters[counter] = one[counter].get<double>();
    }
    out.push_back(std::move(repetition));
  }
  return out;
}

}  // namespace pto::jit::bench

#include "bench/report/repetitions.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "bench/report/passes.h"

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

// As one pass has it.
Figure figure_of(const Repetition& repetition) {
  const std::size_t slash = repetition.name.find('/');
  const bool has_family = slash != std::string::npos;
  Figure out;
  out.family = has_family ? repetition.name.substr(0, slash) : "benchmark";
  out.name = case_of(has_family ? repetition.name.substr(slash + 1) : repetition.name);
  out.ns = time_of(repetition);
  const auto sibling = repetition.counters.find("K");
  if (sibling != repetition.counters.end())
    out.opponents = {{"K", "x86-64 backend", sibling->second}};
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

// Where there are more repetitions than passes the fastest of each pass counts.
std::vector<Figure> figures_of(const std::vector<Repetition>& repetitions) {
  std::map<std::string, std::size_t> met;
  std::vector<Results> passes(kMostPasses);
  for (const Repetition& one : repetitions) {
    std::vector<Figure>& pass = passes[met[one.name]++ % kMostPasses].figures;
    Figure figure = figure_of(one);
    const auto known = std::ranges::find_if(pass, [&](const Figure& other) {
      return other.family == figure.family && other.name == figure.name;
    });
    if (known == pass.end()) {
      pass.push_back(std::move(figure));
    } else if (figure.ns < known->ns) {
      *known = std::move(figure);
    }
  }
  return together(passes).figures;
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

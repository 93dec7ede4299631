#include "bench/report/results.h"

#include <nlohmann/json.hpp>

#include "bench/report/repetitions.h"
#include "jit/cli/input_file.h"

namespace pto::jit::bench {
namespace {

using Json = nlohmann::ordered_json;

// More digits than a measurement has would only make the file larger.
double rounded(double value) { return std::stod(formatted("%.5g", value)); }

Json json_of(const Machine& machine) {
  return {{"processor", machine.processor},
          {"cores", machine.cores},
          {"l1", machine.l1},
          {"l2", machine.l2},
          {"l3", machine.l3},
          {"gathers", machine.gathers},
          {"string_move", machine.string_move},
          {"large_pages", machine.large_pages},
          {"effort", machine.effort},
          {"load", rounded(machine.load)}};
}

Json json_of(const Figure& figure) {
  Json out = {{"family", figure.family},
              {"name", figure.name},
              {"ns", rounded(figure.ns)},
              {"spread", rounded(figure.spread)}};
  if (!figure.spec.empty()) {
    out.update({{"spec", figure.spec},
                {"home", figure.home},
                {"units", figure.units},
                {"bytes", figure.bytes}});
  }
  for (const Opponent& one : figure.opponents) {
    out["opponents"].push_back({{"letter", one.letter},
                                {"is", one.is},
                                {"ns", rounded(one.ns)},
                                {"does_the_same", one.does_the_same}});
  }
  for (const GoalFigure& goal : figure.goals) {
    out["goals"].push_back({{"number", goal.number},
                            {"against", goal.against},
                            {"wanted", rounded(goal.wanted)},
                            {"found", rounded(goal.found)},
                            {"met", goal.is_met}});
  }
  return out;
}

Machine machine_from(const nlohmann::json& in) {
  Machine out;
  out.processor = in.at("processor");
  out.cores = in.at("cores");
  out.l1 = in.at("l1");
  out.l2 = in.at("l2");
  out.l3 = in.at("l3");
  out.gathers = in.at("gathers");
  out.string_move = in.at("string_move");
  out.large_pages = in.at("large_pages");
  out.effort = in.at("effort");
  out.load = in.at("load");
  return out;
}

Figure figure_from(const nlohmann::json& in) {
  Figure out;
  out.family = in.at("family");
  out.name = in.at("name");
  out.ns = in.at("ns");
  out.spread = in.at("spread");
  out.spec = in.value("spec", "");
  out.home = in.value("home", "");
  out.units = in.value("units", 1.0);
  out.bytes = in.value("bytes", 0.0);
  const nlohmann::json none = nlohmann::json::array();
  for (const nlohmann::json& one : in.value("opponents", none)) {
    out.opponents.push_back(
        {one.at("letter"), one.at("is"), one.at("ns"), one.at("does_the_same")});
  }
  for (const nlohmann::json& one : in.value("goals", none)) {
    out.goals.push_back(
        {one.at("number"), one.at("against"), one.at("wanted"), one.at("found"), one.at("met")});
  }
  return out;
}

Results results_from(const nlohmann::json& in) {
  if (in.contains("benchmarks")) {
    return {.machine = {}, .figures = figures_of(repetitions_from_json(in.at("benchmarks")))};
  }
  Results out = {.machine = machine_from(in.at("machine")), .figures = {}};
  for (const nlohmann::json& one : in.at("figures")) out.figures.push_back(figure_from(one));
  return out;
}

}  // namespace

const Figure* Results::find(std::string_view family, std::string_view name) const {
  for (const Figure& figure : figures) {
    if (figure.family == family && figure.name == name) return &figure;
  }
  return nullptr;
}

// A line a figure, so that files of results can be told apart by lines.
std::string as_json(const Results& results) {
  std::string out = "{\"machine\": " + json_of(results.machine).dump() + ",\n \"figures\": [";
  const char* separator = "\n";
  for (const Figure& figure : results.figures) {
    out += separator + json_of(figure).dump();
    separator = ",\n";
  }
  return out + "\n]}\n";
}

Result<Results> results_from_json(const std::string& text) {
  try {
    return results_from(nlohmann::json::parse(text));
  } catch (const nlohmann::json::exception& problem) {
    return error("bench.results", std::string("not a file of results: ") + problem.what() +
                                      "; take one that --out or Google Benchmark wrote");
  }
}

Result<Results> read_results(const std::string& path) {
  const Result<std::string> text = cli::read_text(path);
  if (!text) return text.error();
  return results_from_json(*text);
}

}  // namespace pto::jit::bench

#include "jit/tools/bench/spatter_text.h"

#include <iomanip>
#include <nlohmann/json.hpp>
#include <sstream>

#include "jit/doors/cli/command.h"
#include "jit/tools/bench/memory_level.h"
#include "jit/tools/bench/timing_text.h"

namespace pto::jit::cli {
namespace {

std::string_view name_of(SpatterRun::Kind kind) {
  return kind == SpatterRun::Kind::Gather ? "Gather" : "Scatter";
}

void write_run(std::ostream& out, const SpatterResult& result) {
  const SpatterRun& run = result.run;
  out << name_of(run.kind) << ' ' << run.name << ", delta " << run.delta << ", count " << run.count
      << ", wrap " << run.wrap << '\n';
  for (const SpatterWay way : kSpatterWays) {
    out << "  " << std::left << std::setw(16) << name_of(way) << std::right;
    for (const SpatterFigure& figure : result.figures) {
      if (figure.way == way) out << std::setw(12) << figure.megabytes_a_second;
    }
    out << '\n';
  }
}

}  // namespace

std::string as_text(const std::vector<SpatterResult>& results, std::uint32_t repetitions) {
  std::ostringstream out;
  out << std::fixed << std::setprecision(0) << "MB/s by the bytes moved, best of " << repetitions
      << "; left with 4 bytes an index, right"
      << " with 8, as Spatter has it: rows of two f32 for kernels\n";
  for (const SpatterResult& result : results) write_run(out, result);
  return out.str();
}

std::string as_csv(const std::vector<SpatterResult>& results) {
  std::ostringstream out;
  out << "kernel,pattern,delta,count,wrap,element_bytes,way,seconds,megabytes_per_second,host\n";
  for (const SpatterResult& result : results) {
    for (const SpatterFigure& figure : result.figures) {
      out << name_of(result.run.kind) << ',' << quoted(result.run.name) << ',' << result.run.delta
          << ',' << result.run.count << ',' << result.run.wrap << ',' << bytes_of(figure.element)
          << ',' << name_of(figure.way) << ',' << figure.seconds << ',' << figure.megabytes_a_second
          << ',' << quoted(host_name()) << '\n';
    }
  }
  return out.str();
}

std::string as_json(const std::vector<SpatterResult>& results) {
  nlohmann::json runs = nlohmann::json::array();
  for (const SpatterResult& result : results) {
    nlohmann::json figures = nlohmann::json::array();
    for (const SpatterFigure& figure : result.figures) {
      figures.push_back({{"element_bytes", bytes_of(figure.element)},
                         {"way", name_of(figure.way)},
                         {"seconds", figure.seconds},
                         {"megabytes_per_second", figure.megabytes_a_second}});
    }
    runs.push_back({{"kernel", name_of(result.run.kind)},
                    {"pattern", result.run.name},
                    {"delta", result.run.delta},
                    {"count", result.run.count},
                    {"wrap", result.run.wrap},
                    {"figures", figures}});
  }
  return printed({{"host", host_name()}, {"runs", runs}});
}

}  // namespace pto::jit::cli

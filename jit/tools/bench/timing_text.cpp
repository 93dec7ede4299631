#include "jit/tools/bench/timing_text.h"

#include <array>
#include <iomanip>
#include <nlohmann/json.hpp>
#include <sstream>

#include "jit/doors/cli/command.h"
#include "jit/tools/bench/memory_level.h"

namespace pto::jit::cli {
namespace {

double each(double of, double count) { return count > 0 ? of / count : 0; }

double percent_of_copy(const KernelTiming& timing) {
  return 100 * each(timing.copy.median, timing.call.median);
}

// Every figure of a row, by the name programs know it by.
struct Figure {
  const char* name;
  double (*value)(const KernelTiming&);
};
constexpr std::array kFigures = {
    Figure{"compile_us", [](const KernelTiming& t) { return t.compile_us; }},
    Figure{"lookup_ns", [](const KernelTiming& t) { return t.lookup_ns; }},
    Figure{"call_ns", [](const KernelTiming& t) { return t.call.median; }},
    Figure{"call_ns_low", [](const KernelTiming& t) { return t.call.low; }},
    Figure{"call_ns_high", [](const KernelTiming& t) { return t.call.high; }},
    Figure{"ns_per_index", [](const KernelTiming& t) { return each(t.call.median, t.indices); }},
    Figure{"ns_per_element", [](const KernelTiming& t) { return each(t.call.median, t.elements); }},
    Figure{"bytes_per_ns", [](const KernelTiming& t) { return t.bytes_per_ns(); }},
    Figure{"copy_bytes_per_ns", [](const KernelTiming& t) { return t.copy_bytes_per_ns(); }},
    Figure{"percent_of_copy", percent_of_copy},
    Figure{"table_bytes", [](const KernelTiming& t) { return t.table_bytes; }},
    Figure{"table_met", [](const KernelTiming& t) { return t.table_met; }},
    Figure{"parts", [](const KernelTiming& t) { return static_cast<double>(t.parts); }},
    Figure{"index_sets", [](const KernelTiming& t) { return static_cast<double>(t.index_sets); }},
};

std::string indices_text(const TimedTable& table, const KernelTiming& timing) {
  std::ostringstream out;
  out << std::setprecision(3) << print(table.wish.indices) << ", seed " << table.wish.seed << ": "
      << timing.index_sets << " sets of " << std::setprecision(12) << timing.indices
      << std::setprecision(3) << ", which meet " << 100 * timing.table_met << " % of a table of "
      << bytes_text(timing.table_bytes);
  return out.str();
}

std::string row_text(const TimedTable& table, const TimedRow& row) {
  const KernelTiming& t = row.timing;
  std::ostringstream out;
  out << std::setprecision(4) << "compile " << t.compile_us << " us, lookup " << t.lookup_ns
      << " ns, call " << t.call.median << " ns: " << each(t.call.median, t.elements)
      << " ns an element, " << t.bytes_per_ns() << " bytes a ns (medians of "
      << table.wish.repetitions << ")\n";
  out << "call      " << t.call.low << " to " << t.call.high << " ns in the middle half";
  if (t.indices > 0) out << ", " << each(t.call.median, t.indices) << " ns an index";
  out << "\ncopy      " << t.copy_bytes_per_ns() << " bytes a ns through the same memory, of which "
      << "this is " << percent_of_copy(t) << " %\n";
  out << "memory    " << t.level << (table.wish.is_cold ? ", lines dropped before each call" : "")
      << '\n';
  if (!(table.wish.parallel == Parallel{}))
    out << "threads   up to " << table.wish.parallel.threads << ", the call in " << t.parts
        << (t.parts == 1 ? " part\n" : " parts\n");
  if (t.index_sets > 0) out << "indices   " << indices_text(table, t) << '\n';
  return out.str();
}

}  // namespace

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + '"';
}

std::string as_text(const TimedTable& table) {
  std::string out;
  for (const TimedRow& row : table.rows) {
    if (table.rows.size() > 1) out += row.spec + '\n';
    out += row_text(table, row);
  }
  return out + "strategy  " + table.strategy + '\n';
}

std::string as_csv(const TimedTable& table) {
  std::ostringstream out;
  out << "spec,backend,strategy,host,indices,seed,memory";
  for (const Figure& figure : kFigures) out << ',' << figure.name;
  out << '\n';
  for (const TimedRow& row : table.rows) {
    out << quoted(row.spec) << ',' << name_of(row.timing.backend) << ',' << quoted(table.strategy)
        << ',' << quoted(host_name()) << ',' << quoted(print(table.wish.indices)) << ','
        << table.wish.seed << ',' << quoted(row.timing.level);
    for (const Figure& figure : kFigures) out << ',' << figure.value(row.timing);
    out << '\n';
  }
  return out.str();
}

std::string as_json(const TimedTable& table) {
  const nlohmann::json common = {{"host", host_name()},
                                 {"strategy", table.strategy},
                                 {"indices", print(table.wish.indices)},
                                 {"seed", table.wish.seed},
                                 {"repetitions", table.wish.repetitions},
                                 {"cold", table.wish.is_cold}};
  nlohmann::json rows = nlohmann::json::array();
  for (const TimedRow& row : table.rows) {
    nlohmann::json out = {
        {"spec", row.spec}, {"backend", name_of(row.timing.backend)}, {"memory", row.timing.level}};
    for (const Figure& figure : kFigures) out[figure.name] = figure.value(row.timing);
    rows.push_back(std::move(out));
  }
  nlohmann::json out = rows.size() == 1 ? rows[0] : nlohmann::json{{"rows", rows}};
  out.update(common);
  return printed(out);
}

}  // namespace pto::jit::cli

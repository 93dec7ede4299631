// ptojit bench: one kernel timed as its users run it. Figures that are compared with other
// programs' come from bench/, where rivals take turns in one process.
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>

#include "ir/spec_text.h"
#include "jit/cli/arguments.h"
#include "jit/cli/bind_text.h"
#include "jit/cli/command.h"
#include "jit/cli/files.h"
#include "jit/cli/kernel_run.h"
#include "jit/cli/named_options.h"
#include "jit/cli/timing/sweep.h"
#include "jit/cli/timing/timing_text.h"
#include "targets/planner.h"

namespace pto::jit::cli {
namespace {

struct BenchOptions {
  std::string spec;
  std::string bind;
  std::uint32_t seed = 1;
  Result<IndexChoice> indices = IndexChoice{};
  Result<Backend> backend = Backend::Auto;
  Result<StrategyWish> strategy = StrategyWish{};
  Result<Sweep> sweep = Sweep{};
  std::uint32_t repetitions = 31;
  bool is_cold = false;
  bool json = false;
  bool csv = false;
};

// The options that can be wrong by themselves.
Result<TimingWish> wish_of(const BenchOptions& options) {
  if (!options.indices) return options.indices.error();
  if (!options.backend) return options.backend.error();
  if (!options.strategy) return options.strategy.error();
  if (!options.sweep) return options.sweep.error();
  if (options.repetitions == 0) return error("bench.repeat", "nothing is timed by --repeat 0");
  if (options.json && options.csv)
    return error("bench.form", "--json and --csv exclude each other");
  return TimingWish{.indices = *options.indices,
                    .seed = options.seed,
                    .repetitions = options.repetitions,
                    .is_cold = options.is_cold,
                    .compile = {.backend = *options.backend, .strategy = *options.strategy}};
}

// The indices of a file, as the kernel's own dtype has them.
Result<std::vector<std::uint32_t>> given_indices(const KernelSpec& spec,
                                                 const IndexChoice& choice) {
  std::vector<std::uint32_t> out;
  if (choice.law != IndexLaw::File) return out;
  const DType dtype = spec.index.dtype;
  const Result<std::vector<std::byte>> bytes =
      read_operand(choice.file, dtype, std::array<std::int64_t, 1>{1}, true);
  if (!bytes) return bytes.error();
  const auto size = static_cast<std::size_t>(size_of(dtype));
  if (bytes->size() % size != 0)
    return error("bench.indices", choice.file + " holds no whole number of indices");
  out.resize(bytes->size() / size);
  for (std::size_t i = 0; i < out.size(); ++i) std::memcpy(&out[i], bytes->data() + i * size, size);
  return out;
}

Result<TimedRow> time_row(const LegalSpec& legal, std::vector<Binding> values,
                          const TimingWish& wish, const std::vector<std::uint32_t>& given) {
  const Result<BoundSpec> bound = jit::bind(legal, values);
  if (!bound) return bound.error();
  Result<KernelTiming> timing = time_kernel(*bound, wish, given);
  if (!timing) return timing.error();
  return TimedRow{print(bound->spec()), *timing};
}

// On a terminal, a line that the results replace.
void show_progress(std::size_t done, std::size_t all) {
  if (all < 2 || isatty(STDERR_FILENO) == 0) return;
  std::fprintf(stderr, "\r%zu of %zu%s", done, all, done == all ? "\r\x1b[K" : "");
}

Outcome bench(const BenchOptions& options) {
  const Result<TimingWish> wish = wish_of(options);
  if (!wish) return unusable(wish.error());
  const Result<LegalSpec> legal = read_spec(options.spec);
  if (!legal) return refused(legal.error(), options.spec);
  const Result<std::vector<Binding>> values = parse_bindings(legal->spec(), options.bind);
  if (!values) return unusable(values.error(), options.bind);
  const Result<std::vector<std::vector<Binding>>> points = points_of(*options.sweep, legal->spec());
  if (!points) return unusable(points.error());
  const Result<std::vector<std::uint32_t>> given = given_indices(legal->spec(), wish->indices);
  if (!given) return unusable(given.error());
  const Result<std::string> strategy = describe_strategy(make_plan(*legal), wish->compile);
  if (!strategy) return unusable(strategy.error());
  TimedTable table{print(legal->spec()), *strategy, *wish, {}};
  for (const std::vector<Binding>& point : *points) {
    std::vector<Binding> all = *values;
    all.insert(all.end(), point.begin(), point.end());
    Result<TimedRow> row = time_row(*legal, std::move(all), *wish, *given);
    if (!row) return refused(row.error());
    table.rows.push_back(std::move(*row));
    show_progress(table.rows.size(), points->size());
  }
  return {.output = options.json ? as_json(table) : options.csv ? as_csv(table) : as_text(table)};
}

}  // namespace

void add_bench(CLI::App& app, Session& session) {
  const auto options = std::make_shared<BenchOptions>();
  Arguments command(app, "bench", "Time one kernel on filled memory with indices that change");
  command.take_spec(options->spec);
  command.take("--bind", options->bind, "NAME=N,...: values for each '?' of the spec");
  command.take("--seed", options->seed, "Of the made-up indices");
  command.take("--indices", options->indices, parse_indices,
               "uniform, zipf:S, sequential, runs:N, permutation, equal or file:F");
  command.take("--cold", options->is_cold, "Drop the operands from the caches before each call");
  command.take("--backend", options->backend, parse_backend, "interpreter, xbyak, llvm or auto");
  command.take("--strategy", options->strategy, parse_strategy, "As for ptojit plan");
  command.take("--repeat", options->repetitions, "How often; the median and quartiles are shown");
  command.take("--sweep", options->sweep, parse_sweep,
               "NAME=A..B: a '?' of the spec doubled from A to B, K, M and G for 2^10, 2^20, 2^30");
  command.take("--json", options->json, "Machine-readable output");
  command.take("--csv", options->csv, "A line for each row of the sweep");
  command.then([&session, options] {
    report(session, if_it_fits([&] { return bench(*options); }), options->json);
  });
}

}  // namespace pto::jit::cli

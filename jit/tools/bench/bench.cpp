// ptojit bench: one kernel timed as its users run it, or the work that Spatter describes. Figures
// that are compared with other programs' come from bench/, where rivals take turns in one process.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>
#include <span>

#include "ir/spec_text.h"
#include "jit/doors/cli/arguments.h"
#include "jit/doors/cli/bind_text.h"
#include "jit/doors/cli/command.h"
#include "jit/doors/cli/kernel_run.h"
#include "jit/doors/cli/named_options.h"
#include "jit/doors/cli/thread_options.h"
#include "jit/files/input_file.h"
#include "jit/tools/bench/spatter_text.h"
#include "jit/tools/bench/sweep.h"
#include "jit/tools/bench/timing_text.h"
#include "targets/planner.h"

namespace pto::jit::cli {
namespace {

struct BenchOptions {
  std::string spec;  // with --spatter: the file
  std::string bind;
  std::uint32_t seed = 1;
  Result<IndexChoice> indices = IndexChoice{};
  Result<Backend> backend = Backend::Auto;
  Result<std::optional<StrategyWish>> strategy = std::optional<StrategyWish>();
  Result<Sweep> sweep = Sweep{};
  std::optional<std::uint64_t> repetitions;
  ThreadOptions threads;
  bool is_cold = false;
  bool is_spatter = false;
  SpatterOptions spatter;
  bool json = false;
  bool csv = false;
};

// The first of several options that could not be read.
template <class... Option>
Result<Done> all_read(const Option&... option) {
  Result<Done> out = Done{};
  const auto look = [&](const auto& one) {
    if (out && !one) out = one.error();
  };
  (look(option), ...);
  return out;
}

constexpr std::array kOfSpecs = {"--bind", "--seed",    "--indices", "--sweep",
                                 "--cold", "--threads", "--parts"};
constexpr std::array kOfSpatter = {"-k", "-p", "-d", "-l", "-w"};
constexpr std::array kOfIndices = {"--seed", "--indices"};

const char* first_given(const Arguments& given, std::span<const char* const> names) {
  const auto found = std::ranges::find_if(names, [&](const char* name) { return given.has(name); });
  return found == names.end() ? nullptr : *found;
}

// Options of one kind of work are not for the other.
Result<Done> check_kind(const Arguments& given, bool is_spatter) {
  const char* const other =
      is_spatter ? first_given(given, kOfSpecs) : first_given(given, kOfSpatter);
  if (other == nullptr) return Done{};
  return error("bench.option", std::string(other) + (is_spatter ? " is not for --spatter"
                                                                : " is for --spatter only"));
}

Result<TimingWish> wish_of(const BenchOptions& options) {
  const Result<Done> read =
      all_read(options.indices, options.backend, options.strategy, options.sweep);
  if (!read) return read.error();
  const std::uint64_t repetitions = options.repetitions.value_or(options.is_spatter ? 10 : 31);
  if (repetitions == 0 || repetitions > 1'000'000)
    return error("bench.repeat", "--repeat is from 1 to 1000000");
  if (options.json && options.csv)
    return error("bench.form", "--json and --csv exclude each other");
  const Result<CompileOptions> code = compile_options(*options.backend, *options.strategy);
  if (!code) return code.error();
  const Result<Parallel> parallel = parallel_of(options.threads);
  if (!parallel) return parallel.error();
  return TimingWish{.indices = *options.indices,
                    .seed = options.seed,
                    .repetitions = static_cast<std::uint32_t>(repetitions),
                    .is_cold = options.is_cold,
                    .compile = *code,
                    .parallel = *parallel};
}

// On a terminal, a line that the results replace.
void show_progress(std::size_t done, std::size_t all) {
  if (all < 2 || isatty(STDERR_FILENO) == 0) return;
  std::fprintf(stderr, "\r%zu of %zu%s", done, all, done == all ? "\r\x1b[K" : "");
}

// Without indices there is nothing to choose about them.
Result<Done> check_indices_used(const Arguments& given, const KernelPlan& plan) {
  const char* const idle = plan.has_index() ? nullptr : first_given(given, kOfIndices);
  if (idle == nullptr) return Done{};
  const std::string name(idle);
  return error("option." + name.substr(2),
               name + " has no effect: there are no indices to make up");
}

// The indices of a file, as the kernel's own dtype has them.
Result<std::vector<std::uint32_t>> given_indices(const KernelSpec& spec,
                                                 const IndexChoice& choice) {
  std::vector<std::uint32_t> out;
  if (choice.law != IndexLaw::File) return out;
  const DType dtype = spec.index.dtype;
  const Result<InputFile> file = InputFile::open(choice.file, InputFile::Use::Read);
  if (!file) return file.error();
  const Storage payload = file->payload();
  if (file->array()) {
    const Result<Done> fits =
        check_array(*file->array(), {.dtype = dtype, .storage = {1}, .may_be_longer = true});
    if (!fits) return file->complaint(fits.error());
  }
  const auto size = static_cast<std::size_t>(size_of(dtype));
  if (payload.bytes.empty() || payload.bytes.size() % size != 0)
    return error("bench.indices",
                 "'" + printable(choice.file, 200) + "' holds no whole number of indices");
  out.resize(payload.bytes.size() / size);
  for (std::size_t i = 0; i < out.size(); ++i)
    std::memcpy(&out[i], payload.bytes.data() + i * size, size);
  return out;
}

Result<TimedRow> time_row(const LegalSpec& legal, const std::vector<Binding>& values,
                          const TimingWish& wish, const std::vector<std::uint32_t>& given) {
  const Result<BoundSpec> bound = jit::bind(legal, values);
  if (!bound) return bound.error();
  Result<KernelTiming> timing = time_kernel(*bound, wish, given);
  if (!timing) return timing.error();
  return TimedRow{print(bound->spec()), std::move(*timing)};
}

Outcome bench_spec(const BenchOptions& options, const TimingWish& wish, const Arguments& given) {
  const Result<LegalSpec> legal = read_spec(options.spec);
  if (!legal) return refused(legal.error(), options.spec);
  const Result<std::vector<Binding>> values = parse_bindings(legal->spec(), options.bind);
  if (!values) return unusable(values.error(), options.bind);
  const Result<std::vector<std::vector<Binding>>> points = points_of(*options.sweep, legal->spec());
  if (!points) return unusable(points.error());
  if (const Result<Done> used = check_indices_used(given, make_plan(*legal)); !used)
    return unusable(used.error());
  const Result<std::vector<std::uint32_t>> listed = given_indices(legal->spec(), wish.indices);
  if (!listed) return unusable(listed.error());
  const Result<std::string> strategy = describe_strategy(make_plan(*legal), wish.compile);
  if (!strategy) return unusable(strategy.error());
  TimedTable table{print(legal->spec()), *strategy, wish, {}};
  for (const std::vector<Binding>& point : *points) {
    std::vector<Binding> all = *values;
    all.insert(all.end(), point.begin(), point.end());
    Result<TimedRow> row = time_row(*legal, all, wish, *listed);
    if (!row) return refused(row.error());
    table.rows.push_back(std::move(*row));
    show_progress(table.rows.size(), points->size());
  }
  return {.output = options.json ? as_json(table) : options.csv ? as_csv(table) : as_text(table)};
}

Result<std::vector<SpatterRun>> spatter_runs(const BenchOptions& options, const Arguments& given) {
  const bool has_pattern = given.has("-p");
  if (has_pattern == given.has("SPEC") || (!has_pattern && first_given(given, kOfSpatter)))
    return error("bench.option",
                 "--spatter takes a file, or -p with a pattern and perhaps -k, -d, -l and -w");
  if (has_pattern) {
    Result<SpatterRun> run = make_spatter_run(options.spatter);
    if (!run) return run.error();
    return std::vector{std::move(*run)};
  }
  const Result<std::string> text = read_text(options.spec);
  if (!text) return text.error();
  return parse_spatter_file(*text);
}

Outcome bench_spatter(const BenchOptions& options, const TimingWish& wish, const Arguments& given) {
  const Result<std::vector<SpatterRun>> runs = spatter_runs(options, given);
  if (!runs) return unusable(runs.error());
  std::vector<SpatterResult> results;
  for (const SpatterRun& run : *runs) {
    Result<std::vector<SpatterFigure>> figures = time_spatter(run, wish);
    if (!figures) return unusable(figures.error());
    results.push_back({run, std::move(*figures)});
    show_progress(results.size(), runs->size());
  }
  if (options.json) return {.output = as_json(results)};
  return {.output = options.csv ? as_csv(results) : as_text(results, wish.repetitions)};
}

Outcome bench(const BenchOptions& options, const Arguments& given) {
  if (const Result<Done> checked = check_kind(given, options.is_spatter); !checked)
    return unusable(checked.error());
  const Result<TimingWish> wish = wish_of(options);
  if (!wish) return unusable(wish.error());
  return options.is_spatter ? bench_spatter(options, *wish, given)
                            : bench_spec(options, *wish, given);
}

}  // namespace

void add_bench(CLI::App& app, Session& session) {
  const auto options = std::make_shared<BenchOptions>();
  Arguments command(app, "bench", "Time one kernel on full memory with indices that change");
  command.take("SPEC", options->spec, "The spec text, or with --spatter a file of its runs");
  command.take("--bind", options->bind, "NAME=N,...: values for each '?' of the spec");
  command.take("--seed", options->seed, "Of the made-up indices");
  command.take("--indices", options->indices, parse_indices,
               "uniform, zipf:S, sequential, runs:N, permutation, equal or file:F");
  command.take("--cold", options->is_cold, "Drop the operands from the caches before each call");
  command.take("--backend", options->backend, parse_backend, "interpreter, xbyak, llvm or auto");
  command.take("--strategy", options->strategy, parse_strategy, "As for ptojit plan");
  take_threads(command, options->threads);
  command.take("--repeat", options->repetitions, "How often everything is timed");
  command.take("--sweep", options->sweep, parse_sweep,
               "NAME=A..B: a '?' of the spec doubled from A to B, K, M and G for 2^10, 2^20, 2^30");
  command.take("--spatter", options->is_spatter, "Time work as Spatter describes it");
  command.take("-k", options->spatter.kernel, "--spatter: Gather or Scatter");
  command.take("-p", options->spatter.pattern,
               "--spatter: UNIFORM:8:1, MS1:8:4:32, LAPLACIAN:2:1:100 or a list of indices");
  command.take("-d", options->spatter.delta, "--spatter: from pattern to pattern");
  command.take("-l", options->spatter.count, "--spatter: how many patterns");
  command.take("-w", options->spatter.wrap, "--spatter: patterns the dense side has");
  command.take("--json", options->json, "Machine-readable output");
  command.take("--csv", options->csv, "A line for each row");
  command.then([&session, options, command] {
    run_command(session, [&] { return bench(*options, command); }, options->json);
  });
}

}  // namespace pto::jit::cli

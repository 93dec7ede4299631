// ptojit bench: one kernel timed as its users run it, or the work that Spatter describes. Figures
// that are compared with other programs' come from bench/, where rivals take turns in one process.
#include <unistd.h>

#include <array>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>

#include "ir/spec_text.h"
#include "jit/cli/arguments.h"
#include "jit/cli/bind_text.h"
#include "jit/cli/command.h"
#include "jit/cli/input_file.h"
#include "jit/cli/kernel_run.h"
#include "jit/cli/named_options.h"
#include "jit/cli/timing/spatter_text.h"
#include "jit/cli/timing/sweep.h"
#include "jit/cli/timing/timing_text.h"
#include "targets/planner.h"

namespace pto::jit::cli {
namespace {

using Number = std::optional<std::uint64_t>;

struct BenchOptions {
  std::string spec;  // with --spatter: the file
  std::string bind;
  Result<Number> seed = Number();
  Result<std::optional<IndexChoice>> indices = std::optional<IndexChoice>();
  Result<Backend> backend = Backend::Auto;
  Result<std::optional<StrategyWish>> strategy = std::optional<StrategyWish>();
  Result<Sweep> sweep = Sweep{};
  Result<Number> repetitions = Number();
  bool is_cold = false;
  bool is_spatter = false;
  std::string spatter_kernel;
  std::string spatter_pattern;
  Result<Number> spatter_delta = Number();
  Result<Number> spatter_count = Number();
  Result<Number> spatter_wrap = Number();
  bool json = false;
  bool csv = false;
};

Result<Number> parse_number(const std::string& text) {
  std::uint64_t value = 0;
  const char* const last = text.data() + text.size();
  const auto [end, problem] = std::from_chars(text.data(), last, value);
  if (problem != std::errc() || end != last)
    return error("bench.number", "'" + printable(text) + "' is not a whole number from 0 on");
  return Number(value);
}

Result<std::optional<IndexChoice>> parse_choice(const std::string& text) {
  Result<IndexChoice> choice = parse_indices(text);
  if (!choice) return choice.error();
  return std::optional(std::move(*choice));
}

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

// Options of one kind of work are not for the other.
Result<Done> check_kind(const BenchOptions& options) {
  const auto refuse = [&](bool is_given, const char* name) -> Result<Done> {
    if (!is_given) return Done{};
    return error("bench.option",
                 std::string(name) +
                     (options.is_spatter ? " is not for --spatter" : " is for --spatter only"));
  };
  struct Given {
    bool is_given;
    const char* name;
    bool is_spatter;
  };
  for (const Given& given :
       {Given{!options.bind.empty(), "--bind", false},
        Given{options.seed->has_value(), "--seed", false},
        Given{options.indices->has_value(), "--indices", false},
        Given{!options.sweep->name.empty(), "--sweep", false},
        Given{options.is_cold, "--cold", false}, Given{!options.spatter_kernel.empty(), "-k", true},
        Given{!options.spatter_pattern.empty(), "-p", true},
        Given{options.spatter_delta->has_value(), "-d", true},
        Given{options.spatter_count->has_value(), "-l", true},
        Given{options.spatter_wrap->has_value(), "-w", true}}) {
    if (given.is_spatter == options.is_spatter) continue;
    if (Result<Done> checked = refuse(given.is_given, given.name); !checked) return checked;
  }
  return Done{};
}

Result<TimingWish> wish_of(const BenchOptions& options) {
  const Result<Done> read = all_read(
      options.seed, options.indices, options.backend, options.strategy, options.sweep,
      options.repetitions, options.spatter_delta, options.spatter_count, options.spatter_wrap);
  if (!read) return read.error();
  if (Result<Done> checked = check_kind(options); !checked) return checked.error();
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
  const std::uint64_t repetitions = options.repetitions->value_or(options.is_spatter ? 10 : 31);
  if (repetitions == 0 || repetitions > 1'000'000)
    return error("bench.repeat", "--repeat is from 1 to 1000000");
  if (options.seed->value_or(0) > kMost) return error("bench.seed", "a seed has 32 bits");
  if (options.json && options.csv)
    return error("bench.form", "--json and --csv exclude each other");
  const Result<CompileOptions> code = compile_options(*options.backend, *options.strategy);
  if (!code) return code.error();
  return TimingWish{.indices = options.indices->value_or(IndexChoice{}),
                    .seed = static_cast<std::uint32_t>(options.seed->value_or(1)),
                    .repetitions = static_cast<std::uint32_t>(repetitions),
                    .is_cold = options.is_cold,
                    .compile = *code};
}

// On a terminal, a line that the results replace.
void show_progress(std::size_t done, std::size_t all) {
  if (all < 2 || isatty(STDERR_FILENO) == 0) return;
  std::fprintf(stderr, "\r%zu of %zu%s", done, all, done == all ? "\r\x1b[K" : "");
}

// Without indices there is nothing to choose about them.
Result<Done> check_indices_used(const BenchOptions& options, const KernelPlan& plan) {
  if (plan.has_index()) return Done{};
  const char* const idle = options.seed->has_value()      ? "seed"
                           : options.indices->has_value() ? "indices"
                                                          : nullptr;
  if (idle == nullptr) return Done{};
  return error(std::string("option.") + idle,
               std::string("--") + idle + " has no effect: there are no indices to make up");
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

Outcome bench_spec(const BenchOptions& options, const TimingWish& wish) {
  const Result<LegalSpec> legal = read_spec(options.spec);
  if (!legal) return refused(legal.error(), options.spec);
  const Result<std::vector<Binding>> values = parse_bindings(legal->spec(), options.bind);
  if (!values) return unusable(values.error(), options.bind);
  const Result<std::vector<std::vector<Binding>>> points = points_of(*options.sweep, legal->spec());
  if (!points) return unusable(points.error());
  if (const Result<Done> used = check_indices_used(options, make_plan(*legal)); !used)
    return unusable(used.error());
  const Result<std::vector<std::uint32_t>> given = given_indices(legal->spec(), wish.indices);
  if (!given) return unusable(given.error());
  const Result<std::string> strategy = describe_strategy(make_plan(*legal), wish.compile);
  if (!strategy) return unusable(strategy.error());
  TimedTable table{print(legal->spec()), *strategy, wish, {}};
  for (const std::vector<Binding>& point : *points) {
    std::vector<Binding> all = *values;
    all.insert(all.end(), point.begin(), point.end());
    Result<TimedRow> row = time_row(*legal, all, wish, *given);
    if (!row) return refused(row.error());
    table.rows.push_back(std::move(*row));
    show_progress(table.rows.size(), points->size());
  }
  return {.output = options.json ? as_json(table) : options.csv ? as_csv(table) : as_text(table)};
}

Result<std::vector<SpatterRun>> spatter_runs(const BenchOptions& options) {
  if (!options.spatter_pattern.empty()) {
    if (!options.spec.empty())
      return error("bench.option", "--spatter takes a file or -p with a pattern, not both");
    SpatterOptions one{.pattern = options.spatter_pattern,
                       .delta = *options.spatter_delta,
                       .count = *options.spatter_count,
                       .wrap = *options.spatter_wrap};
    if (!options.spatter_kernel.empty()) one.kernel = options.spatter_kernel;
    Result<SpatterRun> run = make_spatter_run(one);
    if (!run) return run.error();
    return std::vector{std::move(*run)};
  }
  const bool has_more = !options.spatter_kernel.empty() || options.spatter_delta->has_value() ||
                        options.spatter_count->has_value() || options.spatter_wrap->has_value();
  if (options.spec.empty() || has_more)
    return error("bench.option",
                 "--spatter takes a file, or -p with a pattern and perhaps -k, -d, -l and -w");
  const Result<std::string> text = read_text(options.spec);
  if (!text) return text.error();
  return parse_spatter_file(*text);
}

Outcome bench_spatter(const BenchOptions& options, const TimingWish& wish) {
  const Result<std::vector<SpatterRun>> runs = spatter_runs(options);
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

Outcome bench(const BenchOptions& options) {
  const Result<TimingWish> wish = wish_of(options);
  if (!wish) return unusable(wish.error());
  return options.is_spatter ? bench_spatter(options, *wish) : bench_spec(options, *wish);
}

}  // namespace

void add_bench(CLI::App& app, Session& session) {
  const auto options = std::make_shared<BenchOptions>();
  Arguments command(app, "bench", "Time one kernel on full memory with indices that change");
  command.take("SPEC", options->spec, "The spec text, or with --spatter a file of its runs");
  command.take("--bind", options->bind, "NAME=N,...: values for each '?' of the spec");
  command.take("--seed", options->seed, parse_number, "Of the made-up indices");
  command.take("--indices", options->indices, parse_choice,
               "uniform, zipf:S, sequential, runs:N, permutation, equal or file:F");
  command.take("--cold", options->is_cold, "Drop the operands from the caches before each call");
  command.take("--backend", options->backend, parse_backend, "interpreter, xbyak, llvm or auto");
  command.take("--strategy", options->strategy, parse_strategy, "As for ptojit plan");
  command.take("--repeat", options->repetitions, parse_number, "How often everything is timed");
  command.take("--sweep", options->sweep, parse_sweep,
               "NAME=A..B: a '?' of the spec doubled from A to B, K, M and G for 2^10, 2^20, 2^30");
  command.take("--spatter", options->is_spatter, "Time work as Spatter describes it");
  command.take("-k", options->spatter_kernel, "--spatter: Gather or Scatter");
  command.take("-p", options->spatter_pattern,
               "--spatter: UNIFORM:8:1, MS1:8:4:32, LAPLACIAN:2:1:100 or a list of indices");
  command.take("-d", options->spatter_delta, parse_number, "--spatter: from pattern to pattern");
  command.take("-l", options->spatter_count, parse_number, "--spatter: how many patterns");
  command.take("-w", options->spatter_wrap, parse_number, "--spatter: patterns the dense side has");
  command.take("--json", options->json, "Machine-readable output");
  command.take("--csv", options->csv, "A line for each row");
  command.then([&session, options] {
    report(session, if_it_fits([&] { return bench(*options); }), options->json);
  });
}

}  // namespace pto::jit::cli

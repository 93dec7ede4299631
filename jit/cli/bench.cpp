// ptojit bench: one kernel timed on made-up data. A look, not a proof: figures that are compared
// come from bench/, where rivals take turns in one process.
#include <algorithm>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>

#include "ir/interpreter.h"
#include "jit/cli/arguments.h"
#include "jit/cli/bind_text.h"
#include "jit/cli/command.h"
#include "jit/compile.h"
#include "runtime/fillers.h"
#include "runtime/operands.h"
#include "targets/binding.h"

namespace pto::jit::cli {
namespace {

struct BenchOptions {
  std::string spec;
  std::string bind;
  std::uint32_t seed = 1;
  bool json = false;
};

struct Timing {
  double compile_us = 0;
  double lookup_ns = 0;
  double call_ns = 0;
  double elements = 0;
  double bytes = 0;
};

using Clock = std::chrono::steady_clock;

// The median time of one call, in nanoseconds, over repetitions long enough to be told apart.
template <class Body>
double median_ns(Body&& body) {
  constexpr int kRepetitions = 31;
  constexpr auto kLeast = std::chrono::microseconds(200);
  std::int64_t calls = 1;
  const auto time = [&] {
    const auto start = Clock::now();
    for (std::int64_t i = 0; i < calls; ++i) body();
    return Clock::now() - start;
  };
  while (time() < kLeast && calls < (std::int64_t{1} << 24)) calls *= 2;
  std::vector<double> times;
  for (int i = 0; i < kRepetitions; ++i) {
    times.push_back(std::chrono::duration<double, std::nano>(time()).count() /
                    static_cast<double>(calls));
  }
  std::nth_element(times.begin(), times.begin() + kRepetitions / 2, times.end());
  return times[kRepetitions / 2];
}

// Operands of zeros with random indices that stay in range.
Result<OperandStore> made_up_operands(const BoundSpec& bound, std::uint32_t seed) {
  Result<OperandStore> out = OperandStore::make(bound.spec(), bound.plan());
  if (!out || !bound.plan().has_index()) return out;
  std::mt19937 random(seed);
  const std::uint64_t slots = std::max<std::uint64_t>(indexed_slots(bound.plan(), out->frame()), 1);
  fill(out->bytes_of({Role::Index}), bound.spec().index.dtype,
       [&](std::size_t) { return random() % slots; });
  return out;
}

double elements_of(const KernelPlan& plan, const Frame& frame) {
  double elements = std::max(plan.ranks, 1);
  for (std::size_t i = 0; i < plan.level_count; ++i) {
    const bool is_block = plan.block > 0 && i + 1 == plan.level_count;
    if (!is_block) elements *= static_cast<double>(value_in(frame, plan.levels[i].extent));
  }
  elements *= static_cast<double>(value_in(frame, plan.unit.inner.count) *
                                  value_in(frame, plan.unit.outer.count));
  return elements * static_cast<double>(value_in(frame, plan.unit.run)) / plan.element_size;
}

Result<Timing> time_kernel(const BoundSpec& bound, std::uint32_t seed) {
  const LegalSpec& legal = bound.legal();
  const KernelPlan& plan = bound.plan();
  const Result<OperandStore> operands = made_up_operands(bound, seed);
  if (!operands) return operands.error();
  const Frame& frame = operands->frame();
  const Result<Kernel> kernel = compile(legal);
  if (!kernel) return kernel.error();
  Timing out;
  out.compile_us = median_ns([&] {
                     kernel_cache().clear();
                     static_cast<void>(compile(legal.spec()));
                   }) /
                   1000;
  out.lookup_ns = median_ns([&] { static_cast<void>(compile(legal.spec())); });
  out.call_ns = median_ns([&] { (*kernel)(frame); });
  out.elements = elements_of(plan, frame);
  out.bytes = out.elements * plan.element_size;
  return out;
}

std::string as_text(const BenchOptions& options, const Timing& timing) {
  const double per_element = timing.elements > 0 ? timing.call_ns / timing.elements : 0;
  const double per_ns = timing.call_ns > 0 ? timing.bytes / timing.call_ns : 0;
  if (options.json) {
    return printed({{"compile_us", timing.compile_us},
                    {"lookup_ns", timing.lookup_ns},
                    {"call_ns", timing.call_ns},
                    {"ns_per_element", per_element},
                    {"bytes_per_ns", per_ns},
                    {"seed", options.seed}});
  }
  std::ostringstream out;
  out << "compile " << timing.compile_us << " us, lookup " << timing.lookup_ns << " ns, call "
      << timing.call_ns << " ns: " << per_element << " ns an element, " << per_ns
      << " bytes a ns (medians, seed " << options.seed << ")\n";
  return out.str();
}

Outcome bench(const BenchOptions& options) {
  const Result<LegalSpec> legal = read_spec(options.spec);
  if (!legal) return refused(legal.error(), options.spec);
  const Result<std::vector<Binding>> values = parse_bindings(legal->spec(), options.bind);
  if (!values) return unusable(values.error(), options.bind);
  const Result<BoundSpec> bound = jit::bind(*legal, *values);
  if (!bound) return refused(bound.error());
  const Result<Timing> timing = time_kernel(*bound, options.seed);
  if (!timing) return unusable(timing.error());
  return {.output = as_text(options, *timing)};
}

}  // namespace

void add_bench(CLI::App& app, Session& session) {
  const auto options = std::make_shared<BenchOptions>();
  Arguments command(app, "bench", "Time one kernel on made-up data");
  command.take_spec(options->spec);
  command.take("--bind", options->bind, "NAME=N,...: values for each '?' of the spec");
  command.take("--seed", options->seed, "Of the made-up indices");
  command.take("--json", options->json, "Machine-readable output");
  command.then([&session, options] { report(session, bench(*options)); });
}

}  // namespace pto::jit::cli

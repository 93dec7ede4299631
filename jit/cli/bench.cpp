// ptojit bench: one kernel timed on made-up data. A look, not a proof: figures that are compared
// come from bench/, where rivals take turns in one process.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>
#include <random>

#include "ir/interpreter.h"
#include "ir/spec_text.h"
#include "ir/storage.h"
#include "jit/cli/bind_text.h"
#include "jit/cli/buffer.h"
#include "jit/cli/command.h"
#include "jit/compile.h"
#include "targets/binding.h"
#include "targets/planner.h"

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
class MadeUpOperands {
 public:
  static Result<MadeUpOperands> make(const KernelSpec& bound, const KernelPlan& plan,
                                     std::uint32_t seed) {
    MadeUpOperands out;
    out.frame_.extents = extents_of(bound);
    for (const Operand& operand : operands_of(bound.op)) {
      const std::int32_t copies = operand.role == Role::Peer ? bound.ranks : 1;
      for (std::int32_t copy = 0; copy < copies; ++copy) {
        const std::int64_t bytes = storage_bytes(bound, operand.role, plan, out.frame_);
        Result<Buffer> buffer = Buffer::zeros(bytes, std::string(operand.name));
        if (!buffer) return buffer.error();
        out.take(bound, operand.role, std::move(*buffer));
      }
    }
    if (plan.has_index()) out.fill_indices(bound.index, plan, seed);
    Result<Buffer> scratch = Buffer::zeros(scratch_bytes(plan, out.frame_), "the audit");
    if (!scratch) return scratch.error();
    out.scratch_.push_back(std::move(*scratch));
    return out;
  }

  Frame frame() {
    frame_.ranks = ranks_.data();
    frame_.report = &report_;
    frame_.scratch = scratch_[0].data();
    return frame_;
  }

 private:
  void take(const KernelSpec& bound, Role role, Buffer buffer) {
    const bool is_stage = bound.op == Op::CommTScatter && role == Role::Data;
    if (role == Role::Peer) ranks_.push_back(buffer.data());
    if (role != Role::Peer && !is_stage) set_buffer(frame_, bound.op, role, buffer.data());
    if (role == Role::Index) indices_ = buffer.data();
    buffers_.push_back(std::move(buffer));
  }

  void fill_indices(const Tile& tile, const KernelPlan& plan, std::uint32_t seed) {
    std::mt19937 random(seed);
    const std::int64_t most = plan.index_size == 2 ? 0x10000 : 0xffffffff;
    const std::int64_t capacity =
        std::clamp<std::int64_t>(value_in(frame_, plan.capacity), 1, most);
    const std::int64_t count = std::int64_t{tile.rows} * tile.cols;
    for (std::int64_t i = 0; i < count; ++i) {
      const auto index =
          static_cast<std::uint32_t>(random() % static_cast<std::uint64_t>(capacity));
      std::memcpy(indices_ + i * plan.index_size, &index, plan.index_size);
    }
  }

  Frame frame_;
  AuditReport report_;
  std::byte* indices_ = nullptr;
  std::vector<Buffer> buffers_;
  std::vector<Buffer> scratch_;
  std::vector<void*> ranks_;
};

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

Result<Timing> time_kernel(const LegalSpec& legal, const KernelSpec& bound, std::uint32_t seed) {
  const KernelPlan plan = make_plan(legal);
  Result<MadeUpOperands> operands = MadeUpOperands::make(bound, plan, seed);
  if (!operands) return operands.error();
  const Frame frame = operands->frame();
  const Result<Kernel> kernel = compile(legal.spec());
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

void print_timing(Session& session, const BenchOptions& options, const Timing& timing) {
  const double per_element = timing.elements > 0 ? timing.call_ns / timing.elements : 0;
  const double per_ns = timing.call_ns > 0 ? timing.bytes / timing.call_ns : 0;
  if (options.json) {
    const nlohmann::json out = {{"compile_us", timing.compile_us}, {"lookup_ns", timing.lookup_ns},
                                {"call_ns", timing.call_ns},       {"ns_per_element", per_element},
                                {"bytes_per_ns", per_ns},          {"seed", options.seed}};
    session.out << out.dump(2) << "\n";
    return;
  }
  session.out << "compile " << timing.compile_us << " us, lookup " << timing.lookup_ns
              << " ns, call " << timing.call_ns << " ns: " << per_element << " ns an element, "
              << per_ns << " bytes a ns (medians, seed " << options.seed << ")\n";
}

void bench(Session& session, const BenchOptions& options) {
  const std::optional<KernelSpec> spec = read_spec(session, options.spec);
  if (!spec) return;
  const Result<LegalSpec> legal = verify(*spec);
  if (!legal) return fail(session, Exit::Broken, legal.error());
  const Result<std::vector<Binding>> bindings = parse_bindings(*spec, options.bind);
  if (!bindings) return fail(session, Exit::Unusable, bindings.error(), options.bind);
  const Result<KernelSpec> bound = jit::bind(*legal, *bindings);
  if (!bound) return fail(session, Exit::Unusable, bound.error());
  if (const Result<Done> kept = verify_bound(*legal, *bound); !kept)
    return fail(session, Exit::Broken, kept.error());
  const Result<Timing> timing = time_kernel(*legal, *bound, options.seed);
  if (!timing) return fail(session, Exit::Unusable, timing.error());
  print_timing(session, options, *timing);
}

}  // namespace

void add_bench(CLI::App& app, Session& session) {
  const auto options = std::make_shared<BenchOptions>();
  CLI::App* command = app.add_subcommand("bench", "Time one kernel on made-up data");
  command->add_option("SPEC", options->spec, "The spec text")->required();
  command->add_option("--bind", options->bind, "NAME=N,...: values for each '?' of the spec");
  command->add_option("--seed", options->seed, "Of the made-up indices");
  command->add_flag("--json", options->json, "Machine-readable output");
  command->callback([&session, options] { bench(session, *options); });
}

}  // namespace pto::jit::cli

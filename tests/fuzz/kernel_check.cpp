#include "tests/fuzz/kernel_check.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

#include "ir/interpreter.h"
#include "ir/parts.h"
#include "ir/quantity.h"
#include "ir/spec_text.h"
#include "ir/storage.h"
#include "jit/text/emit_source.h"
#include "runtime/fillers.h"
#include "targets/binding.h"
#include "targets/planner.h"
#include "tests/fuzz/draws.h"
#include "tests/fuzz/plant.h"
#include "tests/support/dealt_parts.h"
#include "tests/support/spoiled_stack.h"
#include "tests/support/workload.h"

namespace pto::jit::tests {
namespace {

constexpr std::int64_t kMostBytes = 1 << 17;  // of all operands together
constexpr std::int32_t kMostRanks = 16;

// The stage of a group counts too: workloads have memory for it.
bool is_small(const KernelSpec& bound, const KernelPlan& plan) {
  if (plan.ranks > kMostRanks) return false;
  const Frame frame = frame_of(bound);
  std::int64_t bytes = 0;
  for (const Operand& operand : operands_of(bound.op))
    bytes = saturating_sum(bytes, storage_bytes(bound, operand.role, plan, frame));
  return bytes <= kMostBytes;
}

// The code of a draw: of the whole, or of its parts and of the audit before them.
struct Code {
  Kernel kernel;
  std::optional<Kernel> audit = {};
};

void run_in_parts(const Workload& load, const Draws& draws, const Code& code, const Frame& frame) {
  const std::int64_t pieces = pieces_in(load.plan, frame);
  if (pieces <= 1) return interpret(load.plan, frame);
  if (code.audit) (*code.audit)(audit_frame(frame));
  Random random = draws.random;
  const auto seed = static_cast<std::uint32_t>(random.next());
  const std::vector<PartRange> ranges = random.below(3) == 0
                                            ? uneven_parts(pieces, draws.parts, seed)
                                            : even_parts(pieces, draws.parts);
  run_shuffled(load.plan, frame, ranges, seed, [&](const Frame& part) {
    spoil_stack();
    code.kernel(part);
  });
}

std::string complaint_about_run(const Workload& load, const Draws& draws, const Code& code) {
  const Image expected = run_model(load);
  const auto by_plan = [&](const Frame& frame) { interpret(load.plan, frame); };
  const auto by_code = [&](const Frame& frame) {
    if (draws.parts > 0) return run_in_parts(load, draws, code, frame);
    spoil_stack();
    code.kernel(frame);
  };
  for (const Guard guard : {Guard::Behind, Guard::Before}) {
    const std::string meaning = difference(load, expected, run_guarded(load, guard, by_plan));
    if (!meaning.empty()) return "the interpreter: " + meaning;
    const std::string found = difference(load, expected, run_guarded(load, guard, by_code));
    if (!found.empty()) return "the code: " + found;
  }
  return "";
}

// A diagnostic is as good as a text; anything else is not an answer.
std::string complaint_about_source(const KernelSpec& spec, Random& random) {
  const auto form = static_cast<SourceForm>(random.below(4));
  const Result<std::string> text = emit_source(spec, {.form = form});
  const bool is_answer = text ? !text->empty() : !text.error().empty();
  return is_answer ? "" : "neither a text nor a diagnostic for " + print(spec);
}

// Other extents than `bound` has, where the rules allow them.
KernelSpec any_extents(const LegalSpec& legal, const KernelSpec& bound, Random& random) {
  KernelSpec out = legal.spec();
  for (const Dim dim : runtime_dims(legal.spec())) {
    if (get(out, dim) != kRuntime) continue;
    const std::int64_t given = get(bound, dim);
    const bool keeps = is_stride(dim) || random.below(2) == 0;
    const auto most = static_cast<std::size_t>(std::max<std::int64_t>(given, 0)) + 1;
    set(out, dim, keeps ? given : static_cast<std::int64_t>(random.below(most)));
    follow_ties(out, legal.profile());
  }
  return verify_bound(legal, out) ? out : bound;
}

// Some of the indices, or all, name no slot any more.
void send_outside(Workload& load, Outside outside, Random& random) {
  if (outside == Outside::None || !load.plan.has_index() || load.plan.oob == Oob::Undefined) return;
  constexpr std::array<std::size_t, 3> kOneIn = {2, 16, 64};
  const std::size_t one_in = outside == Outside::All ? 1 : kOneIn[random.below(kOneIn.size())];
  const std::uint64_t slots = indexed_slots(load.plan, frame_of(load.bound));
  const std::array<std::uint64_t, 4> beyond = {slots, 2 * slots + 3, 1U << 31, 0xffffffff};
  const auto size = static_cast<std::size_t>(load.plan.index_size);
  for (std::size_t at = 0; at + size <= load.memory.index.size(); at += size) {
    const std::uint64_t value = beyond[random.below(beyond.size())];
    if (random.below(one_in) == 0) std::memcpy(&load.memory.index[at], &value, size);
  }
}

std::optional<Workload> any_workload(const LegalSpec& legal, const KernelPlan& plan, Draws& draws) {
  constexpr std::array kInside = {Pattern::Sequential, Pattern::Reversed, Pattern::Random,
                                  Pattern::Equal};
  Random& random = draws.random;
  const std::vector<KernelSpec> bindings = bindings_for(legal);
  if (bindings.empty()) return std::nullopt;
  KernelSpec bound = bindings[random.below(bindings.size())];
  if (random.below(2) == 0) bound = any_extents(legal, bound, random);
  if (!is_small(bound, plan)) return std::nullopt;
  const auto seed = static_cast<std::uint32_t>(random.next());
  const Pattern pattern = kInside[random.below(kInside.size())];
  std::optional<Workload> load = make_workload(legal, bound, pattern, seed);
  if (!load) load = make_workload(legal, bound, Pattern::Sequential, seed);
  if (load) send_outside(*load, draws.outside, random);
  return load;
}

// As it turned out.
Outside outside_in(const Workload& load) {
  const std::uint64_t slots = indexed_slots(load.plan, frame_of(load.bound));
  const auto size = static_cast<std::size_t>(load.plan.index_size);
  std::size_t count = 0;
  std::size_t outside = 0;
  for (std::size_t at = 0; at + size <= load.memory.index.size(); at += size, ++count) {
    std::uint32_t index = 0;
    std::memcpy(&index, &load.memory.index[at], size);
    outside += index >= slots;
  }
  return outside == 0 ? Outside::None : outside == count ? Outside::All : Outside::Some;
}

void add_run(Tally& tally, const Workload& load, const KernelPlan& plan, Backend backend) {
  ++tally.run;
  if (!plan.has_index()) return;
  const std::int64_t bytes = value_in(frame_of(load.bound), plan.unit.run);
  tally.combinations.add(
      {backend, plan.oob, !plan.unit.run.is_static(), width_class(bytes), outside_in(load)});
}

Result<Code> make_code(const LegalSpec& legal, const KernelPlan& plan, const Draws& draws) {
  const HostFeatures host = with_level(host_features(), draws.level);
  const auto made = [&](KernelKind kind) {
    return make_kernel(draws.backend, {legal.spec(), plan_of(kind, plan), host, draws.wish, kind});
  };
  const Result<Kernel> kernel = made(draws.parts > 0 ? KernelKind::Part : KernelKind::Whole);
  if (!kernel) return kernel.error();
  if (draws.parts == 0 || !plan.audit.is_on) return Code{*kernel};
  const Result<Kernel> audit = made(KernelKind::Audit);
  if (!audit) return audit.error();
  return Code{*kernel, *audit};
}

std::string print(const Draws& draws) {
  return std::string(name_of(draws.backend)) + " " + std::string(name_of(draws.level)) +
         (draws.parts > 0 ? ", parts " + std::to_string(draws.parts) : "") +
         (draws.is_bound ? ", bound" : "") + ", strategy " + jit::print(draws.wish);
}

}  // namespace

std::string complaint_about_kernel(const LegalSpec& given, std::uint64_t number, Tally& tally) {
  Draws draws = draws_of(number);
  LegalSpec legal = given;
  KernelPlan plan = make_plan(legal);
  if (print(plan).empty()) return "no plan for " + print(legal.spec());
  const std::optional<Workload> load = any_workload(legal, plan, draws);
  const Result<LegalSpec> twin = draws.is_bound && load ? verify(load->bound) : legal;
  if (twin) legal = *twin, plan = make_plan(legal);
  if (planted()) planted()->spoil(legal.spec(), plan, draws.wish);
  const std::string about = "\n  " + print(draws) + "\n  " + print(legal.spec());
  const Result<Code> code = make_code(legal, plan, draws);
  if (!code) return "not compiled: " + render(code.error()) + about;
  tally.add_compiled(given.spec());
  const std::string source = complaint_about_source(given.spec(), draws.random);
  if (!source.empty() || !load) return source;
  add_run(tally, *load, plan, draws.backend);
  const std::string found = complaint_about_run(*load, draws, *code);
  return found.empty() ? "" : found + about;
}

}  // namespace pto::jit::tests

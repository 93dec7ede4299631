#include "tests/support/parts_comparison.h"

#include <gtest/gtest.h>

#include "ir/interpreter.h"
#include "ir/parts.h"
#include "ir/spec_text.h"
#include "tests/support/cells.h"
#include "tests/support/dealt_parts.h"

namespace pto::jit::tests {
namespace {

constexpr std::uint32_t kSeed = 20260118;
constexpr std::size_t kEvery = 10;  // of the grid's cases in a short sample
constexpr int kMostShown = 10;

}  // namespace

void PartsComparison::compare(const Workload& load, const std::string& name, const RunPlan& run) {
  const int parts = kPartCounts[++runs_ % std::size(kPartCounts)];
  const Image expected =
      run_guarded(load, Guard::Behind, [&](const Frame& frame) { interpret(load.plan, frame); });
  for (const Guard guard : {Guard::Behind, Guard::Before}) {
    const Image actual = run_guarded(
        load, guard, [&](const Frame& frame) { run_in_parts(load.plan, frame, parts, run); });
    const std::string found = difference(load, expected, actual);
    if (!found.empty() && failures_++ < kMostShown)
      ADD_FAILURE() << parts << " parts by " << name << ": " << found << "\n"
                    << print(part_plan(load.plan));
  }
}

std::size_t PartsComparison::report() const {
  std::printf("%zu cases, %zu calls in parts, seed %u\n", runs_, parted_, kSeed);
  return parted_;
}

void PartsComparison::run_in_parts(const KernelPlan& plan, const Frame& frame, int parts,
                                   const RunPlan& run) {
  const std::int64_t pieces = pieces_in(plan, frame);
  if (pieces <= 1) return interpret(plan, frame);
  ++parted_;
  if (plan.audit.is_on) run(audit_plan(plan), audit_frame(frame));
  const KernelPlan part = part_plan(plan);
  const auto seed = static_cast<std::uint32_t>(kSeed + runs_);
  const auto ranges =
      runs_ % 3 == 0 ? uneven_parts(pieces, parts, seed) : even_parts(pieces, parts);
  run_shuffled(plan, frame, ranges, seed, [&](const Frame& own) { run(part, own); });
}

void for_each_parts_workload(const std::function<void(const Workload&)>& visit, std::size_t step) {
  std::uint32_t count = 0;
  const std::vector<GridCase> grid = sampled_grid(kEvery);
  for (std::size_t i = 0; i < grid.size(); i += step) {
    const GridCase& entry = grid[i];
    const Result<LegalSpec> legal = verify(entry.spec);
    ASSERT_TRUE(legal) << print(entry.spec);
    std::vector<KernelSpec> bindings = bindings_for(*legal);
    bindings.push_back(entry.bound);
    for (const KernelSpec& bound : bindings) {
      const Pattern pattern = kPatterns[count++ % kPatterns.size()];
      const std::optional<Workload> load = make_workload(*legal, bound, pattern, kSeed + count);
      if (load) visit(*load);
    }
  }
}

}  // namespace pto::jit::tests

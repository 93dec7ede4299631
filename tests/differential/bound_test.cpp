// Kernels that bindings get for themselves against the interpreter of the plan for all bindings,
// over the grid, each with its first call.
#include <gtest/gtest.h>

#include <cstdio>

#include "ir/interpreter.h"
#include "ir/spec_text.h"
#include "jit/compile/compile.h"
#include "tests/support/backends.h"
#include "tests/support/cells.h"
#include "tests/support/workload.h"

namespace pto::jit::tests {
namespace {

constexpr std::uint32_t kSeed = 20260155;
constexpr std::size_t kEvery = 10;  // of the grid's cases in a short sample

class BoundComparison {
 public:
  void compare(const GridCase& entry) {
    const Result<LegalSpec> legal = verify(entry.spec);
    ASSERT_TRUE(legal) << print(entry.spec);
    const Result<Kernel> kernel = compile(entry.spec, {.backend = Backend::Xbyak, .bind_after = 1});
    ASSERT_TRUE(kernel) << print(entry.spec) << "\n" << render(kernel.error());
    std::vector<KernelSpec> bindings = bindings_for(*legal);
    bindings.push_back(entry.bound);
    for (const KernelSpec& bound : bindings) {
      const Pattern pattern = kPatterns[runs_ % kPatterns.size()];
      const auto load = make_workload(*legal, bound, pattern, kSeed + runs_);
      if (load) compare(*load, *kernel);
    }
  }

  std::uint32_t runs() const { return runs_; }

 private:
  void compare(const Workload& load, const Kernel& kernel) {
    const Image expected =
        run_guarded(load, Guard::Behind, [&](const Frame& frame) { interpret(load.plan, frame); });
    for (const Guard guard : {Guard::Behind, Guard::Before})
      EXPECT_EQ(difference(load, expected, run_guarded(load, guard, kernel)), "");
    ++runs_;
  }

  std::uint32_t runs_ = 0;
};

TEST(BoundGrid, KernelsOfBindingsAgreeWithTheInterpreter) {
  PTOJIT_NEEDS(Backend::Xbyak);
  const CacheStatistics before = cache_statistics();
  BoundComparison comparison;
  Cells all;
  for (const GridCase& entry : sampled_grid(kEvery)) {
    if (runtime_dims(entry.spec).empty()) continue;
    all.add(entry.spec);
    comparison.compare(entry);
    if (HasFatalFailure()) return;
  }
  const CacheStatistics after = cache_statistics();
  const std::uint64_t given = after.bindings - before.bindings;
  const std::uint64_t declined = after.declined_bindings - before.declined_bindings;
  std::printf("%u bindings of %zu cells, %lu with a kernel of their own, %lu declined\n",
              comparison.runs(), all.count(), given, declined);
  EXPECT_GT(given, comparison.runs() / 2);
}

}  // namespace
}  // namespace pto::jit::tests

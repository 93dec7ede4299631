#include "runtime/kernel.h"

#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <utility>

#include "ir/spec_text.h"
#include "tests/runtime/tiny_kernels.h"

namespace pto::jit {
namespace {

TEST(Backend, HasNames) {
  for (const Backend backend :
       {Backend::Auto, Backend::Xbyak, Backend::Llvm, Backend::Interpreter}) {
    EXPECT_EQ(backend_named(name_of(backend)), backend);
  }
  EXPECT_EQ(backend_named("gpu"), std::nullopt);
}

TEST(Kernel, KeepsItsCodeAlive) {
  if (!tests::kRunsTinyCode) GTEST_SKIP() << "the code is for another machine";
  CodeArena arena;
  std::optional<Kernel> kernel =
      make_code_kernel(*arena.publish(tests::code_storing(12)), Backend::Xbyak, "twelve");
  std::optional<Kernel> copy = kernel;
  kernel.reset();
  EXPECT_EQ(arena.statistics().blocks, 1U);
  EXPECT_EQ(tests::number_of(*copy), 12);
  copy.reset();
  EXPECT_EQ(arena.statistics().blocks, 0U);
}

TEST(Kernel, SaysWhatItIs) {
  CodeArena arena;
  const Kernel kernel =
      make_code_kernel(*arena.publish(tests::code_storing(1)), Backend::Xbyak, "one");
  EXPECT_EQ(kernel.name(), "one");
  EXPECT_EQ(kernel.backend(), Backend::Xbyak);
  EXPECT_EQ(kernel.code().size(), tests::code_storing(1).size());
  EXPECT_EQ(kernel.footprint(), 64U);
}

TEST(Kernel, NamedByASpecPrintsIt) {
  CodeArena arena;
  const KernelSpec spec = tests::spec_numbered(3);
  const Kernel kernel =
      make_code_kernel(*arena.publish(tests::code_storing(1)), Backend::Xbyak, spec);
  EXPECT_EQ(kernel.name(), print(spec));
}

TEST(Kernel, CopiesAreTheSameKernel) {
  std::atomic<int> alive = 0;
  {
    const Kernel kernel = tests::make_counted_kernel(alive);
    Kernel copy = kernel;
    const Kernel other = tests::make_counted_kernel(alive);
    EXPECT_EQ(copy, kernel);
    EXPECT_NE(other, kernel);
    copy = other;
    EXPECT_EQ(copy, other);
    const Kernel moved = std::move(copy);
    EXPECT_EQ(moved, other);
    EXPECT_EQ(alive, 2);
  }
  EXPECT_EQ(alive, 0);
}

// A plan written by hand: four elements of four bytes are copied from the table to the tile.
TEST(Kernel, InterpretsAPlan) {
  KernelPlan plan;
  plan.direction = Direction::ToTile;
  plan.element_size = 4;
  plan.number = DType::U32;
  plan.level_count = 1;
  plan.levels[0] = {.extent = 4, .index_step = 0, .tile_step = 4, .table_step = 4};
  plan.unit.run = 4;
  const Kernel kernel = make_interpreter_kernel(plan, "copy");
  std::array<std::uint32_t, 4> tile{};
  std::array<std::uint32_t, 4> table = {1, 2, 3, 4};
  Frame frame;
  frame.tile = tile.data();
  frame.table = table.data();
  kernel(frame);
  EXPECT_EQ(tile, table);
  EXPECT_EQ(kernel.backend(), Backend::Interpreter);
  EXPECT_TRUE(kernel.code().empty());
  EXPECT_GE(kernel.footprint(), sizeof(KernelPlan));
}

}  // namespace
}  // namespace pto::jit

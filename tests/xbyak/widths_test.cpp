// Rows and tables of every width from 1 to 130 bytes, with 1 to 20 indices: vectors, tails and
// small tables never touch a byte beside their operand, and leave what the interpreter leaves.
#include <gtest/gtest.h>

#include <array>
#include <optional>

#include "ir/interpreter.h"
#include "ir/spec_text.h"
#include "tests/support/workload.h"
#include "tests/xbyak/compiled_levels.h"

namespace pto::jit::tests {
namespace {

constexpr std::uint32_t kSeed = 20260104;
constexpr std::int32_t kMostBytes = 130;
constexpr std::int32_t kMostIndices = 20;
constexpr std::array kCapacities = {1, 3, 17};

// What varies beside the numbers. Sums of bytes and halves exist on A2/A3 only.
struct Kind {
  Target target;
  Op op;
  Oob oob;
  Atomic atomic;
};

constexpr std::array kKinds = {
    Kind{Target::A5, Op::MGather, Oob::Undefined, Atomic::None},
    Kind{Target::A5, Op::MGather, Oob::Clamp, Atomic::None},
    Kind{Target::A5, Op::MGather, Oob::Wrap, Atomic::None},
    Kind{Target::A5, Op::MGather, Oob::Zero, Atomic::None},
    Kind{Target::A5, Op::MScatter, Oob::Undefined, Atomic::None},
    Kind{Target::A5, Op::MScatter, Oob::Clamp, Atomic::None},
    Kind{Target::A5, Op::MScatter, Oob::Wrap, Atomic::None},
    Kind{Target::A5, Op::MScatter, Oob::Skip, Atomic::None},
    Kind{Target::A2A3, Op::MScatter, Oob::Skip, Atomic::Add},
};

// By element size. Adding two bytes of f16 rounds; adding a byte wraps.
constexpr std::array kTypes = {DType::I8, DType::F16, DType::F32};

struct Numbers {
  std::int32_t width = 1;  // elements of a row
  std::int32_t count = 1;  // indices
  std::int32_t capacity = 1;
};

Tile tile_of(std::int32_t rows, std::int32_t cols, DType dtype) {
  const std::int32_t block = block_elements(dtype);
  return {.rows = rows,
          .cols = (cols + block - 1) / block * block,
          .vr = rows,
          .vc = cols,
          .dtype = dtype};
}

KernelSpec spec_of(const Kind& kind, Coalesce coalesce, DType dtype, const Numbers& numbers) {
  const bool is_row = coalesce == Coalesce::Row;
  KernelSpec spec;
  spec.target = kind.target;
  spec.op = kind.op;
  spec.coalesce = coalesce;
  spec.oob = kind.oob;
  spec.atomic = kind.atomic;
  spec.data = tile_of(is_row ? numbers.count : 1, is_row ? numbers.width : numbers.count, dtype);
  spec.index = tile_of(1, numbers.count, DType::I32);
  spec.table = {
      .shape = {1, 1, 1, is_row ? numbers.capacity : 1, is_row ? numbers.width : numbers.capacity},
      .dtype = dtype};
  return spec;
}

// Room for the largest numbers, all extents read at invocation.
KernelSpec runtime_spec(const Kind& kind, Coalesce coalesce, DType dtype) {
  const auto widest = static_cast<std::int32_t>(kMostBytes / size_of(dtype));
  KernelSpec spec = spec_of(kind, coalesce, dtype, {widest, kMostIndices, 1});
  spec.data.vc = spec.index.vc = spec.table.shape[4] = kRuntime;
  if (coalesce == Coalesce::Row) spec.data.vr = spec.table.shape[3] = kRuntime;
  return spec;
}

KernelSpec bound_to(KernelSpec runtime, const KernelSpec& values) {
  runtime.data.vr = values.data.vr;
  runtime.data.vc = values.data.vc;
  runtime.index.vc = values.index.vc;
  runtime.table.shape = values.table.shape;
  return runtime;
}

class Widths : public ::testing::Test {
 protected:
  void TearDown() override { std::printf("%zu runs, seed %u\n", runs_, kSeed); }

  // On both sides of inaccessible pages, on the worst indices the policy answers.
  void hold(const CompiledLevels& code, const KernelSpec& bound) {
    const Pattern pattern = bound.oob == Oob::Undefined ? Pattern::Random : Pattern::Extreme;
    const auto seed = kSeed + static_cast<std::uint32_t>(runs_);
    const auto load = make_workload(code.legal, bound, pattern, seed);
    ASSERT_TRUE(load) << print(code.legal.spec());
    const Image expected = run_guarded(*load, Guard::Behind,
                                       [&](const Frame& frame) { interpret(load->plan, frame); });
    for (const Kernel& kernel : code.kernels) {
      for (const Guard guard : {Guard::Behind, Guard::Before}) {
        const std::string found = difference(*load, expected, run_guarded(*load, guard, kernel));
        if (!found.empty() && failures_++ < 10) ADD_FAILURE() << found;
        ++runs_;
      }
    }
  }

  // Every width of a row, or every size of a table, with every number of indices: with runtime
  // extents all of them, with static ones every second.
  void hold_all(const Kind& kind, Coalesce coalesce, DType dtype) {
    const bool is_row = coalesce == Coalesce::Row;
    const KernelSpec runtime = runtime_spec(kind, coalesce, dtype);
    const std::optional<CompiledLevels> runtime_code = compiled_at_levels(runtime);
    ASSERT_TRUE(runtime_code) << print(runtime);
    for (std::int32_t width = 1; width * size_of(dtype) <= kMostBytes; ++width) {
      for (std::int32_t count = 1; count <= kMostIndices; ++count) {
        const std::int32_t capacity = kCapacities[deal_++ % kCapacities.size()];
        const Numbers numbers = is_row ? Numbers{width, count, capacity} : Numbers{1, count, width};
        const KernelSpec fixed = spec_of(kind, coalesce, dtype, numbers);
        hold(*runtime_code, bound_to(runtime, fixed));
        if ((width + count) % 2 == 0) continue;
        const std::optional<CompiledLevels> code = compiled_at_levels(fixed);
        ASSERT_TRUE(code) << print(fixed);
        hold(*code, fixed);
      }
    }
  }

  void hold_all_kinds(Coalesce coalesce) {
    for (const Kind& kind : kKinds) {
      for (const DType dtype : kTypes) hold_all(kind, coalesce, dtype);
    }
    EXPECT_EQ(failures_, 0);
  }

  std::size_t runs_ = 0;
  std::size_t deal_ = 0;
  int failures_ = 0;
};

TEST_F(Widths, OfRowsAreKeptToTheByte) { hold_all_kinds(Coalesce::Row); }

TEST_F(Widths, OfTablesOfElementsAreKeptToTheByte) { hold_all_kinds(Coalesce::Elem); }

}  // namespace
}  // namespace pto::jit::tests

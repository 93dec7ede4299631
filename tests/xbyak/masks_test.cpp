// Masks of every number of columns, valid parts of their tiles included: vectors, their rests and
// what is cleared around them leave what the interpreter leaves, and touch nothing else.
#include <gtest/gtest.h>

#include <array>
#include <optional>

#include "ir/interpreter.h"
#include "ir/spec_text.h"
#include "tests/support/workload.h"
#include "tests/xbyak/compiled_levels.h"

namespace pto::jit::tests {
namespace {

constexpr std::uint32_t kSeed = 20260105;
constexpr std::int32_t kMostCols = 130;
constexpr std::int32_t kRows = 3;
constexpr std::array kMasks = {MaskPattern::P1010, MaskPattern::P0101, MaskPattern::P1000,
                               MaskPattern::P0010, MaskPattern::P0001};
constexpr std::array kTypes = {DType::I8, DType::F16, DType::F32};

KernelSpec spec_of(MaskPattern mask, DType dtype, std::int32_t rows, std::int32_t cols) {
  const std::int32_t factor = shape_of(mask).factor;
  const std::int32_t padded = (kMostCols + 31) / 32 * 32;
  KernelSpec spec = *parse("a5:tscatter.p1010 src=f32[3x64] dst=f32[3x128]");
  spec.mask = mask;
  spec.data = {.rows = kRows, .cols = padded, .vr = rows, .vc = cols, .dtype = dtype};
  spec.store = spec.data;
  spec.store.cols *= factor;
  spec.store.vc *= factor;
  return spec;
}

KernelSpec runtime_spec(MaskPattern mask, DType dtype) {
  KernelSpec spec = spec_of(mask, dtype, kRows, kMostCols);
  spec.data.vr = spec.data.vc = spec.store.vr = spec.store.vc = kRuntime;
  return spec;
}

// On both sides of inaccessible pages.
void hold(const CompiledLevels& code, const KernelSpec& bound) {
  const auto load = make_workload(code.legal, bound, Pattern::Sequential, kSeed);
  ASSERT_TRUE(load) << print(bound);
  const Image expected =
      run_guarded(*load, Guard::Behind, [&](const Frame& frame) { interpret(load->plan, frame); });
  for (const Kernel& kernel : code.kernels) {
    for (const Guard guard : {Guard::Behind, Guard::Before})
      ASSERT_EQ(difference(*load, expected, run_guarded(*load, guard, kernel)), "");
  }
}

TEST(Masks, OfAnyWidthAreKeptToTheByte) {
  for (const MaskPattern mask : kMasks) {
    for (const DType dtype : kTypes) {
      const std::optional<CompiledLevels> open = compiled_at_levels(runtime_spec(mask, dtype));
      ASSERT_TRUE(open);
      for (std::int32_t cols = 0; cols <= kMostCols; ++cols) {
        for (const std::int32_t rows : {0, 1, kRows}) {
          const KernelSpec bound = spec_of(mask, dtype, rows, cols);
          hold(*open, bound);
          if (rows == 0 || cols == 0) continue;
          const std::optional<CompiledLevels> fixed = compiled_at_levels(bound);
          ASSERT_TRUE(fixed) << print(bound);
          hold(*fixed, bound);
        }
      }
    }
  }
}

TEST(Masks, OfARowCountThatNoValueFitsCompileAllTheSame) {
  const Result<KernelSpec> spec = parse("a5:tscatter.p1010 src=f16[16x64] dst=f16[1x128|?x128]");
  ASSERT_TRUE(spec) << render(spec.error());
  EXPECT_TRUE(compiled_at_levels(*spec));
}

}  // namespace
}  // namespace pto::jit::tests

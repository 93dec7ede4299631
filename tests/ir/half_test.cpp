// f16 and bf16 against the model's arithmetic, written apart from ours, and against the compiler's.
#include "ir/half.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include "ir/element.h"
#include "tests/model/arithmetic.h"
#include "tests/support/deck.h"

namespace pto::jit::tests {
namespace {

std::uint32_t bits_of(float value) { return std::bit_cast<std::uint32_t>(value); }
float float_of(std::uint32_t bits) { return std::bit_cast<float>(bits); }

bool is_nan_f16(std::uint32_t bits) { return (bits & 0x7fffU) > 0x7c00U; }
bool is_nan_bf16(std::uint32_t bits) { return (bits & 0x7fffU) > 0x7f80U; }

// Every value of the 19 bits that f16 keeps of a normal number, with the bits below it at, around
// and far from the middle.
template <class Check>
void for_each_float(Check&& check) {
  Random random(7);
  for (std::uint32_t high = 0; high < (1U << 19); ++high) {
    constexpr std::array<std::uint32_t, 7> kLow = {0, 1, 0xfff, 0x1000, 0x1001, 0x1ffe, 0x1fff};
    for (const std::uint32_t low : kLow) check(float_of(high << 13 | low));
    check(float_of(high << 13 | static_cast<std::uint32_t>(random.below(0x2000))));
  }
}

TEST(Half, EveryValueWidensAsInTheModel) {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    if (is_nan_f16(bits)) {
      EXPECT_TRUE(std::isnan(widen_f16(half))) << bits;
    } else {
      ASSERT_EQ(bits_of(widen_f16(half)), bits_of(model::widen_f16(bits))) << bits;
    }
    ASSERT_EQ(bits_of(widen_bf16(half)), bits_of(model::widen_bf16(bits))) << bits;
  }
}

TEST(Half, EveryValueSurvivesTheWayThereAndBack) {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    ASSERT_TRUE(is_nan_f16(bits) || narrow_f16(widen_f16(half)) == half) << bits;
    ASSERT_TRUE(is_nan_bf16(bits) || narrow_bf16(widen_bf16(half)) == half) << bits;
  }
}

TEST(Half, NarrowsAsTheModel) {
  for_each_float([](float value) {
    if (std::isnan(value)) return;
    ASSERT_EQ(narrow_f16(value), model::narrow_to_f16(value)) << std::hexfloat << value;
    ASSERT_EQ(narrow_bf16(value), model::narrow_to_bf16(value)) << std::hexfloat << value;
  });
}

TEST(Half, EveryNanBecomesAQuietOne) {
  for_each_float([](float value) {
    if (!std::isnan(value)) return;
    const std::uint32_t f16 = narrow_f16(value);
    const std::uint32_t bf16 = narrow_bf16(value);
    ASSERT_TRUE(is_nan_f16(f16) && (f16 & 0x200U) != 0) << bits_of(value);
    ASSERT_TRUE(is_nan_bf16(bf16) && (bf16 & 0x40U) != 0) << bits_of(value);
    ASSERT_EQ(f16 >> 15, bits_of(value) >> 31);
  });
}

// Halfway cases of subnormals have their middle in higher bits: every pair of neighbours is tried.
TEST(Half, RoundsToTheNearerNeighbourAndTiesToEven) {
  for (std::uint32_t bits = 0; bits < 0x7bff; ++bits) {
    const float low = widen_f16(static_cast<std::uint16_t>(bits));
    const float high = widen_f16(static_cast<std::uint16_t>(bits + 1));
    const float middle = low + (high - low) / 2;  // exact: f32 has bits to spare
    const std::uint32_t even = bits % 2 == 0 ? bits : bits + 1;
    for (const std::uint32_t sign : {0U, 0x8000U}) {
      const float one = sign == 0 ? 1.0F : -1.0F;
      ASSERT_EQ(narrow_f16(one * middle), sign | even) << bits;
      ASSERT_EQ(narrow_f16(one * std::nextafter(middle, 0.0F)), sign | bits) << bits;
      ASSERT_EQ(narrow_f16(one * std::nextafter(middle, high)), sign | (bits + 1)) << bits;
    }
  }
}

#ifdef __FLT16_MANT_DIG__
#ifdef __aarch64__
using CompilersHalf = __fp16;  // which older compilers for it call by this name only
#else
using CompilersHalf = _Float16;
#endif

TEST(Half, AgreesWithTheCompiler) {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    if (is_nan_f16(bits)) continue;
    const auto half = static_cast<std::uint16_t>(bits);
    ASSERT_EQ(widen_f16(half), static_cast<float>(std::bit_cast<CompilersHalf>(half))) << bits;
  }
  for_each_float([](float value) {
    if (std::isnan(value)) return;
    const auto expected = std::bit_cast<std::uint16_t>(static_cast<CompilersHalf>(value));
    ASSERT_EQ(narrow_f16(value), expected) << std::hexfloat << value;
  });
}
#endif

TEST(Element, AddsAsTheModel) {
  Random random(11);
  for (const DType dtype : {DType::I8, DType::U8, DType::I16, DType::U16, DType::I32, DType::U32,
                            DType::F16, DType::BF16, DType::F32}) {
    const std::uint32_t mask = size_of(dtype) == 4 ? 0xffffffffU : (1U << (8 * size_of(dtype))) - 1;
    for (int i = 0; i < 200000; ++i) {
      const std::uint32_t a = static_cast<std::uint32_t>(random.next()) & mask;
      const std::uint32_t b = static_cast<std::uint32_t>(random.next()) & mask;
      const std::uint32_t sum = sum_of(dtype, a, b) & mask;
      const std::uint32_t expected = model::combine(dtype, Atomic::Add, a, b) & mask;
      const bool is_nan = (dtype == DType::F16 && is_nan_f16(expected)) ||
                          (dtype == DType::BF16 && is_nan_bf16(expected)) ||
                          (dtype == DType::F32 && std::isnan(float_of(expected)));
      ASSERT_TRUE(is_nan || sum == expected) << name_of(dtype) << " " << a << " " << b;
    }
  }
}

TEST(Element, ComparesAsTheModel) {
  constexpr std::array<std::uint32_t, 12> kSpecial = {
      0,          0x80000000, 1,          0x80000001, 0x7fffffff, 0xffffffff,
      0x7f800000, 0xff800000, 0x7fc00000, 0xffc00000, 0x3f800000, 0xbf800000};
  for (const DType dtype : {DType::I32, DType::U32, DType::F32}) {
    for (const std::uint32_t table : kSpecial) {
      for (const std::uint32_t tile : kSpecial) {
        EXPECT_EQ(is_less(dtype, table, tile) ? tile : table,
                  model::combine(dtype, Atomic::Max, table, tile));
        EXPECT_EQ(is_less(dtype, tile, table) ? tile : table,
                  model::combine(dtype, Atomic::Min, table, tile));
      }
    }
  }
}

TEST(ElementDeathTest, HasNoArithmeticOnOpaqueTypes) {
  EXPECT_DEATH(sum_of(DType::HIF8, 1, 2), "a sum on hif8");
  EXPECT_DEATH(is_less(DType::F16, 1, 2), "a comparison on f16");
}

}  // namespace
}  // namespace pto::jit::tests

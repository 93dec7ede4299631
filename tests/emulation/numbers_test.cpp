// The device's number types, and the order of pipes by itself.
#include "pto/emulation/numbers.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <type_traits>

#include "pto/emulation/element.hpp"
#include "pto/emulation/pipes.hpp"

namespace pto::emulation {
namespace {

TEST(Half, ComesBackFromFloat) {
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const float value = float_of_half(static_cast<std::uint16_t>(bits));
    if (std::isnan(value)) {
      EXPECT_EQ(half_of_float(value) & 0x7e00U, 0x7e00U);
    } else {
      EXPECT_EQ(half_of_float(value), bits);
    }
  }
}

TEST(Half, RoundsToNearestEven) {
  EXPECT_EQ(half_of_float(2049.0F), half_of_float(2048.0F));
  EXPECT_EQ(half_of_float(2051.0F), half_of_float(2052.0F));
  EXPECT_EQ(half_of_float(65519.0F), 0x7bff);
  EXPECT_EQ(half_of_float(65520.0F), 0x7c00);
  EXPECT_EQ(half_of_float(-0x1p-25F), 0x8000);
  EXPECT_EQ(half_of_float(0x1.8p-25F), 0x0001);
  EXPECT_EQ(half_of_float(0x1.ff8p-15F), 0x03ff);
  EXPECT_EQ(half_of_float(0x1.ffcp-15F), 0x0400);
}

TEST(Bfloat16, RoundsToNearestEven) {
  EXPECT_EQ(bfloat16_of_float(float_of(0x3f808000)), 0x3f80);
  EXPECT_EQ(bfloat16_of_float(float_of(0x3f818000)), 0x3f82);
  EXPECT_EQ(bfloat16_of_float(float_of(0x3f808001)), 0x3f81);
  EXPECT_EQ(bfloat16_of_float(std::numeric_limits<float>::max()), 0x7f80);
  EXPECT_TRUE(std::isnan(float_of_bfloat16(bfloat16_of_float(float_of(0x7f800001)))));
}

TEST(Sums, RoundOnce) {
  EXPECT_EQ(sum_of(Element::F16, half_of_float(2048.0F), half_of_float(1.0F)),
            half_of_float(2048.0F));
  EXPECT_EQ(sum_of(Element::BF16, bfloat16_of_float(256.0F), bfloat16_of_float(3.0F)),
            bfloat16_of_float(260.0F));
}

template <typename T, typename = void>
constexpr bool kAdds = false;
template <typename T>
constexpr bool kAdds<T, std::void_t<decltype(T{} + T{})>> = true;

TEST(Sums, AreNotMadeOfNarrowFloats) {
  EXPECT_TRUE(kAdds<float>);
  EXPECT_FALSE(kAdds<half>);
  EXPECT_FALSE(kAdds<bfloat16_t>);
}

TEST(Float8, WidensExactly) {
  EXPECT_EQ(static_cast<float>(Float8E4M3{0x7e}), 448.0F);
  EXPECT_EQ(static_cast<float>(Float8E4M3{0x81}), -0x1p-9F);
  EXPECT_TRUE(std::isnan(static_cast<float>(Float8E4M3{0x7f})));
  EXPECT_EQ(static_cast<float>(Float8E5M2{0x7b}), 57344.0F);
  EXPECT_EQ(static_cast<float>(Float8E5M2{0xfc}), -std::numeric_limits<float>::infinity());
}

TEST(Combines, KeepTheTableInATie) {
  const std::uint32_t nan = 0x7fc00001;
  const std::uint32_t minus_zero = 0x80000000;
  EXPECT_EQ(combine(Element::F32, Combine::Max, minus_zero, 0), minus_zero);
  EXPECT_EQ(combine(Element::F32, Combine::Min, 0, minus_zero), 0U);
  EXPECT_EQ(combine(Element::F32, Combine::Max, nan, bits_of(1.0F)), nan);
  EXPECT_EQ(combine(Element::F32, Combine::Min, bits_of(1.0F), nan), bits_of(1.0F));
  EXPECT_EQ(combine(Element::U32, Combine::Max, 1, 0xffffffff), 0xffffffff);
  EXPECT_EQ(combine(Element::I32, Combine::Max, 1, 0xffffffff), 1U);
}

TEST(PipeOrder, FlagsCarryWhatTheirPipeKnows) {
  PipeOrder order;
  const std::uint32_t load = order.begin(PIPE_MTE2);
  EXPECT_FALSE(order.knows(PIPE_V, PIPE_MTE2, load));
  EXPECT_TRUE(order.set({PIPE_MTE2, PIPE_V, EVENT_ID0}));
  EXPECT_FALSE(order.knows(PIPE_V, PIPE_MTE2, load));
  EXPECT_TRUE(order.wait({PIPE_MTE2, PIPE_V, EVENT_ID0}));
  EXPECT_TRUE(order.knows(PIPE_V, PIPE_MTE2, load));
  EXPECT_FALSE(order.knows(PIPE_MTE3, PIPE_MTE2, load));
  order.set({PIPE_V, PIPE_MTE3, EVENT_ID1});
  order.wait({PIPE_V, PIPE_MTE3, EVENT_ID1});
  EXPECT_TRUE(order.knows(PIPE_MTE3, PIPE_MTE2, load));
}

TEST(PipeOrder, FlagsDoNotCarryWhatComesLater) {
  PipeOrder order;
  order.set({PIPE_MTE2, PIPE_V, EVENT_ID0});
  const std::uint32_t load = order.begin(PIPE_MTE2);
  order.wait({PIPE_MTE2, PIPE_V, EVENT_ID0});
  EXPECT_FALSE(order.knows(PIPE_V, PIPE_MTE2, load));
}

TEST(PipeOrder, BarriersJoinAllOrFinishOne) {
  PipeOrder order;
  const std::uint32_t store = order.begin(PIPE_MTE3);
  EXPECT_FALSE(order.has_finished(PIPE_MTE3, store));
  order.barrier(PIPE_MTE3);
  EXPECT_TRUE(order.has_finished(PIPE_MTE3, store));
  EXPECT_FALSE(order.knows(PIPE_S, PIPE_MTE3, store));
  order.barrier(PIPE_ALL);
  EXPECT_TRUE(order.knows(PIPE_S, PIPE_MTE3, store));
}

}  // namespace
}  // namespace pto::emulation

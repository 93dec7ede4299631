// Views of containers: their bytes and elements are as they are, and the call checks them.
#include "jit/calls/buffer_view.h"

#include <gtest/gtest.h>

#include <array>
#include <deque>
#include <vector>

#include "ir/spec_text.h"
#include "jit/calls/checked_call.h"

namespace pto::jit::tests {
namespace {

template <class Container>
concept HasView =
    requires(Container&& elements) { view_of("src", std::forward<Container>(elements)); };

static_assert(HasView<std::vector<float>&> && HasView<const std::array<std::int32_t, 4>&>);
static_assert(HasView<std::span<std::uint16_t>> && HasView<std::int8_t (&)[4]>);
static_assert(!HasView<std::vector<float>>, "what goes away before the call has no view");
static_assert(!HasView<std::deque<float>&>, "elements in pieces have no view");

static_assert(dtype_of_element<float>() == DType::F32);
static_assert(dtype_of_element<std::int8_t>() == DType::I8);
static_assert(dtype_of_element<std::uint8_t>() == DType::U8);
static_assert(dtype_of_element<std::byte>() == DType::U8);
static_assert(dtype_of_element<std::int16_t>() == DType::I16);
static_assert(dtype_of_element<std::uint16_t>() == DType::U16);
static_assert(dtype_of_element<std::int32_t>() == DType::I32);
static_assert(dtype_of_element<std::uint32_t>() == DType::U32);
static_assert(!dtype_of_element<double>() && !dtype_of_element<std::int64_t>());
static_assert(!dtype_of_element<bool>() && !dtype_of_element<char>());

TEST(BufferView, OfAContainerSaysWhatItHolds) {
  std::vector<float> floats(10);
  const BufferView whole = view_of("src", floats);
  EXPECT_EQ(whole.operand, "src");
  EXPECT_EQ(whole.data, floats.data());
  EXPECT_EQ(whole.bytes, 40);
  EXPECT_EQ(whole.dtype, DType::F32);
  EXPECT_FALSE(whole.is_const);
  const BufferView part = view_of("src", std::span(floats).subspan(2, 3));
  EXPECT_EQ(part.data, floats.data() + 2);
  EXPECT_EQ(part.bytes, 12);
  const std::array<std::uint16_t, 3> halves{};
  EXPECT_EQ(view_of("idx", halves).bytes, 6);
  EXPECT_TRUE(view_of("idx", halves).is_const);
}

// A gather of four elements from a table of four, as views of the caller's choice.
template <class Element, class Index = std::int32_t>
std::string refusal_of(const std::string& dtype) {
  const Result<KernelSpec> spec =
      parse("cpu:tscatter src=" + dtype + "[1x4] idx=i32[1x4] dst=" + dtype + "[1x4]");
  const std::vector<Element> src = {Element{1}, Element{2}, Element{3}, Element{4}};
  const std::array<Index, 4> idx = {3, 2, 1, 0};
  std::vector<Element> dst(4);
  const BufferView views[] = {view_of("src", src), view_of("idx", idx), view_of("dst", dst)};
  const Result<Done> done = call(*spec, {.buffers = views});
  if (!done) return done.error()[0].message;
  EXPECT_EQ(dst, std::vector<Element>(src.rbegin(), src.rend()));
  return "";
}

TEST(BufferView, HoldsElementsOfItsType) {
  EXPECT_EQ(refusal_of<float>("f32"), "");
  EXPECT_EQ(refusal_of<std::int8_t>("i8"), "");
  EXPECT_EQ(refusal_of<std::uint32_t>("u32"), "");
  EXPECT_EQ(refusal_of<float>("i32"), "src is f32; the spec says i32");
  EXPECT_EQ(refusal_of<std::uint32_t>("f32"), "src is u32; the spec says f32");
  EXPECT_EQ(refusal_of<std::int16_t>("f16"), "src is i16; the spec says f16");
  EXPECT_EQ((refusal_of<float, std::uint32_t>("f32")), "idx is u32; the spec says i32");
}

TEST(BufferView, OfUnsignedElementsHoldsTheFloatsThatHaveNoTypeInCpp) {
  for (const char* dtype : {"u16", "f16", "bf16"})
    EXPECT_EQ(refusal_of<std::uint16_t>(dtype), "") << dtype;
  for (const DTypeInfo& info : kDTypes) {
    const bool is_float = info.kind == NumberKind::Opaque || info.kind == NumberKind::Float;
    const bool has_no_type = is_float && info.dtype != DType::F32;
    EXPECT_EQ(holds_bits_of(DType::U8, info.dtype), has_no_type && info.size == 1) << info.name;
    EXPECT_EQ(holds_bits_of(DType::U16, info.dtype), has_no_type && info.size == 2) << info.name;
    EXPECT_FALSE(holds_bits_of(DType::I16, info.dtype)) << info.name;
  }
}

// Written by hand a dtype is what it says.
TEST(BufferView, WithAStatedDTypeHoldsNothingElse) {
  const KernelSpec spec = *parse("cpu:tscatter src=f16[1x4] idx=i32[1x4] dst=f16[1x4]");
  std::array<std::uint16_t, 4> src{};
  std::array<std::int32_t, 4> idx{};
  std::array<std::uint16_t, 4> dst{};
  BufferView views[] = {
      {"src", src.data(), 8, DType::U16}, view_of("idx", idx), view_of("dst", dst)};
  EXPECT_EQ(call(spec, {.buffers = views}).error()[0].id, "call.dtype");
  views[0].dtype = DType::F16;
  EXPECT_TRUE(call(spec, {.buffers = views}));
}

TEST(BufferView, OfConstElementsIsNotWritten) {
  const KernelSpec spec = *parse("cpu:tscatter src=f32[1x4] idx=i32[1x4] dst=f32[1x4]");
  const std::array<float, 4> src = {1, 2, 3, 4};
  const std::array<std::int32_t, 4> idx = {0, 1, 2, 3};
  const std::array<float, 4> dst{};
  const BufferView views[] = {view_of("src", src), view_of("idx", idx), view_of("dst", dst)};
  const Result<Done> refused = call(spec, {.buffers = views});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error()[0].message, "dst is written, and its view is of const elements");
  EXPECT_EQ(dst[0], 0.0f);
}

TEST(BufferView, TooSmallForItsOperandIsRefused) {
  const KernelSpec spec = *parse("cpu:tscatter src=f32[1x4] idx=i32[1x4] dst=f32[1x4]");
  std::array<float, 4> src{};
  std::array<std::int32_t, 4> idx{};
  std::vector<float> dst(3);
  const BufferView views[] = {view_of("src", src), view_of("idx", idx), view_of("dst", dst)};
  const Result<Done> refused = call(spec, {.buffers = views});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error()[0].message, "dst has 12 bytes and needs 16");
}

}  // namespace
}  // namespace pto::jit::tests

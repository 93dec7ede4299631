// Shortcuts as machine code: which frames take them, and what whoever is called gets.
#include "jit/backends/xbyak/shortcut.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "ir/frame.h"
#include "jit/backends/backend.h"

namespace pto::jit::tests {
namespace {

enum class By : std::uint8_t { Nobody, Own, Others };

struct Called {
  By by = By::Nobody;
  const void* context = nullptr;
};

void note(const Frame* frame, const void* context, By by) {
  *static_cast<Called*>(frame->tile) = {by, context};
}
void own(const Frame* frame, const void* context) { note(frame, context, By::Own); }
void others(const Frame* frame, const void* context) { note(frame, context, By::Others); }

constexpr int kOfOwn = 1;
constexpr int kOfCaller = 2;

Frame frame_of(const std::vector<FrameValue>& values) {
  Frame frame;
  frame.extents.fill(-7);
  for (const FrameValue& one : values) frame.extents[static_cast<std::size_t>(one.dim)] = one.value;
  return frame;
}

Called call(const Kernel& shortcut, Frame frame) {
  Called called;
  frame.tile = &called;
  shortcut.call().entry(&frame, &kOfCaller);
  return called;
}

std::optional<Kernel> shortcut_of(const std::vector<FrameValue>& values,
                                  const void* context = &kOfOwn) {
  return make_shortcut(Backend::Xbyak, {values, {own, context}, others});
}

TEST(Shortcut, IsTakenByFramesWithAllItsValuesOnly) {
  const std::vector<FrameValue> values = {
      {Dim{0}, 1}, {Dim{3}, 127}, {Dim{4}, 128}, {Dim{kDims - 1}, 152064}};
  const std::optional<Kernel> shortcut = shortcut_of(values);
  ASSERT_TRUE(shortcut.has_value());
  EXPECT_EQ(call(*shortcut, frame_of(values)).by, By::Own);
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (const std::int64_t step : {std::int64_t{1}, std::int64_t{-1}, std::int64_t{1} << 32}) {
      std::vector<FrameValue> changed = values;
      changed[i].value += step;
      EXPECT_EQ(call(*shortcut, frame_of(changed)).by, By::Others) << i << ' ' << step;
    }
  }
}

TEST(Shortcut, HandsOnWhatItsKernelNeedsAndWhatItsCallerGave) {
  const std::vector<FrameValue> values = {{Dim{2}, 9}};
  const std::optional<Kernel> shortcut = shortcut_of(values);
  ASSERT_TRUE(shortcut.has_value());
  EXPECT_EQ(call(*shortcut, frame_of(values)).context, &kOfOwn);
  EXPECT_EQ(call(*shortcut, frame_of({})).context, &kOfCaller);
}

TEST(Shortcut, ComparesEveryDimensionThereIs) {
  std::vector<FrameValue> values;
  for (std::size_t i = 0; i < kDims; ++i)
    values.push_back({Dim(i), std::numeric_limits<std::int32_t>::max() - static_cast<int>(i)});
  const std::optional<Kernel> shortcut = shortcut_of(values);
  ASSERT_TRUE(shortcut.has_value());
  EXPECT_EQ(call(*shortcut, frame_of(values)).by, By::Own);
  for (std::size_t i = 0; i < kDims; ++i) {
    std::vector<FrameValue> changed = values;
    changed[i].value = 1;
    EXPECT_EQ(call(*shortcut, frame_of(changed)).by, By::Others) << i;
  }
}

TEST(Shortcut, IsNotMadeForValuesBeyondAnInstruction) {
  EXPECT_TRUE(shortcut_of({{Dim{0}, std::numeric_limits<std::int32_t>::max()}}).has_value());
  for (const std::int64_t value : {std::int64_t{1} << 31, std::int64_t{1} << 40}) {
    EXPECT_FALSE(shortcut_of({{Dim{0}, 5}, {Dim{1}, value}}).has_value()) << value;
  }
}

}  // namespace
}  // namespace pto::jit::tests

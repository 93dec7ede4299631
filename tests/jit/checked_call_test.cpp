// The checked call: what it accepts, and what it says otherwise. Nothing is touched when it
// refuses.
#include "jit/calls/checked_call.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "ir/spec_text.h"
#include "jit/backends/backend.h"

namespace pto::jit::tests {
namespace {

struct Scatter {
  KernelSpec spec = *parse("a2a3:mscatter.row src=f32[8x8|?x8] idx=i32[1x8|1x?] table=f32[?x8]");
  std::vector<float> src = std::vector<float>(64, 3.0f);
  std::vector<std::int32_t> idx = {4, 2, 0, 0, 0, 0, 0, 0};
  std::vector<float> table = std::vector<float>(5 * 8, -1.0f);
  std::vector<std::int64_t> shape = {5, 8};
  std::vector<BufferView> views = {{"src", src.data(), 256, DType::F32},
                                   {"idx", idx.data(), 32, DType::I32},
                                   {"table", table.data(), 160, DType::F32, shape}};
  std::vector<Binding> bindings = {{Dim::DataVr, 2}};

  Result<Done> run() { return call(spec, {.buffers = views, .bindings = bindings}); }
  bool is_untouched() const { return table == std::vector<float>(5 * 8, -1.0f); }
};

void expect_refused(Scatter& scatter, std::string_view id) {
  const Result<Done> result = scatter.run();
  ASSERT_FALSE(result) << id;
  EXPECT_EQ(result.error()[0].id, id) << render(result.error());
  EXPECT_TRUE(scatter.is_untouched());
}

TEST(CheckedCall, BindsExtentsFromShapesAndTies) {
  Scatter scatter;
  const Result<Done> result = scatter.run();
  ASSERT_TRUE(result) << render(result.error());
  EXPECT_EQ(scatter.table[4 * 8], 3.0f);
  EXPECT_EQ(scatter.table[2 * 8 + 7], 3.0f);
  EXPECT_EQ(scatter.table[0], -1.0f);
}

TEST(CheckedCall, RefusesMissingRepeatedAndForeignBuffers) {
  Scatter missing;
  missing.views.pop_back();
  expect_refused(missing, "call.buffer");
  Scatter repeated;
  repeated.views.push_back(repeated.views[0]);
  expect_refused(repeated, "call.buffer");
  Scatter foreign;
  foreign.views.push_back({"dst", foreign.src.data(), 256, DType::F32});
  expect_refused(foreign, "call.buffer");
  EXPECT_EQ(foreign.run().error()[0].message,
            "'dst' is not an operand of mscatter in memory; it has src idx table");
}

TEST(CheckedCall, RefusesWrongTypesShapesAndSizes) {
  Scatter dtype;
  dtype.views[0].dtype = DType::I32;
  expect_refused(dtype, "call.dtype");
  Scatter shape;
  shape.shape = {5, 9};
  shape.views[2].shape = shape.shape;
  expect_refused(shape, "call.shape");
  Scatter size;
  size.views[2].bytes = 159;
  expect_refused(size, "call.size");
  Scatter tile;
  tile.views[0].bytes = 63;  // two rows of eight are touched
  expect_refused(tile, "call.size");
  Scatter null;
  null.views[1].data = nullptr;
  expect_refused(null, "call.null");
}

TEST(CheckedCall, NeedsNothingBehindTheLastByteTouched) {
  Scatter scatter;
  scatter.views[0].bytes = 64;
  scatter.views[1].bytes = 8;
  const Result<Done> result = scatter.run();
  ASSERT_TRUE(result) << render(result.error());
  EXPECT_EQ(scatter.table[2 * 8 + 7], 3.0f);
}

TEST(CheckedCall, RefusesDTypesThatDoNotExist) {
  for (int value = static_cast<int>(kDTypes.size()); value < 256; ++value) {
    Scatter scatter;
    scatter.views[1].dtype = static_cast<DType>(value);
    expect_refused(scatter, "call.dtype");
    EXPECT_EQ(scatter.run().error()[0].message,
              "the dtype of idx is " + std::to_string(value) + "; its values run from 0 to 11");
  }
}

TEST(CheckedCall, RefusesNumbersOfAnySize) {
  constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  for (const std::int64_t number : {kLeast, std::int64_t{-2}, std::int64_t{-1}, kMost}) {
    Scatter extent;
    extent.shape = {number, 8};
    extent.views[2].shape = extent.shape;
    EXPECT_FALSE(extent.run()) << number;
    EXPECT_TRUE(extent.is_untouched());
    Scatter stride;
    const std::vector<std::int64_t> strides = {number, 1};
    stride.views[2].strides = strides;
    EXPECT_FALSE(stride.run()) << number;
    EXPECT_TRUE(stride.is_untouched());
    Scatter binding;
    binding.bindings = {{Dim::DataVr, number}};
    expect_refused(binding, "bind.range");
  }
  Scatter size;
  size.views[0].bytes = kLeast;
  expect_refused(size, "call.size");
  Scatter far;
  far.views[0].bytes = kMost;  // a lie, but no reason to wrap around
  EXPECT_TRUE(far.run());
}

TEST(CheckedCall, RefusesStridesTheSpecDoesNotHave) {
  Scatter scatter;
  const std::vector<std::int64_t> strides = {9, 1};
  scatter.views[2].strides = strides;
  scatter.spec.table.shape[3] = 5;
  expect_refused(scatter, "call.strides");
}

TEST(CheckedCall, RefusesMisalignedAndOverlappingBuffers) {
  Scatter crooked;
  crooked.views[0].data = reinterpret_cast<std::byte*>(crooked.src.data()) + 1;
  expect_refused(crooked, "call.alignment");
  Scatter overlapping;
  overlapping.views[0].data = overlapping.table.data();
  overlapping.views[0].bytes = 256;
  expect_refused(overlapping, "call.overlap");
}

TEST(CheckedCall, RefusesExtentsThatBreakARuleOrAreMissing) {
  Scatter beyond;
  beyond.bindings = {{Dim::DataVr, 9}};
  expect_refused(beyond, "a2a3.scatter.valid");
  Scatter missing;
  missing.bindings.clear();
  expect_refused(missing, "bind.missing");
  Scatter negative;
  negative.bindings = {{Dim::DataVr, -3}};
  expect_refused(negative, "bind.range");
}

TEST(CheckedCall, LetsOnlyTheRootScatterToAGroup) {
  const KernelSpec spec =
      *parse("a5:comm.tscatter src=f32[4x8] dst=f32[2x8] stage=f32[2x8] ranks=2 root=1");
  std::vector<float> src(32, 2.0f);
  std::vector<float> first(16, 0.0f);
  std::vector<float> second(16, 0.0f);
  const std::vector<BufferView> views = {{"src", src.data(), 128, DType::F32},
                                         {"dst.0", first.data(), 64, DType::F32},
                                         {"dst.1", second.data(), 64, DType::F32}};
  const Result<Done> other = call(spec, {.buffers = views, .rank = 0});
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error()[0].id, "call.rank");
  EXPECT_EQ(first[0], 0.0f);
  ASSERT_TRUE(call(spec, {.buffers = views, .rank = 1}));
  EXPECT_EQ(first[15], 2.0f);
  EXPECT_EQ(second[15], 2.0f);
}

TEST(CheckedCall, GivesAnAuditedKernelItsReport) {
  const KernelSpec spec = *parse("a5:mscatter.elem.audit src=f32[1x8] idx=i32[1x8] table=f32[4]");
  std::vector<float> src(8, 1.0f);
  std::vector<std::int32_t> idx = {0, 1, 1, 9, -1, 3, 3, 3};
  std::vector<float> table(4, 0.0f);
  const std::vector<BufferView> views = {{"src", src.data(), 32, DType::F32},
                                         {"idx", idx.data(), 32, DType::I32},
                                         {"table", table.data(), 16, DType::F32}};
  const Result<Done> without = call(spec, {.buffers = views});
  ASSERT_FALSE(without);
  EXPECT_EQ(without.error()[0].id, "call.report");
  AuditReport report;
  ASSERT_TRUE(call(spec, {.buffers = views, .report = &report}));
  EXPECT_EQ(report, (AuditReport{2, 3, 3, 2}));
  EXPECT_EQ(table[2], 0.0f);
}

// The scratch of the audit is the call's own business.
TEST(CheckedCall, AuditsByEveryBackendAndTellsThePlaceInTheTile) {
  const KernelSpec spec =
      *parse("a5:mscatter.elem.audit src=f32[8x8|?x?] idx=i32[8x8|?x?]:cm table=f32[?]");
  std::vector<float> src(64, 1.0f);
  std::vector<std::int32_t> idx(64, 0);
  idx[2 * 8 + 1] = 5;  // row 1, column 2
  std::vector<float> table(5, 0.0f);
  const std::vector<std::int64_t> shape = {5};
  const std::vector<BufferView> views = {{"src", src.data(), 256, DType::F32},
                                         {"idx", idx.data(), 256, DType::I32},
                                         {"table", table.data(), 20, DType::F32, shape}};
  const std::vector<Binding> bindings = {{Dim::DataVr, 3}, {Dim::DataVc, 7}};
  for (const Backend backend : {Backend::Interpreter, Backend::Xbyak, Backend::Llvm}) {
    if (!has_backend(backend)) continue;
    AuditReport report;
    const Result<Done> done = call(
        spec, {.buffers = views, .bindings = bindings, .report = &report}, {.backend = backend});
    ASSERT_TRUE(done) << render(done.error());
    EXPECT_EQ(report, (AuditReport{1, 9, 19, 1}));
    Tile bound = spec.index;
    bound.vr = 3;
    bound.vc = 7;
    EXPECT_EQ(place_in(bound, report.first_out_of_bounds), (TilePlace{1, 2}));
  }
  EXPECT_EQ(table[0], 1.0f);
}

TEST(CheckedCall, VerifiesTheSpecOnceAndItsValuesOnce) {
  Scatter scatter;
  clear_cache();
  const std::uint64_t before = rule_passes();
  ASSERT_TRUE(scatter.run());
  EXPECT_EQ(rule_passes() - before, 2u);
  scatter.spec = *parse("a2a3:mscatter.row src=f32[8x8] idx=i32[1x8] table=f32[5x8]");
  scatter.bindings = {};
  ASSERT_TRUE(scatter.run());
  EXPECT_EQ(rule_passes() - before, 3u);
}

}  // namespace
}  // namespace pto::jit::tests

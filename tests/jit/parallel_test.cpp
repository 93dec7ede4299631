// Calls in parts by generated code: no part writes outside of its own, neighbours do not disturb
// each other, and what cannot be parted is one part.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstdint>
#include <vector>

#include "ir/interpreter.h"
#include "ir/parts.h"
#include "ir/spec_text.h"
#include "jit/backends/backend.h"
#include "jit/calls/checked_call.h"
#include "jit/calls/parallel/parallel_run.h"
#include "jit/calls/parallel/part_choice.h"
#include "targets/planner.h"
#include "tests/support/dealt_parts.h"
#include "tests/support/thread_pool.h"
#include "tests/support/workload.h"

namespace pto::jit::tests {
namespace {

LegalSpec legal(const std::string& text) { return *verify(*parse(text)); }

std::vector<Backend> backends() {
  std::vector<Backend> out;
  for (const Backend backend : {Backend::Xbyak, Backend::Llvm, Backend::Interpreter}) {
    if (has_backend(backend)) out.push_back(backend);
  }
  return out;
}

constexpr std::size_t kPage = 4096;

// A table of pages that can be written or not.
class Pages {
 public:
  explicit Pages(std::size_t count)
      : bytes_(static_cast<std::byte*>(mmap(nullptr, count * kPage, PROT_READ | PROT_WRITE,
                                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))),
        count_(count) {}
  ~Pages() { munmap(bytes_, count_ * kPage); }
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;

  // Only those from `first` to before `last`.
  void allow(std::size_t first, std::size_t last) {
    mprotect(bytes_, count_ * kPage, PROT_READ);
    mprotect(bytes_ + first * kPage, (last - first) * kPage, PROT_READ | PROT_WRITE);
  }
  std::byte* bytes() const { return bytes_; }

 private:
  std::byte* bytes_;
  std::size_t count_;
};

// Each part alone, all slots but its own on pages that cannot be written.
TEST(ParallelCall, NoPartWritesOutsideOfItsSlots) {
  constexpr std::size_t kPages = 8;
  for (const std::string text :
       {"a5:mscatter.elem.skip src=i8[8x1024] idx=i32[8x1024] table=i8[1x32768]",
        "a5:mscatter.elem.atomic_add src=f16[8x1024] idx=i32[8x1024] table=f16[1x16384]",
        "a5:mscatter.elem.clamp.atomic_max src=f32[8x1024] idx=i32[8x1024] table=f32[1x8192]",
        "a5:mscatter.row.wrap src=f32[512x16] idx=i32[1x512] table=f32[512x16]",
        "a5:mscatter.row.skip.atomic_add src=bf16[512x64] idx=i32[1x512] table=bf16[256x64]"}) {
    const LegalSpec spec = legal(text);
    const Workload load = *make_workload(spec, spec.spec(), Pattern::Random, 7);
    const Image expected = run_model(load);
    for (const Backend backend : backends()) {
      const Kernel part = *compile(spec, {.backend = backend, .kind = KernelKind::Part});
      Pages pages(kPages);
      std::copy(load.memory.table.begin(), load.memory.table.end(), pages.bytes());
      const OperandStore operands = operands_of(load);
      Frame frame = operands.frame();
      frame.table = pages.bytes();
      const std::int64_t pieces = pieces_in(load.plan, frame);
      for (std::size_t page = 0; page < kPages; page += 2) {
        const std::int64_t a_page = pieces / static_cast<std::int64_t>(kPages);
        const auto first = static_cast<std::int64_t>(page) * a_page;
        pages.allow(page, page + 2);
        run_part(load.plan, frame, {first, first + 2 * a_page}, pieces, part);
      }
      Image actual = load.memory;
      std::copy_n(pages.bytes(), actual.table.size(), actual.table.begin());
      EXPECT_EQ(difference(load, expected, actual), "") << name_of(backend);
    }
  }
}

TEST(ParallelCall, NeighboursOfOneAndTwoBytesAreLeftAlone) {
  for (const std::string text :
       {"a5:mscatter.elem src=i8[1x64] idx=i32[1x64] table=i8[1x64]",
        "a2a3:mscatter.elem.atomic_add src=i8[1x64] idx=i32[1x64] table=i8[1x64]",
        "a5:mscatter.elem.atomic_add src=bf16[1x64] idx=i32[1x64] table=bf16[1x64]",
        "a5:mgather.elem dst=i8[1x64] idx=i32[1x64] table=i8[1x64]"}) {
    const LegalSpec spec = legal(text);
    const Workload load = *make_workload(spec, spec.spec(), Pattern::Random, 3);
    const Image expected = run_model(load);
    for (const Backend backend : backends()) {
      ThreadPool pool(8);
      for (int again = 0; again < 50; ++again) {
        const OperandStore operands = operands_of(load);
        const Result<Done> done =
            run_parallel(spec, load.plan, operands.frame(),
                         {{.threads = 8, .parts = 64, .pool = &pool}, {.backend = backend}});
        ASSERT_TRUE(done) << render(done.error());
        ASSERT_EQ(difference(load, expected, image_of(load, operands)), "") << name_of(backend);
      }
      EXPECT_GT(pool.ran(), 50 * 32);
    }
  }
}

std::int64_t pieces_of(const std::string& text) {
  const LegalSpec spec = legal(text);
  return pieces_in(make_plan(spec), frame_of(spec.spec()));
}

TEST(ParallelCall, IsOnePartWhereSlotsOverlap) {
  const std::string rows = "a2a3:mscatter.row src=f32[8x32] idx=i32[1x8] table=f32[64x32";
  EXPECT_EQ(pieces_of(rows + "]"), 64);
  EXPECT_EQ(pieces_of(rows + "@40x1]"), 64);
  EXPECT_EQ(pieces_of(rows + "@31x1]"), 1);
  const LegalSpec spec = legal(rows + "@?x1]");
  Frame frame = frame_of(spec.spec());
  frame.extents[static_cast<std::size_t>(Dim::TableS3)] = 32;
  EXPECT_EQ(pieces_in(make_plan(spec), frame), 64);
  frame.extents[static_cast<std::size_t>(Dim::TableS3)] = 16;
  EXPECT_EQ(pieces_in(make_plan(spec), frame), 1);
}

TEST(ParallelCall, IsOnePartWhereRanksOverlap) {
  const LegalSpec spec = legal(
      "a5:comm.tscatter src=f32[1x1x1x8x16] dst=f32[1x1x1x4x16] stage=f32[8x16] ranks=2 root=0");
  const KernelPlan plan = make_plan(spec);
  std::vector<float> memory(4 * 16 * 2);
  void* ranks[] = {memory.data(), memory.data() + 4 * 16};
  Frame frame = frame_of(spec.spec());
  frame.ranks = ranks;
  EXPECT_GT(pieces_in(plan, frame), 1);
  ranks[1] = memory.data() + 4 * 16 - 1;
  EXPECT_EQ(pieces_in(plan, frame), 1);
}

TEST(ParallelCall, RefusesNumbersThatCannotBe) {
  std::vector<float> src(64), table(64);
  std::vector<std::int32_t> idx(8);
  const KernelSpec spec = *parse("a5:mscatter.row src=f32[8x8] idx=i32[1x8] table=f32[8x8]");
  const BufferView views[] = {view_of("src", src), view_of("idx", idx), view_of("table", table)};
  for (const Parallel wrong : {Parallel{.threads = -1}, Parallel{.threads = kMostThreads + 1},
                               Parallel{.parts = -1}, Parallel{.parts = kMostParts + 1}}) {
    const Result<Done> done = call(spec, {.buffers = views, .parallel = wrong});
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error()[0].id, wrong.parts == 0 ? "option.threads" : "option.parts");
  }
  const Result<Done> done = call(spec, {.buffers = views, .parallel = {.parts = 3}});
  EXPECT_TRUE(done) << "one thread needs no pool";
}

// A few slots take most writes: parts are cut where the sample says, and the ranges still cover
// all.
TEST(ParallelCall, CutsSlotsByASampleOfTheIndices) {
  const LegalSpec spec =
      legal("a5:mscatter.elem src=f32[256x4096] idx=i32[256x4096] table=f32[1x16777216]");
  const KernelPlan plan = make_plan(spec);
  std::vector<std::int32_t> idx(256 * 4096);
  for (std::size_t i = 0; i < idx.size(); ++i)
    idx[i] = static_cast<std::int32_t>(i % 10 == 0 ? i * 15 : i % 1000);
  Frame frame = frame_of(spec.spec());
  frame.index = idx.data();
  HostFeatures host;
  host.l2 = 1 << 20;
  const Dealt dealt = deal_out(plan, frame, {.threads = 4}, host);
  ASSERT_EQ(dealt.parts.size(), 4U);
  std::int64_t at = 0;
  for (const PartRange& part : dealt.parts) {
    EXPECT_EQ(part.first, at);
    at = part.last;
  }
  EXPECT_EQ(at, 16777216);
  EXPECT_LT(dealt.parts[2].first, 1000) << "nine writes of ten go below slot 1000";
}

TEST(ParallelCall, StaysWholeWhereThatIsFaster) {
  const auto parts = [](const std::string& text) {
    const LegalSpec spec = legal(text);
    const KernelPlan plan = make_plan(spec);
    std::vector<std::int32_t> idx(1 << 20);
    Frame frame = frame_of(spec.spec());
    frame.index = idx.data();
    HostFeatures host;
    host.l2 = 1 << 20;
    return deal_out(plan, frame, {.threads = 8}, host).parts.size();
  };
  EXPECT_LE(parts("a5:mgather.row dst=f32[256x32] idx=i32[1x256] table=f32[1048576x32]"), 1U);
  EXPECT_LE(parts("a5:mscatter.elem src=f32[256x4096] idx=i32[256x4096] table=f32[1x4096]"), 1U);
  EXPECT_GT(parts("a5:mgather.row dst=f32[65536x64] idx=i32[1x65536] table=f32[1048576x64]"), 1U);
}

}  // namespace
}  // namespace pto::jit::tests

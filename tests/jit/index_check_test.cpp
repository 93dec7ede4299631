// Indices are the caller's only until they are checked: whatever becomes of them after that, a call
// follows those that it has looked at.
#include "jit/calls/index_check.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <span>
#include <vector>

#include "ir/spec_text.h"
#include "ir/storage.h"
#include "jit/calls/checked_call.h"
#include "jit/doors/c/c.h"
#include "targets/planner.h"
#include "tests/support/backends.h"
#include "tests/support/grid.h"
#include "tests/support/sample_size.h"
#include "tests/support/workload.h"

namespace pto::jit::tests {
namespace {

std::byte* indices_of(const Frame& frame) {
  return static_cast<std::byte*>(const_cast<void*>(frame.index));
}

// Checks, has the caller's indices lead far away, and calls; puts back what was there.
void call_in_two_steps(const BoundSpec& bound, const Kernel& kernel, const Frame& frame) {
  Frame own = frame;
  const Result<OwnIndices> taken = take_indices(bound, own);
  ASSERT_TRUE(taken) << render(taken.error()) << print(bound.legal().spec());
  const auto bytes =
      static_cast<std::size_t>(touched_bytes(bound.spec(), Role::Index, bound.plan(), frame));
  const std::vector<std::byte> before(indices_of(frame), indices_of(frame) + bytes);
  std::fill_n(indices_of(frame), bytes, std::byte{0xfe});
  kernel(own);
  std::ranges::copy(before, indices_of(frame));
}

std::vector<Binding> values_of(const GridCase& entry) {
  std::vector<Binding> out;
  for (const Dim dim : runtime_dims(entry.spec)) out.push_back({dim, get(entry.bound, dim)});
  return out;
}

TEST(IndexCheck, WhatWasCheckedIsFollowedOnTheWholeGrid) {
  std::size_t runs = 0;
  const std::vector<GridCase> grid = runnable_grid();
  const std::size_t wanted = taken({300, 3000}, "the grid, indices that change");
  for (std::size_t i = 0; i < grid.size(); i += grid.size() / wanted) {
    const GridCase& entry = grid[i];
    const LegalSpec legal = *verify(entry.spec);
    if (!make_plan(legal).has_index()) continue;
    const Result<BoundSpec> bound = jit::bind(legal, values_of(entry));
    ASSERT_TRUE(bound) << print(entry.spec);
    const Workload load = *make_workload(legal, entry.bound, Pattern::Random, 28);
    const Image expected = run_model(load);
    for (const Backend backend : backends_here()) {
      const Kernel kernel = *compile(legal, {.backend = backend});
      for (const Guard guard : {Guard::Behind, Guard::Before}) {
        const Image actual = run_guarded(
            load, guard, [&](const Frame& frame) { call_in_two_steps(*bound, kernel, frame); });
        ASSERT_EQ(difference(load, expected, actual), "");
        ++runs;
      }
    }
  }
  EXPECT_GT(runs, 500U);
}

// Pages of floats that nobody may touch; whoever does finds them open, and the indices changed.
class Trap {
 public:
  Trap(std::span<std::int32_t> indices, std::int32_t changed)
      : floats_(static_cast<float*>(
            mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))),
        indices_(indices),
        changed_(changed) {
    trap = this;
    struct sigaction wanted = {};
    wanted.sa_sigaction = spring;
    wanted.sa_flags = SA_SIGINFO;
    sigaction(SIGSEGV, &wanted, &before_);
    mprotect(floats_, kBytes, PROT_NONE);
  }
  ~Trap() {
    sigaction(SIGSEGV, &before_, nullptr);
    munmap(floats_, kBytes);
  }
  Trap(const Trap&) = delete;
  Trap& operator=(const Trap&) = delete;
  Trap(Trap&&) = delete;
  Trap& operator=(Trap&&) = delete;

  std::span<float> floats() const { return {floats_, kBytes / sizeof(float)}; }
  bool has_sprung() const { return has_sprung_; }

 private:
  static constexpr std::size_t kBytes = 1 << 16;
  static inline Trap* trap = nullptr;

  // Any other fault comes again without this handler.
  static void spring(int, siginfo_t* info, void*) {
    const auto offset =
        static_cast<std::byte*>(info->si_addr) - reinterpret_cast<std::byte*>(trap->floats_);
    const bool is_mine = offset >= 0 && offset < static_cast<std::ptrdiff_t>(kBytes);
    if (!is_mine || trap->has_sprung_) {
      sigaction(SIGSEGV, &trap->before_, nullptr);
      return;
    }
    mprotect(trap->floats_, kBytes, PROT_READ | PROT_WRITE);
    std::ranges::fill(trap->indices_, trap->changed_);
    trap->has_sprung_ = true;
  }

  float* floats_;
  std::span<std::int32_t> indices_;
  std::int32_t changed_;
  volatile bool has_sprung_ = false;
  struct sigaction before_ = {};
};

// A gather whose tile is a trap: its first store changes all indices to the last row's neighbour,
// which belongs to the same memory, and to nobody's table.
struct Gather {
  static constexpr int kRows = 64;
  static constexpr int kCount = 512;
  std::vector<std::int32_t> idx = std::vector<std::int32_t>(kCount);
  std::vector<float> memory = std::vector<float>(2 * kRows * 32, -1.0f);
  Trap trap{idx, kRows + 5};
  KernelSpec spec;

  explicit Gather(const std::string& suffix)
      : spec(*parse("a5:mgather.row" + suffix +
                    " dst=f32[512x32] idx=i32[1x512] table=f32[64x32]")) {
    for (int i = 0; i < kCount; ++i) idx[static_cast<std::size_t>(i)] = i % kRows;
    for (int i = 0; i < kRows * 32; ++i)
      memory[static_cast<std::size_t>(i)] = static_cast<float>(i);
  }

  void expect_rows() const {
    EXPECT_TRUE(trap.has_sprung());
    for (int i = 0; i < kCount * 32; ++i) {
      const int row = i / 32 % kRows;
      ASSERT_EQ(trap.floats()[static_cast<std::size_t>(i)], static_cast<float>(row * 32 + i % 32))
          << print(spec) << " " << i;
    }
  }
};

constexpr std::array kSuffixes = {"", ".zero", ".clamp", ".wrap", ".audit", ".zero.audit"};

TEST(IndexCheck, ACallFollowsTheIndicesThatItChecked) {
  for (const Backend backend : backends_here()) {
    for (const std::string suffix : kSuffixes) {
      Gather gather(suffix);
      const BufferView views[] = {view_of("dst", gather.trap.floats().first(512 * 32)),
                                  view_of("idx", gather.idx),
                                  view_of("table", std::span(gather.memory).first(64 * 32))};
      AuditReport report;
      const Result<Done> done =
          call(gather.spec, {.buffers = views, .report = &report}, {.backend = backend});
      ASSERT_TRUE(done) << render(done.error());
      gather.expect_rows();
      EXPECT_EQ(report.out_of_bounds, 0);
    }
  }
}

TEST(IndexCheck, SoDoesACallOfTheCInterface) {
  Gather gather("");
  const std::string text = print(gather.spec);
  ptojit_spec* spec = nullptr;
  ASSERT_EQ(ptojit_parse(text.c_str(), &spec, nullptr), PTOJIT_OK);
  const ptojit_buffer buffers[] = {
      {"dst", gather.trap.floats().data(), 512 * 32 * 4, "f32", nullptr, nullptr, 0},
      {"idx", gather.idx.data(), 512 * 4, "i32", nullptr, nullptr, 0},
      {"table", gather.memory.data(), 64 * 32 * 4, "f32", nullptr, nullptr, 0}};
  const ptojit_arguments arguments = {buffers, 3, nullptr, 0, nullptr, 0, 0};
  EXPECT_EQ(ptojit_call(spec, &arguments, nullptr, nullptr), PTOJIT_OK);
  gather.expect_rows();
  ptojit_spec_free(spec);
}

TEST(IndexCheck, ACallRefusesAnIndexThatLeavesItsOperand) {
  for (const char* text : {"a5:mgather.elem dst=f32[8x64] idx=i32[8x64] table=f32[100]",
                           "a5:mscatter.row src=f32[8x8] idx=i32[1x8] table=f32[100x8]",
                           "a5:tscatter src=f32[8x8] idx=i32[8x8] dst=f32[8x8]",
                           "a2a3:tgatherb src=f32[8x8] offset=u32[8x8] dst=f32[8x8]",
                           "cpu:mgather.elem dst=f32[8x8] idx=i32[8x8] table=f32[100]"}) {
    const Result<KernelSpec> spec = parse(text);
    ASSERT_TRUE(spec) << render(spec.error(), text);
    const Result<LegalSpec> legal = verify(*spec);
    ASSERT_TRUE(legal) << render(legal.error(), text);
    Workload load = *make_workload(*legal, legal->spec(), Pattern::Sequential, 1);
    const Image before = load.memory;
    load.memory.index.back() = std::byte{0x7f};
    std::vector<BufferView> views;
    std::vector<std::string> names;
    for (const MemoryOperand& operand : memory_operands(*spec))
      names.push_back(name_of(*spec, operand));
    for (const MemoryOperand& operand : memory_operands(*spec)) {
      std::vector<std::byte>& bytes = load.memory.of(operand);
      views.push_back({.operand = names[views.size()],
                       .data = bytes.data(),
                       .bytes = std::ssize(bytes),
                       .dtype = dtype_of(*spec, operand.role)});
    }
    const Result<Done> done = call(*spec, {.buffers = views});
    ASSERT_FALSE(done) << text;
    EXPECT_EQ(done.error()[0].id, "index.range") << render(done.error());
    load.memory.index = before.index;
    EXPECT_EQ(load.memory, before) << text;
  }
}

}  // namespace
}  // namespace pto::jit::tests

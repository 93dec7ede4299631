// Kernels of bindings behind the kernel for all of them.
#include "runtime/bindings/bound_kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <barrier>
#include <stdexcept>
#include <thread>
#include <vector>

#include "tests/runtime/tiny_kernels.h"

namespace pto::jit {
namespace {

constexpr std::int64_t kGeneral = -1;
constexpr std::array kRead = {Dim::TableD4, Dim::DataVr};

// Stores a number where the frame's tile is.
class Storing final : public KernelBody {
 public:
  Storing(std::int64_t number, std::atomic<int>& alive)
      : KernelBody({.entry = store, .context = this, .footprint = 64, .name = "storing"}),
        number_(number),
        alive_(alive) {
    ++alive_;
  }
  ~Storing() override { --alive_; }

 private:
  static void store(const Frame* frame, const void* context) {
    *static_cast<std::int64_t*>(frame->tile) = static_cast<const Storing*>(context)->number_;
  }

  std::int64_t number_;
  std::atomic<int>& alive_;
};

std::int64_t number_of(std::int64_t rows, std::int64_t cols) { return rows * 1000 + cols; }

// Of a kernel whose bindings get kernels that store their values.
struct Made {
  std::atomic<int> alive = 0;
  std::atomic<int> asked = 0;
  bool declines = false;
  int throws = 0;

  Kernel kernel(std::uint32_t after);
  Kernel storing(std::int64_t number) { return Kernel(std::make_unique<Storing>(number, alive)); }
};

class Maker final : public BindingMaker {
 public:
  explicit Maker(Made& made) : made_(made) {}

  std::optional<Kernel> make(const Frame& frame) override {
    ++made_.asked;
    if (made_.throws > 0 && made_.throws-- > 0) throw std::runtime_error("not today");
    if (made_.declines) return std::nullopt;
    const auto value = [&](Dim dim) { return frame.extents[static_cast<std::size_t>(dim)]; };
    return made_.storing(number_of(value(Dim::DataVr), value(Dim::TableD4)));
  }

 private:
  Made& made_;
};

Kernel Made::kernel(std::uint32_t after) {
  return with_bound_kernels(storing(kGeneral), {"general", kRead, after},
                            std::make_unique<Maker>(*this));
}

std::int64_t call(const Kernel& kernel, std::int64_t rows, std::int64_t cols,
                  std::int64_t unread = 0) {
  std::int64_t out = 0;
  Frame frame;
  frame.tile = &out;
  frame.extents.fill(unread);
  frame.extents[static_cast<std::size_t>(Dim::DataVr)] = rows;
  frame.extents[static_cast<std::size_t>(Dim::TableD4)] = cols;
  kernel(frame);
  return out;
}

int calls_until_own(const Kernel& kernel, std::int64_t rows, std::int64_t cols) {
  for (int i = 1; i <= 100000; ++i) {
    const std::int64_t found = call(kernel, rows, cols, i);
    if (found == number_of(rows, cols)) return i;
    EXPECT_EQ(found, kGeneral);
  }
  return 0;
}

TEST(BoundKernels, ABindingGetsItsKernelWithAboutTheCallAskedFor) {
  for (const std::uint32_t after : {1U, 2U, 3U, 7U, 64U, 1000U, 65535U}) {
    Made made;
    const Kernel kernel = made.kernel(after);
    const int calls = calls_until_own(kernel, 3, 5);
    const int stride = after < 8 ? 1 : after == 64 ? 16 : 64;
    EXPECT_LE(calls, static_cast<int>(after) + stride - 1);
    EXPECT_GT(calls, static_cast<int>(after) - stride);
    EXPECT_EQ(call(kernel, 5, 3), after == 1 ? number_of(5, 3) : kGeneral);
  }
}

TEST(BoundKernels, IsKnownByTheGeneralKernel) {
  Made made;
  const Kernel kernel = made.kernel(1);
  EXPECT_EQ(kernel.name(), "general");
  EXPECT_EQ(kernel.backend(), Backend::Interpreter);
  EXPECT_GE(kernel.footprint(), 64U);
}

TEST(BoundKernels, CallsThatTakeTurnsGetOneEach) {
  Made made;
  const Kernel kernel = made.kernel(64);
  for (int i = 0; i < 20000; ++i) {
    const std::int64_t rows = 1 + i * 7 % 10;
    const std::int64_t found = call(kernel, rows, 9);
    EXPECT_TRUE(found == kGeneral || found == number_of(rows, 9));
  }
  EXPECT_EQ(made.asked, 10);
  for (std::int64_t rows = 1; rows <= 10; ++rows)
    EXPECT_EQ(call(kernel, rows, 9), number_of(rows, 9));
}

TEST(BoundKernels, SixteenAreKeptAndNoMoreAreAskedFor) {
  Made made;
  const Kernel kernel = made.kernel(1);
  for (std::int64_t rows = 1; rows <= 40; ++rows)
    EXPECT_EQ(call(kernel, rows, 8), rows <= 16 ? number_of(rows, 8) : kGeneral);
  EXPECT_EQ(made.asked, 16);
  EXPECT_EQ(made.alive, 17);
}

TEST(BoundKernels, ADeclinedBindingStaysGeneralAndIsNotAskedForAgain) {
  Made made;
  made.declines = true;
  const Kernel kernel = made.kernel(1);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(call(kernel, 3, 5), kGeneral);
  EXPECT_EQ(made.asked, 1);
}

TEST(BoundKernels, WhatAMakerThrowsIsForgotten) {
  Made made;
  made.throws = 3;
  const Kernel kernel = made.kernel(1);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(call(kernel, 3, 5), kGeneral);
  EXPECT_EQ(call(kernel, 3, 5), number_of(3, 5));
}

TEST(BoundKernels, ValuesThatNoStaticSpecHasAreNeverAskedFor) {
  Made made;
  const Kernel kernel = made.kernel(1);
  for (const std::int64_t rows : {std::int64_t{0}, std::int64_t{-1}, INT64_MIN})
    EXPECT_EQ(call(kernel, rows, 5), kGeneral);
  EXPECT_EQ(made.asked, 0);
}

// The frames that a shortcut of the maker below has let pass, and sent elsewhere.
struct Taken {
  int own = 0;
  int others = 0;
};

// A shortcut as C++ that remembers what it is for.
class Comparing final : public KernelBody {
 public:
  Comparing(const Shortcut& shortcut, Taken& taken)
      : KernelBody({.entry = compare, .context = this, .name = "comparing"}) {
    values.assign(shortcut.values.begin(), shortcut.values.end());
    own = shortcut.own;
    others = shortcut.others;
    counted = &taken;
  }

 private:
  static void compare(const Frame* frame, const void* context) {
    const bool is_own = std::ranges::all_of(values, [&](const FrameValue& one) {
      return frame->extents[static_cast<std::size_t>(one.dim)] == one.value;
    });
    ++(is_own ? counted->own : counted->others);
    is_own ? own(*frame) : others(frame, context);
  }

  // A shortcut is called with the context of the kernel it is in front of.
  static inline std::vector<FrameValue> values;
  static inline KernelCall own;
  static inline KernelEntry others = nullptr;
  static inline Taken* counted = nullptr;
};

class ShortcutMaker final : public BindingMaker {
 public:
  ShortcutMaker(Made& made, Taken& taken) : maker_(made), taken_(taken) {}

  std::optional<Kernel> make(const Frame& frame) override { return maker_.make(frame); }
  std::optional<Kernel> make_shortcut(const Shortcut& shortcut) override {
    return Kernel(std::make_unique<Comparing>(shortcut, taken_));
  }

 private:
  Maker maker_;
  Taken& taken_;
};

TEST(BoundKernels, AreEnteredByAShortcutToTheFirstOfThem) {
  Made made;
  Taken taken;
  const Kernel kernel = with_bound_kernels(made.storing(kGeneral), {"general", kRead, 1},
                                           std::make_unique<ShortcutMaker>(made, taken));
  EXPECT_EQ(call(kernel, 3, 5), number_of(3, 5));
  EXPECT_EQ(taken.own + taken.others, 0);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(call(kernel, 3, 5, i), number_of(3, 5));
  EXPECT_EQ(call(kernel, 4, 5), number_of(4, 5));
  EXPECT_EQ(call(kernel, 3, 6), number_of(3, 6));
  EXPECT_EQ(call(kernel, 0, 5), kGeneral);
  EXPECT_EQ(taken.own, 4);
  EXPECT_EQ(taken.others, 3);
}

TEST(BoundKernels, LastAsLongAsTheKernelTheyAreBehind) {
  Made made;
  {
    const Kernel kernel = made.kernel(1);
    call(kernel, 3, 5);
    call(kernel, 4, 5);
    EXPECT_EQ(made.alive, 3);
  }
  EXPECT_EQ(made.alive, 0);
}

TEST(BoundKernels, AChildGoesOnWithThoseItHasAndMakesItsOwn) {
  Made made;
  const Kernel kernel = made.kernel(1);
  call(kernel, 3, 5);
  EXPECT_TRUE(tests::holds_in_child([&] {
    return call(kernel, 3, 5) == number_of(3, 5) && call(kernel, 4, 5) == number_of(4, 5) &&
           made.asked == 2;
  }));
  EXPECT_EQ(made.asked, 1);
}

TEST(BoundKernelsThreads, AllSeeWholeWhatOneHasMade) {
  constexpr int kThreads = 8;
  for (const std::uint32_t after : {1U, 64U}) {
    Made made;
    const Kernel kernel = made.kernel(after);
    std::barrier start(kThreads);
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t) {
      threads.emplace_back([&, t, mine = kernel] {
        start.arrive_and_wait();
        for (std::int64_t i = 0; i < 4000; ++i) {
          const std::int64_t rows = 1 + (i / 16 + t) % 24;
          const std::int64_t found = call(mine, rows, 5);
          EXPECT_TRUE(found == kGeneral || found == number_of(rows, 5));
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_LE(made.alive, 17);
    EXPECT_GE(made.alive, 2);
  }
}

}  // namespace
}  // namespace pto::jit

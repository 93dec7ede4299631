// What kernels of the x86-64 emitter do to memory, over the grid at every feature level: whole, in
// parts and as audits, as chosen, with a choice forced and with stores around the caches.
#include <gtest/gtest.h>
#include <xbyak/xbyak.h>

#include <algorithm>

#include "ir/parts.h"
#include "ir/spec_text.h"
#include "targets/planner.h"
#include "tests/machine_code/memory_use.h"
#include "tests/support/cells.h"
#include "tests/support/sample_size.h"
#include "tests/xbyak/code_levels.h"
#include "tests/xbyak/strategies.h"

namespace pto::jit::tests {
namespace {

constexpr std::size_t kEvery = 30;  // of the grid's cases in a short sample
constexpr int kMostShown = 10;

std::vector<KernelPlan> plans_of(const KernelSpec& spec) {
  const KernelPlan whole = make_plan(*verify(spec));
  std::vector<KernelPlan> out = {whole, part_plan(whole)};
  if (whole.audit.is_on) out.push_back(audit_plan(whole));
  return out;
}

class Check {
 public:
  void check(const KernelPlan& plan, const HostFeatures& host, const StrategyWish& wish) {
    const Strategy strategy = choose_strategy(plan, host, wish);
    const Decoded code = decode(assembled(plan, strategy));
    const std::string found = misuse_of_memory(code, plan, {});
    if (!found.empty() && failures_++ < kMostShown)
      ADD_FAILURE() << print(strategy) << ": " << found << "\n" << print(plan);
    streaming_ += std::ranges::any_of(code.instructions, stores_around_caches) ? 1 : 0;
    ++kernels_;
  }

  std::size_t kernels() const { return kernels_; }
  std::size_t streaming() const { return streaming_; }

 private:
  std::size_t kernels_ = 0;
  std::size_t streaming_ = 0;
  int failures_ = 0;
};

TEST(XbyakMemory, IsUsedAsKernelsMay) {
  Check check;
  for (const GridCase& entry : sampled_grid(kEvery)) {
    for (const KernelPlan& plan : plans_of(entry.spec)) {
      for (const FeatureLevel level : kCodeLevels) {
        const HostFeatures host = host_with(level);
        const std::vector<StrategyWish> wishes = wishes_for(plan, host);
        check.check(plan, host, {});
        check.check(plan, host, wishes[check.kernels() % wishes.size()]);
        check.check(plan, host, {.stream_from = 1});
      }
    }
  }
  std::printf("%zu kernels, %zu with stores around the caches\n", check.kernels(),
              check.streaming());
  EXPECT_GT(check.kernels(), takes_full_samples() ? 400000u : 15000u);
}

// Rows of a tile of 64, as many as that or as the call says, of a width that is known or not.
std::vector<std::string> streaming_specs() {
  std::vector<std::string> out;
  const auto add = [&](const std::string& op, const std::string& rows, const std::string& width) {
    const std::string valid = rows + "x" + width;
    for (const char* slots : {"100", "?"}) {
      out.push_back("a5:" + op + "=f32[64x64|" + valid + "] idx=i32[1x64|1x" + rows +
                    "] table=f32[" + slots + "x" + width + "]");
    }
  };
  for (const char* rows : {"64", "61", "?"}) {
    for (const char* policy : {"", ".skip", ".clamp", ".wrap", ".skip.default", ".wrap.audit"}) {
      for (const char* width : {"64", "16"})
        add("mscatter.row" + std::string(policy) + " src", rows, width);
    }
    for (const char* policy : {"", ".clamp", ".wrap", ".zero"}) {
      for (const char* width : {"64", "37", "?"})
        add("mgather.row" + std::string(policy) + " dst", rows, width);
    }
  }
  return out;
}

TEST(XbyakMemory, IsFencedBehindStoresAroundTheCaches) {
  Check check;
  const HostFeatures host = host_with(FeatureLevel::Avx512);
  for (const std::string& spec : streaming_specs()) {
    for (const KernelPlan& plan : plans_of(*parse(spec))) {
      check.check(plan, host, {.stream_from = 1});
      check.check(plan, host, {.scan = 0, .stream_from = 1});
      check.check(plan, host, {.aside = 0, .stream_from = 1});
      check.check(plan, host, {.scan = 1, .strip = 16, .stream_from = 1});
      check.check(plan, host, {.form = UnitForm::Lanes, .group = 4, .stream_from = 1});
    }
  }
  EXPECT_GT(check.streaming(), 1000u);
}

// --- the check, shown to fail -------------------------------------------------------------------

using Code = Xbyak::CodeGenerator;

// A kernel that writes its table, as `write` has it.
template <class Write>
std::string complaint_about(const Write& write, const CodeRules& rules = {}) {
  Code a;
  write(a);
  a.ready();
  const std::span code(reinterpret_cast<const std::byte*>(a.getCode()), a.getSize());
  KernelPlan plan;
  plan.direction = Direction::ToTable;
  return misuse_of_memory(decode(code), plan, rules);
}

Xbyak::Address field(Code& a, std::size_t offset) { return a.qword[a.rdi + offset]; }

TEST(MemoryMisuse, OfAMissingFenceOnOneOfTwoPathsIsFound) {
  const auto code = [](bool is_fenced) {
    return [=](Code& a) {
      Xbyak::Label fenced, done;
      a.mov(a.r10, field(a, offsetof(Frame, table)));
      a.vmovntdq(a.ptr[a.r10], a.ymm0);
      a.test(a.eax, a.eax);
      a.jz(fenced);
      if (is_fenced) a.mfence();
      a.jmp(done);
      a.L(fenced);
      a.sfence();
      a.L(done);
      a.ret();
    };
  };
  EXPECT_EQ(complaint_about(code(true)), "");
  EXPECT_EQ(complaint_about(code(false)), "ret leaves stores around the caches without a fence");
}

TEST(MemoryMisuse, OfTheStackBeyondWhatWasReservedIsFound) {
  const auto at = [](int offset, int pushed) {
    return [=](Code& a) {
      for (int i = 0; i < pushed; ++i) a.push(a.rbx);
      a.sub(a.rsp, 64);
      a.lea(a.rcx, a.ptr[a.rsp + 8]);
      a.vmovdqu(a.ptr[a.rcx + (offset - 8)], a.ymm0);
      a.add(a.rsp, 64);
      for (int i = 0; i < pushed; ++i) a.pop(a.rbx);
      a.ret();
    };
  };
  for (const int pushed : {0, 1, 2}) {
    for (const int inside : {0, 32}) EXPECT_EQ(complaint_about(at(inside, pushed)), "");
    for (const int outside : {-8, 33, 64, 80}) EXPECT_NE(complaint_about(at(outside, pushed)), "");
  }
  EXPECT_EQ(complaint_about(at(-8, 1), {.has_red_zone = true}), "");
  EXPECT_NE(complaint_about([](Code& a) { a.push(a.rbx), a.ret(); }), "");
}

TEST(MemoryMisuse, OfMemoryThatIsNotTheKernelsToWriteIsFound) {
  const auto through = [](std::size_t offset) {
    return [=](Code& a) {
      a.mov(a.rcx, field(a, offset));
      a.add(a.rcx, a.rax);
      a.mov(a.dword[a.rcx + a.rdx * 4], a.eax);
      a.ret();
    };
  };
  EXPECT_EQ(complaint_about(through(offsetof(Frame, table))), "");
  for (const std::size_t other : {offsetof(Frame, tile), offsetof(Frame, index),
                                  offsetof(Frame, report), offsetof(Frame, extents)})
    EXPECT_NE(complaint_about(through(other)), "") << other;
  EXPECT_NE(complaint_about([](Code& a) { a.mov(a.byte[a.rdi], 1), a.ret(); }), "");
  EXPECT_NE(complaint_about([](Code& a) { a.mov(a.byte[a.rip], 1), a.ret(); }), "");
}

TEST(MemoryMisuse, ByCallsAndJumpsAnywhereIsFound) {
  const auto calls = [](Code& a) { a.call(a.rax), a.ret(); };
  EXPECT_NE(complaint_about(calls), "");
  EXPECT_NE(complaint_about(calls, {.may_call = true}), "");
  EXPECT_NE(complaint_about([](Code& a) { a.jmp(a.rax), a.ret(); }), "");
}

}  // namespace
}  // namespace pto::jit::tests

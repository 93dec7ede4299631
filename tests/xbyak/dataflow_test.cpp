// Dead and repeated results, found and not found.
#include "tests/xbyak/dataflow.h"

#include <gtest/gtest.h>
#include <xbyak/xbyak.h>

#include <functional>
#include <vector>

namespace pto::jit::tests {
namespace {

struct Assembled : Xbyak::CodeGenerator {
  explicit Assembled(const std::function<void(Xbyak::CodeGenerator&)>& write)
      : CodeGenerator(4096, Xbyak::DontSetProtectRWE) {
    write(*this);
    ret();
  }
};

class Analysis {
 public:
  explicit Analysis(const std::function<void(Xbyak::CodeGenerator&)>& write) : code_(write) {}

  // The positions of dead and of repeated instructions.
  std::vector<std::size_t> dead() const {
    return select([](const Dataflow& flow, std::size_t i) { return flow.is_dead(i); });
  }
  std::vector<std::size_t> repeated() const {
    return select([](const Dataflow& flow, std::size_t i) { return flow.is_repeated(i); });
  }

 private:
  std::vector<std::size_t> select(bool (*is)(const Dataflow&, std::size_t)) const {
    const auto* first = reinterpret_cast<const std::byte*>(code_.getCode());
    const Decoded decoded = decode({first, code_.getSize()});
    const Dataflow flow(decoded.instructions);
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < decoded.instructions.size(); ++i) {
      if (is(flow, i)) out.push_back(i);
    }
    return out;
  }

  Assembled code_;
};

using Positions = std::vector<std::size_t>;

TEST(Dataflow, FindsResultsThatNothingReads) {
  const Analysis analysis([](Xbyak::CodeGenerator& a) {
    a.mov(a.rax, 1);  // overwritten
    a.mov(a.rax, a.rdi);
    a.mov(a.ptr[a.rsi], a.rax);
    a.mov(a.rcx, a.rdi);  // read only by the next
    a.add(a.rcx, a.rcx);  // not read at all
    a.mov(a.r12, a.rdi);  // the caller's
    a.vpxor(a.xmm3, a.xmm3, a.xmm3);
  });
  EXPECT_EQ(analysis.dead(), (Positions{0, 3, 4, 6}));
}

TEST(Dataflow, FindsLoopsThatOnlyFeedThemselves) {
  const Analysis analysis([](Xbyak::CodeGenerator& a) {
    Xbyak::Label again;
    a.mov(a.rcx, 8);
    a.mov(a.qword[a.rsp + 16], a.rdi);
    a.L(again);
    a.mov(a.rax, a.qword[a.rsp + 16]);
    a.add(a.rax, 4);
    a.mov(a.qword[a.rsp + 16], a.rax);
    a.dec(a.rcx);
    a.jnz(again);
  });
  EXPECT_EQ(analysis.dead(), (Positions{1, 2, 3, 4}));
}

TEST(Dataflow, KeepsFlagsAndHalvesApart) {
  const Analysis analysis([](Xbyak::CodeGenerator& a) {
    Xbyak::Label out;
    a.cmp(a.rdi, a.rsi);
    a.mov(a.eax, 0);  // flags stay
    a.jb(out);
    a.mov(a.al, 1);  // a part of what is written below
    a.L(out);
    a.mov(a.ptr[a.rsi], a.rax);
  });
  EXPECT_EQ(analysis.dead(), Positions{});
}

TEST(Dataflow, FindsResultsThatAreThere) {
  const Analysis analysis([](Xbyak::CodeGenerator& a) {
    a.mov(a.qword[a.rsp + 8], a.rdi);
    a.mov(a.rdi, a.qword[a.rsp + 8]);  // was stored from there
    a.vpxor(a.xmm0, a.xmm0, a.xmm0);
    a.movdqu(a.ptr[a.rsi], a.xmm0);
    a.vpxor(a.xmm0, a.xmm0, a.xmm0);  // still zero
    a.add(a.rdi, 1);
    a.mov(a.rdi, a.qword[a.rsp + 8]);  // has changed
  });
  EXPECT_EQ(analysis.repeated(), (Positions{1, 4}));
}

TEST(Dataflow, KnowsTheFrameFromTheStack) {
  const Analysis analysis([](Xbyak::CodeGenerator& a) {
    a.mov(a.rax, a.qword[a.rdi + 8]);
    a.mov(a.qword[a.rsp + 8], a.rax);  // another place, as far from another register
    a.mov(a.rcx, a.qword[a.rsp + 8]);
    a.mov(a.ptr[a.rsi], a.rcx);
  });
  EXPECT_EQ(analysis.repeated(), Positions{});
}

TEST(Dataflow, FollowsMasks) {
  const Analysis analysis([](Xbyak::CodeGenerator& a) {
    a.kmovw(a.k2, a.eax);
    a.kmovw(a.k1, a.eax);  // overwritten
    a.kxnorw(a.k1, a.k1, a.k1);
    a.vpxor(a.xmm0, a.xmm0, a.xmm0);
    a.vmovdqu32(a.zmm0 | a.k2, a.ptr[a.rsi]);  // other lanes stay
    a.vmovdqu32(a.ptr[a.rsi] | a.k1, a.zmm0);
  });
  EXPECT_EQ(analysis.dead(), Positions{1});
}

TEST(Dataflow, KnowsThatGathersUseUpTheirMasks) {
  const Analysis analysis([](Xbyak::CodeGenerator& a) {
    a.kxnorw(a.k3, a.k3, a.k3);
    a.vpgatherdd(a.zmm0 | a.k3, a.ptr[a.rsi + a.zmm8]);
    a.kxnorw(a.k3, a.k3, a.k3);  // no longer ones
    a.kxnorw(a.k3, a.k3, a.k3);
    a.vpscatterdd(a.ptr[a.rsi + a.zmm8] | a.k3, a.zmm0);
  });
  EXPECT_EQ(analysis.repeated(), Positions{3});
  EXPECT_EQ(analysis.dead(), Positions{2});
}

TEST(Dataflow, TrustsOnlyWhatHoldsOnEveryWay) {
  const Analysis analysis([](Xbyak::CodeGenerator& a) {
    Xbyak::Label out;
    a.test(a.rdi, a.rdi);
    a.jz(out);
    a.mov(a.eax, 7);
    a.L(out);
    a.mov(a.eax, 7);
    a.mov(a.ptr[a.rsi], a.rax);
  });
  EXPECT_EQ(analysis.repeated(), Positions{});
}

}  // namespace
}  // namespace pto::jit::tests

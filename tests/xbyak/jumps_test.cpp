// Labels of our own beside the library's: the same bytes, and the same refusals.
#include "jit/backends/xbyak/jumps.h"

#include <gtest/gtest.h>

#include <array>
#include <type_traits>
#include <vector>

namespace pto::jit::tests {
namespace {

using xbyak::Jumps;
using xbyak::Label;

constexpr std::size_t kRoom = 4096;
using Bytes = std::vector<std::uint8_t>;

// What `write` writes with labels of either kind.
template <class Assembler, class Place, class Write>
Bytes written(const Write& write) {
  std::array<std::uint8_t, kRoom> room{};
  Assembler a(room.size(), room.data());
  std::array<Place, 2> labels;
  write(a, labels[0], labels[1]);
  a.ready();
  return {room.begin(), room.begin() + static_cast<std::ptrdiff_t>(a.getSize())};
}

// The library's bytes, or its error, is ours.
template <class Write>
void expect_same(const Write& write) {
  EXPECT_EQ((written<Jumps, Label>(write)), (written<Xbyak::CodeGenerator, Xbyak::Label>(write)));
}
template <class Write>
void expect_refused(int error, const Write& write) {
  const auto refusal = [](const auto& attempt) {
    try {
      attempt();
    } catch (const Xbyak::Error& problem) {
      return static_cast<int>(problem);
    }
    return 0;
  };
  EXPECT_EQ(refusal([&] { written<Jumps, Label>(write); }), error);
  EXPECT_EQ(refusal([&] { written<Xbyak::CodeGenerator, Xbyak::Label>(write); }), error);
}

constexpr auto kNear = Xbyak::CodeGenerator::T_NEAR;

TEST(Jumps, AreTheLibrarysUnderEveryCondition) {
  const auto all = [](auto& a, auto& to, auto reach) {
    a.jmp(to, reach), a.jb(to, reach), a.jc(to, reach), a.jae(to, reach), a.jnc(to, reach);
    a.je(to, reach), a.jz(to, reach), a.jne(to, reach), a.jnz(to, reach), a.jbe(to, reach);
    a.ja(to, reach), a.jns(to, reach), a.jl(to, reach), a.jge(to, reach), a.jle(to, reach);
    a.jg(to, reach);
  };
  expect_same([&](auto& a, auto& back, auto& ahead) {
    a.L(back);
    all(a, back, Xbyak::CodeGenerator::T_AUTO);
    all(a, back, kNear);
    all(a, ahead, kNear);
    all(a, ahead, Xbyak::CodeGenerator::T_AUTO);
    a.L(ahead);
    all(a, ahead, kNear);
  });
}

TEST(Jumps, AreShortAsFarAsThatReaches) {
  for (const int between : {0, 1, 122, 124, 125, 126, 127, 128, 129, 300}) {
    expect_same([&](auto& a, auto& back, auto& ahead) {
      a.L(back);
      a.ja(ahead, kNear);
      for (int i = 0; i < between; ++i) a.db(0x90);
      a.jb(back);
      a.jmp(back);
      a.L(ahead);
    });
  }
}

TEST(Jumps, ReachAheadAsFarAsTheyAreLong) {
  const auto ahead_by = [](int between) {
    return [=](auto& a, auto& ahead, auto&) {
      a.jnz(ahead);
      a.jmp(ahead);
      for (int i = 0; i < between; ++i) a.db(0x90);
      a.L(ahead);
    };
  };
  expect_same(ahead_by(0));
  expect_same(ahead_by(125));
  expect_refused(Xbyak::ERR_LABEL_IS_TOO_FAR, ahead_by(126));
}

TEST(Jumps, RefuseTwoThatNoPlaceIsNearTo) {
  expect_refused(Xbyak::ERR_LABEL_IS_TOO_FAR, [](auto& a, auto& ahead, auto&) {
    a.jmp(ahead);
    for (int i = 0; i < 300; ++i) a.db(0x90);
    a.jmp(ahead);
    a.L(ahead);
  });
}

TEST(Jumps, RefuseLabelsThatAreNowhereOrTwice) {
  for (const auto reach : {Xbyak::CodeGenerator::T_AUTO, kNear}) {
    expect_refused(Xbyak::ERR_LABEL_IS_NOT_FOUND,
                   [=](auto& a, auto& nowhere, auto&) { a.jmp(nowhere, reach); });
  }
  expect_refused(Xbyak::ERR_LABEL_IS_REDEFINED, [](auto& a, auto& twice, auto&) {
    a.L(twice);
    a.L(twice);
  });
}

TEST(Jumps, LetInstructionsReferToConstants) {
  const auto load = [](auto& a, auto& from) {
    if constexpr (std::is_same_v<decltype(a), Jumps&>) {
      a.mulss(a.xmm1, a.dword[a.rip]);
      a.refer(from);
    } else {
      a.mulss(a.xmm1, a.dword[a.rip + from]);
    }
  };
  expect_same([&](auto& a, auto& before, auto& behind) {
    a.L(before);
    a.dd(0x3f000000);
    load(a, before);
    load(a, behind);
    load(a, behind);
    a.L(behind);
    a.dd(0x3f000000);
  });
}

}  // namespace
}  // namespace pto::jit::tests

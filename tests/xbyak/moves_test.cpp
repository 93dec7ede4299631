// Moves written as bytes beside the library's.
#include "jit/backends/xbyak/moves.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace pto::jit::tests {
namespace {

using xbyak::Address;
using xbyak::Moves;

template <class Write>
std::vector<std::uint8_t> written(const Write& write) {
  std::array<std::uint8_t, 1024> room{};
  Moves a(room.size(), room.data());
  write(a);
  return {room.begin(), room.begin() + static_cast<std::ptrdiff_t>(a.getSize())};
}

std::vector<Xbyak::RegExp> addresses() {
  std::vector<Xbyak::RegExp> out;
  for (int base = 0; base < 16; ++base) {
    for (const int offset : {0, 1, 64, 127, 128, -64, -128, -129, 8128, 8192, -8192, 1 << 30}) {
      const Xbyak::RegExp sum = Xbyak::Reg64(base) + offset;
      out.push_back(sum);
      for (const int index : {0, 5, 9, 12}) out.push_back(sum + Xbyak::Reg64(index));
      out.push_back(sum + Xbyak::Reg64(13) * 8);
    }
  }
  return out;
}

TEST(Moves, AreTheLibrarysAtEveryAddress) {
  for (const Xbyak::RegExp& sum : addresses()) {
    const Address at(sum);
    const auto ours = written([&](Moves& a) {
      for (const int width : {1, 2, 4, 8}) {
        a.load_piece({width, Xbyak::Operand::RDX, true}, at);
        a.store_piece({width, Xbyak::Operand::RDX, true}, at);
      }
      a.load_piece({16, 3, false}, at), a.store_piece({16, 9, false}, at);
      a.load_piece({16, 3, true}, at), a.store_piece({16, 9, true}, at);
      a.load_piece({32, 3, true}, at), a.store_piece({32, 9, true}, at);
      a.load_piece({64, 3, true}, at), a.store_piece({64, 25, true}, at);
      a.stream_line(2, at);
      a.ask_line(Moves::Wanted::First, at), a.ask_line(Moves::Wanted::Second, at);
      a.ask_line(Moves::Wanted::Written, at);
      a.load_whole(a.r9, at), a.add_whole(a.rbx, at), a.compare_whole(a.r15, at);
    });
    const auto theirs = written([&](Moves& a) {
      a.movzx(a.edx, a.byte[sum]), a.mov(a.byte[sum], a.dl);
      a.movzx(a.edx, a.word[sum]), a.mov(a.word[sum], a.dx);
      a.mov(a.edx, a.dword[sum]), a.mov(a.dword[sum], a.edx);
      a.mov(a.rdx, a.qword[sum]), a.mov(a.qword[sum], a.rdx);
      a.movdqu(a.xmm3, a.xword[sum]), a.movdqu(a.xword[sum], a.xmm9);
      a.vmovdqu(a.xmm3, a.xword[sum]), a.vmovdqu(a.xword[sum], a.xmm9);
      a.vmovdqu(a.ymm3, a.yword[sum]), a.vmovdqu(a.yword[sum], a.ymm9);
      a.vmovdqu64(a.zmm3, a.zword[sum]), a.vmovdqu64(a.zword[sum], a.zmm25);
      a.vmovntdq(a.zword[sum], a.zmm2);
      a.prefetcht0(a.ptr[sum]), a.prefetcht1(a.ptr[sum]), a.prefetchw(a.ptr[sum]);
      a.mov(a.r9, a.qword[sum]), a.add(a.rbx, a.qword[sum]), a.cmp(a.r15, a.qword[sum]);
    });
    ASSERT_EQ(ours, theirs);
  }
}

TEST(Moves, RefuseWhatNoInstructionHolds) {
  const auto loads = [](const Address& at) { written([&](Moves& a) { a.load_whole(a.rax, at); }); };
  const Address base(Xbyak::Reg64(0));
  EXPECT_THROW(loads(Address()), Xbyak::Error);
  EXPECT_THROW(loads(base + (std::int64_t{1} << 31)), Xbyak::Error);
  EXPECT_THROW(base + base + base, Xbyak::Error);
  EXPECT_THROW(written([&](Moves& a) {
                 for (int i = 0; i < 1000; ++i) a.load_whole(a.rax, base);
               }),
               Xbyak::Error);
}

}  // namespace
}  // namespace pto::jit::tests

// Runs stored around the caches, wherever in a line they begin and end.
#include "jit/backends/xbyak/runs.h"

namespace pto::jit::xbyak {
namespace {

using Xbyak::Reg64;

constexpr int kAtOnce = 4;  // lines in flight: all loads, then all stores

// Less than a line, of which rax holds the bytes; mostly none, and then a mask would be slow.
void copy_masked(Assembler& a, const LongCopy& copy) {
  const Xbyak::Zmm line = a.vec.piece(0).z();
  Label none;
  a.serving(Purpose::StreamEnds, [&] {
    a.test(a.eax, a.eax);
    a.jz(none);
    a.mov(a.rdx, -1);
    a.bzhi(a.rdx, a.rdx, a.rax);
    a.kmovq(a.mask.rest, a.rdx);
  });
  a.vmovdqu8(line | a.mask.rest | a.T_z, a.zword[copy.from]);
  a.vmovdqu8(a.zword[copy.to] | a.mask.rest, line);
  a.L(none);
}

// Lines around the caches while there are `at_once` left.
void stream_lines(Assembler& a, const LongCopy& copy, const Reg64& left, int at_once) {
  const int bytes = at_once * 64;
  Label again, fewer;
  a.L(again);
  a.serving_if(at_once > 1, Purpose::FasterPath, [&] { a.cmp(left, bytes); });
  a.jb(fewer);
  for (int i = 0; i < at_once; ++i)
    a.load_piece({64, a.vec.piece(i).index, true}, Address(copy.from) + 64 * i);
  for (int i = 0; i < at_once; ++i) a.stream_line(a.vec.piece(i).index, Address(copy.to) + 64 * i);
  a.add(copy.to, bytes);
  a.add(copy.from, bytes);
  a.sub(left, bytes);
  a.serving_if(at_once > 1, Purpose::FasterPath, [&] { a.jmp(again); });
  a.L(fewer);
}

}  // namespace

void stream_peeled(Assembler& a, const LongCopy& copy) {
  const Loan left = a.take();
  a.uses_wide();
  a.load(left.reg(), copy.run);
  a.mov(a.rax, copy.to);
  a.neg(a.rax);
  a.and_(a.eax, 63);
  copy_masked(a, copy);
  a.add(copy.to, a.rax);
  a.add(copy.from, a.rax);
  a.sub(left.reg(), a.rax);
  const bool is_long = !copy.run.is_static() || copy.run.factor >= kAtOnce * 64;
  if (is_long) stream_lines(a, copy, left.reg(), kAtOnce);
  stream_lines(a, copy, left.reg(), 1);
  a.mov(a.rax, left.reg());
  copy_masked(a, copy);
}

}  // namespace pto::jit::xbyak

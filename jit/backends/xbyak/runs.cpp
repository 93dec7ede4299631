#include "jit/backends/xbyak/runs.h"

#include <algorithm>

namespace pto::jit::xbyak {
namespace {

using Xbyak::Reg64;
using Xbyak::RegExp;

constexpr std::int64_t kUnrolled = 16;  // pieces of the widest kind written out one by one
constexpr int kLongStep = 4;            // pieces of a turn, where the length is not known

// One way of filling a run, piece by piece.
class Filler {
 public:
  Filler(Assembler& a, const Address& to) : a_(a), to_(to) {}
  virtual ~Filler() = default;
  Filler(const Filler&) = delete;
  Filler& operator=(const Filler&) = delete;

  void move(int width, const Address& at) {
    load(width, at);
    store(width, at);
  }

 protected:
  virtual void load(int width, const Address& at) = 0;

  virtual void store(int width, const Address& at) {
    if (width > 16) a_.uses_wide();
    a_.store_piece(piece(width), to_ + at);
  }

  static Reg64 general() { return Reg64(Xbyak::Operand::RDX); }
  Vector vector() const { return a_.vec.piece(0); }
  Moves::Piece piece(int width) const {
    return {width, width >= 16 ? vector().index : Xbyak::Operand::RDX, a_.isa.avx2};
  }

  Assembler& a_;
  const Address to_;
};

class Copier : public Filler {
 public:
  Copier(Assembler& a, const Address& to, const Address& from) : Filler(a, to), from_(from) {}

  void load(int width, const Address& at) override { a_.load_piece(piece(width), from_ + at); }

 protected:
  const Address from_;
};

class HalfReader final : public Copier {
 public:
  using Copier::Copier;

  void load(int width, const Address& at) override {
    if (width < 64) return Copier::load(width, at);
    Copier::load(32, at);
    a_.load_upper(vector().index, from_ + at + 32);
  }
};

// Lines that are not wanted in any cache.
class Streamer final : public Copier {
 public:
  using Copier::Copier;

  void store(int, const Address& at) override {
    a_.uses_wide();
    a_.stream_line(vector().index, to_ + at);
  }
};

class Clearer final : public Filler {
 public:
  using Filler::Filler;

  void load(int width, const Address&) override {
    const Xbyak::Xmm low = vector().x();
    if (width < 16) return a_.xor_(general().cvt32(), general().cvt32());
    a_.serving(Purpose::Zeros, [&] { a_.isa.avx2 ? a_.vpxor(low, low, low) : a_.pxor(low, low); });
  }
};

// The widest piece that fits into `bytes`. Below two of the widest kind, half of it mostly crosses
// fewer lines.
int widest(const Assembler& a, std::int64_t bytes) {
  int width = a.isa.vector_bytes();
  if (width == 64 && bytes > 64 && bytes < 128 && !a.isa.whole) width = 32;
  while (width > bytes) width /= 2;
  return width;
}

// The smallest piece that covers `bytes`.
int covering(std::int64_t bytes) {
  int width = 1;
  while (width < bytes) width *= 2;
  return width;
}

// Whole pieces from the front, then one that ends with the run and may overlap.
void fill_static(Assembler& a, Filler& filler, std::int64_t bytes, const Address& base = {}) {
  const int width = widest(a, bytes);
  const auto at = [&](std::int64_t offset) { return base + offset; };
  std::int64_t done = 0;
  for (; bytes - done >= width; done += width) filler.move(width, at(done));
  if (done == bytes) return;
  const int last = covering(bytes - done);
  filler.move(last, at(bytes - last));
}

// As much at a time as short runs have: loads that come again after less have the hardware fetch
// beyond the end of a row what nobody reads.
void fill_static_loop(Assembler& a, Filler& filler, std::int64_t bytes) {
  const std::int64_t step = kUnrolled * a.isa.vector_bytes();
  const std::int64_t whole = bytes / step * step;
  if (whole == step) {
    fill_static(a, filler, step);
    if (bytes > step) fill_static(a, filler, bytes - step, Address() + step);
    return;
  }
  Label again;
  a.serving(Purpose::FirstByte, [&] { a.xor_(a.eax, a.eax); });
  a.L(again);
  fill_static(a, filler, step, Address(a.rax));
  a.add(a.rax, static_cast<int>(step));
  a.compare(a.rax, whole);
  a.jb(again);
  if (bytes > whole) fill_static(a, filler, bytes - whole, Address(a.rax));
}

// rax holds the length. At least `pieces` whole vectors: as many at a time from the front, then
// once more where the run ends.
void fill_long(Assembler& a, Filler& filler, int pieces) {
  const int step = a.isa.vector_bytes() * pieces;
  Label again;
  Label last;
  const Loan loan = a.take();
  const Reg64 at = loan.reg();
  a.sub(a.rax, step);
  a.xor_(at.cvt32(), at.cvt32());
  a.L(again);
  a.cmp(at, a.rax);
  a.jae(last);
  fill_static(a, filler, step, Address(at));
  a.add(at, step);
  a.serving(Purpose::LongerRuns, [&] { a.jmp(again); });
  a.L(last);
  a.serving_if(pieces > 1, Purpose::LastPieces,
               [&] { fill_static(a, filler, step, Address(a.rax)); });
}

// rax holds a length of at least `width` and less than twice that.
void fill_pair(Assembler& a, Filler& filler, int width) {
  filler.move(width, {});
  filler.move(width, Address(a.rax) + -width);
}

// rax holds the length.
void fill_counted(Assembler& a, Filler& filler, int granule) {
  Label done;
  granule = std::min(granule, a.isa.vector_bytes());
  for (int width = a.isa.vector_bytes(); width >= granule; width /= 2) {
    Label smaller;
    a.cmp(a.rax, width);
    a.jb(smaller, Assembler::T_NEAR);
    if (width == a.isa.vector_bytes()) {
      fill_long(a, filler, 1);
    } else {
      a.serving_if(width == granule, Purpose::OnePiece, [&] { fill_pair(a, filler, width); });
    }
    a.serving(Purpose::SmallerRuns, [&] { a.jmp(done, Assembler::T_NEAR); });
    a.L(smaller);
  }
  a.L(done);
}

void fill(Assembler& a, Filler& filler, const Amount& run, int granule) {
  if (!run.is_static()) {
    a.load(a.rax, run);
    return fill_counted(a, filler, granule);
  }
  if (run.factor == 0) return;
  is_short_run(a, run) ? fill_static(a, filler, run.factor)
                       : fill_static_loop(a, filler, run.factor);
}

// All of one width.
void fill_pieces(Filler& filler, int width, int count, const Address& base) {
  for (int i = 0; i < count; ++i) filler.move(width, base + i * width);
}

void fill_ends(Filler& filler, const Ends& ends) {
  const int back = ends.width * ends.back;
  fill_pieces(filler, ends.width, ends.front, {});
  fill_pieces(filler, ends.width, ends.back, Address(ends.run) + -back);
}

// The instruction wants its own three registers; whoever else holds them gets them back.
void copy_string(Assembler& a, const LongCopy& copy) {
  const std::array held = {Reg64(a.rcx), Reg64(a.rsi), Reg64(a.rdi)};
  for (std::size_t i = 0; i < held.size(); ++i) a.mov(a.string_save(i), held[i]);
  a.mov(a.rax, copy.to);
  a.mov(a.rdx, copy.from);
  a.load(a.rcx, copy.run);
  a.serving_if(copy.to.getIdx() == a.rdi.getIdx(), Purpose::SameAddress,
               [&] { a.mov(a.rdi, a.rax); });
  a.serving_if(copy.from.getIdx() == a.rsi.getIdx(), Purpose::SameAddress,
               [&] { a.mov(a.rsi, a.rdx); });
  a.rep();
  a.movsb();
  a.serving(Purpose::StringCount, [&] { a.mov(held[0], a.string_save(0)); });
  for (std::size_t i = 1; i < held.size(); ++i) a.mov(held[i], a.string_save(i));
}

// Lets long runs go by the string instruction, the others by `otherwise`.
template <class Otherwise>
void copy_by_length(Assembler& a, const LongCopy& copy, Otherwise&& otherwise) {
  const std::int64_t least = copy.run.is_static() ? copy.run.factor : copy.least;
  const bool is_long = least >= copy.string_from;
  if (copy.string_from == 0 || (copy.run.is_static() && !is_long)) return otherwise();
  if (is_long) return copy_string(a, copy);
  Label shorter, done;
  a.serving(Purpose::StringTest, [&] {
    a.load(a.rax, copy.run);
    a.load_constant(a.rdx, copy.string_from);
    a.cmp(a.rax, a.rdx);
    a.jb(shorter, Assembler::T_NEAR);
  });
  copy_string(a, copy);
  a.serving(Purpose::StringTest, [&] { a.jmp(done, Assembler::T_NEAR); });
  a.L(shorter);
  otherwise();
  a.L(done);
}

}  // namespace

bool is_short_run(const Assembler& a, const Amount& run) {
  return run.is_static() && run.factor <= kUnrolled * a.isa.vector_bytes();
}

void copy_short(Assembler& a, const RegExp& to, const RegExp& from, std::int64_t bytes) {
  Copier copier(a, Address(to), Address(from));
  fill_static(a, copier, bytes);
}

void copy_by_halves(Assembler& a, const RegExp& to, const RegExp& from, std::int64_t bytes) {
  HalfReader reader(a, Address(to), Address(from));
  fill_static(a, reader, bytes);
}

void clear_short(Assembler& a, const RegExp& to, std::int64_t bytes) {
  Clearer clearer(a, Address(to));
  fill_static(a, clearer, bytes);
}

void copy_ends(Assembler& a, const RegExp& to, const RegExp& from, const Ends& ends) {
  Copier copier(a, Address(to), Address(from));
  fill_ends(copier, ends);
}

void clear_ends(Assembler& a, const RegExp& to, const Ends& ends) {
  Clearer clearer(a, Address(to));
  fill_ends(clearer, ends);
}

void copy_run(Assembler& a, const LongCopy& copy) {
  copy_by_length(a, copy, [&] {
    Copier copier(a, Address(copy.to), Address(copy.from));
    fill(a, copier, copy.run, copy.granule);
  });
}

void clear_run(Assembler& a, const Reg64& to, const Amount& run, int granule) {
  Clearer clearer(a, Address(to));
  fill(a, clearer, run, granule);
}

void clear_counted(Assembler& a, const Reg64& to, int granule) {
  Clearer clearer(a, Address(to));
  fill_counted(a, clearer, granule);
}

void copy_long(Assembler& a, const LongCopy& copy) {
  copy_by_length(a, copy, [&] {
    Copier copier(a, Address(copy.to), Address(copy.from));
    a.load(a.rax, copy.run);
    fill_long(a, copier, kLongStep);
  });
}

void clear_long(Assembler& a, const Reg64& to, const Amount& run) {
  Clearer clearer(a, Address(to));
  a.load(a.rax, run);
  fill_long(a, clearer, kLongStep);
}

void stream_short(Assembler& a, const RegExp& to, const RegExp& from, std::int64_t bytes) {
  Streamer streamer(a, Address(to), Address(from));
  fill_static(a, streamer, bytes);
}

void stream_run(Assembler& a, const LongCopy& copy) {
  Streamer streamer(a, Address(copy.to), Address(copy.from));
  fill_static_loop(a, streamer, copy.run.factor);
}

}  // namespace pto::jit::xbyak

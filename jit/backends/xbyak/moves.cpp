#include "jit/backends/xbyak/moves.h"

#include <bit>
#include <cstring>

namespace pto::jit::xbyak {
namespace {

constexpr std::size_t kLongest = 16;  // more than an instruction takes
constexpr int kSp = Xbyak::Operand::RSP;
constexpr int kBp = Xbyak::Operand::RBP;

// The fourth bit of a register's number, which is told apart from the lower three.
constexpr int upper(int reg) { return reg == Address::kNone ? 0 : reg >> 3 & 1; }
constexpr bool fits_byte(std::int64_t value) { return value >= INT8_MIN && value <= INT8_MAX; }
constexpr int number_of(const Xbyak::Reg& reg) {
  return reg.getBit() != 0 ? reg.getIdx() : Address::kNone;
}
constexpr int prefix_bits(std::uint8_t prefix) {
  return prefix == 0x66 ? 1 : prefix == 0xf3 ? 2 : 0;
}

}  // namespace

Address::Address(const Xbyak::RegExp& sum)
    : base(number_of(sum.getBase())),
      index(number_of(sum.getIndex())),
      scale(index != kNone ? sum.getScale() : 1),
      offset(static_cast<std::int64_t>(sum.getDisp())) {}

// The second of two bases is an index.
Address operator+(const Address& one, const Address& other) {
  Address out = one;
  out.offset += other.offset;
  for (const auto& [reg, scale] : {std::pair(other.base, 1), std::pair(other.index, other.scale)}) {
    if (reg == Address::kNone) continue;
    if (out.base == Address::kNone && scale == 1) {
      out.base = reg;
      continue;
    }
    if (out.index != Address::kNone) throw Xbyak::Error(Xbyak::ERR_BAD_ADDRESSING);
    out.index = reg;
    out.scale = scale;
  }
  return out;
}

Moves::Code Moves::code_of(const Piece& piece, bool loads) {
  const std::uint8_t vector = loads ? 0x6f : 0x7f;
  switch (piece.width) {
    case 64: return {Encoding::Evex, 0xf3, true, true, vector};
    case 32: return {Encoding::Vex256, 0xf3, true, false, vector};
    case 16:
      return {piece.has_avx ? Encoding::Vex128 : Encoding::Legacy, 0xf3, true, false, vector};
    case 8: return {.is_wide = true, .opcode = static_cast<std::uint8_t>(loads ? 0x8b : 0x89)};
    case 4: return {.opcode = static_cast<std::uint8_t>(loads ? 0x8b : 0x89)};
    case 2:
      return loads ? Code{.is_extended = true, .opcode = 0xb7}
                   : Code{.prefix = 0x66, .opcode = 0x89};
    default: return loads ? Code{.is_extended = true, .opcode = 0xb6} : Code{.opcode = 0x88};
  }
}

void Moves::load_piece(const Piece& piece, const Address& from) {
  write(code_of(piece, true), piece.reg, from);
}
void Moves::store_piece(const Piece& piece, const Address& to) {
  write(code_of(piece, false), piece.reg, to);
}
void Moves::stream_line(int vector, const Address& to) {
  write({Encoding::Evex, 0x66, true, false, 0xe7}, vector, to);
}

void Moves::load_upper(int vector, const Address& from) {
  Xbyak::RegExp at = Xbyak::Reg64(from.base) + static_cast<int>(from.offset);
  if (from.index != Address::kNone) at = at + Xbyak::Reg64(from.index) * from.scale;
  vinserti64x4(Xbyak::Zmm(vector), Xbyak::Zmm(vector), ptr[at], 1);
}

void Moves::ask_line(Wanted wanted, const Address& at) {
  switch (wanted) {
    case Wanted::First: return write({.is_extended = true, .opcode = 0x18}, 1, at);
    case Wanted::Second: return write({.is_extended = true, .opcode = 0x18}, 2, at);
    case Wanted::Written: return write({.is_extended = true, .opcode = 0x0d}, 1, at);
  }
}

void Moves::load_whole(const Xbyak::Reg64& reg, const Address& from) {
  write({.is_wide = true, .opcode = 0x8b}, reg.getIdx(), from);
}
void Moves::add_whole(const Xbyak::Reg64& reg, const Address& from) {
  write({.is_wide = true, .opcode = 0x03}, reg.getIdx(), from);
}
void Moves::compare_whole(const Xbyak::Reg64& reg, const Address& with) {
  write({.is_wide = true, .opcode = 0x3b}, reg.getIdx(), with);
}

void Moves::write(const Code& code, int reg, const Address& at) {
  if (at.base == Address::kNone || at.index == kSp) throw Xbyak::Error(Xbyak::ERR_BAD_ADDRESSING);
  if (at.offset != static_cast<std::int32_t>(at.offset))
    throw Xbyak::Error(Xbyak::ERR_OFFSET_IS_TOO_BIG);
  if (maxSize_ - size_ < kLongest) throw Xbyak::Error(Xbyak::ERR_CODE_IS_TOO_BIG);
  switch (code.encoding) {
    case Encoding::Legacy: return put_legacy(code, reg, at);
    case Encoding::Vex128:
    case Encoding::Vex256: return put_vex(code, reg, at);
    case Encoding::Evex: return put_evex(code, reg, at);
  }
}

// Of the lower general registers, one of which bytes are stored has them without a prefix too.
void Moves::put_legacy(const Code& code, int reg, const Address& at) {
  const int rex = (code.is_wide ? 8 : 0) | upper(reg) << 2 | upper(at.index) << 1 | upper(at.base);
  const bool stores_byte = code.opcode == 0x88 && !code.is_extended;
  if (code.prefix != 0) put(code.prefix);
  if (rex != 0 || (stores_byte && reg >= kSp)) put(0x40 | rex);
  if (code.is_extended) put(0x0f);
  put(code.opcode);
  put_operands(reg, at, 1);
}

void Moves::put_vex(const Code& code, int reg, const Address& at) {
  const int length = code.encoding == Encoding::Vex256 ? 4 : 0;
  const int last = 0x78 | length | prefix_bits(code.prefix);
  const int r = upper(reg) != 0 ? 0 : 0x80;
  if (upper(at.index) == 0 && upper(at.base) == 0) {
    put(0xc5);
    put(r | last);
  } else {
    put(0xc4);
    put(r | (upper(at.index) != 0 ? 0 : 0x40) | (upper(at.base) != 0 ? 0 : 0x20) | 1);
    put(last);
  }
  put(code.opcode);
  put_operands(reg, at, 1);
}

// Whole vectors of 64 bytes, without a mask.
void Moves::put_evex(const Code& code, int reg, const Address& at) {
  constexpr int kLine = 64;
  const int inverted = (upper(reg) << 7 | upper(at.index) << 6 | upper(at.base) << 5) ^ 0xe0;
  put(0x62);
  put(inverted | (reg < 16 ? 0x10 : 0) | 1);
  put((code.is_wide ? 0x80 : 0) | 0x7c | prefix_bits(code.prefix));
  put(0x48);
  put(code.opcode);
  put_operands(reg, at, kLine);
}

// An offset is left out, one byte that counts by `unit`, or four.
void Moves::put_operands(int reg, const Address& at, int unit) {
  const bool has_none = at.offset == 0 && (at.base & 7) != kBp;
  const bool is_short = at.offset % unit == 0 && fits_byte(at.offset / unit);
  const int mode = has_none ? 0 : is_short ? 0x40 : 0x80;
  const bool has_index = at.index != Address::kNone;
  const int low = (reg & 7) << 3;
  if (has_index || (at.base & 7) == kSp) {
    const int scale = std::countr_zero(static_cast<unsigned>(at.scale)) << 6;
    put(mode | low | kSp);
    put((has_index ? scale | (at.index & 7) << 3 : kSp << 3) | (at.base & 7));
  } else {
    put(mode | low | (at.base & 7));
  }
  if (mode == 0x40) put(static_cast<int>(at.offset / unit));
  if (mode != 0x80) return;
  const auto bytes = static_cast<std::int32_t>(at.offset);
  std::memcpy(top_ + size_, &bytes, sizeof bytes);
  size_ += sizeof bytes;
}

}  // namespace pto::jit::xbyak

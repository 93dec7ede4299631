// The instructions that kernels have most of, moves between registers and memory, as bytes. The
// library's operands are made of bit fields, and take ten times as long as what is made of them.
#pragma once

#include <cstdint>

#include "jit/backends/xbyak/jumps.h"

namespace pto::jit::xbyak {

// Registers by their numbers, and bytes behind their sum.
struct Address {
  static constexpr int kNone = -1;

  Address() = default;
  explicit Address(const Xbyak::Reg64& reg) : base(reg.getIdx()) {}
  explicit Address(const Xbyak::RegExp& sum);

  int base = kNone;
  int index = kNone;
  int scale = 1;
  std::int64_t offset = 0;
};
Address operator+(const Address& one, const Address& other);
inline Address operator+(Address at, std::int64_t bytes) {
  at.offset += bytes;
  return at;
}

class Moves : public Jumps {
 public:
  using Jumps::Jumps;

  // `width` bytes, a power of two up to 64, of register `reg`: a vector from 16 on, else a general
  // one, of which a load of one or two clears the rest. With AVX, vectors of 16 have its encoding.
  struct Piece {
    int width;
    int reg;
    bool has_avx;
  };
  void load_piece(const Piece& piece, const Address& from);
  void store_piece(const Piece& piece, const Address& to);
  void stream_line(int vector, const Address& to);   // around the caches
  void load_upper(int vector, const Address& from);  // its upper 32 bytes of 64

  // A line that will be wanted: in the first cache, from the second on, or to be written.
  enum class Wanted : std::uint8_t { First, Second, Written };
  void ask_line(Wanted wanted, const Address& at);

  // `reg`, all of it, becomes, grows by, or is compared with what is there.
  void load_whole(const Xbyak::Reg64& reg, const Address& from);
  void add_whole(const Xbyak::Reg64& reg, const Address& from);
  void compare_whole(const Xbyak::Reg64& reg, const Address& with);

 private:
  enum class Encoding : std::uint8_t { Legacy, Vex128, Vex256, Evex };
  struct Code {
    Encoding encoding = Encoding::Legacy;
    std::uint8_t prefix = 0;   // 0x66, 0xf3 or nothing
    bool is_extended = false;  // by 0x0f
    bool is_wide = false;      // W
    std::uint8_t opcode = 0;
  };
  static Code code_of(const Piece& piece, bool loads);
  void write(const Code& code, int reg, const Address& at);
  void put_legacy(const Code& code, int reg, const Address& at);
  void put_vex(const Code& code, int reg, const Address& at);
  void put_evex(const Code& code, int reg, const Address& at);
  void put_operands(int reg, const Address& at, int unit);
  void put(int value) { top_[size_++] = static_cast<std::uint8_t>(value); }
};

}  // namespace pto::jit::xbyak

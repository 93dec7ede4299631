// Which vector register holds what. The first four are free for runs in flight, and the first two
// hold the table's and the tile's elements when they are combined.
#pragma once

namespace pto::jit::xbyak {

inline constexpr int kRound = 6;  // 0x7fff and 1, with which bf16 is rounded
inline constexpr int kOdd = 7;
inline constexpr int kWork = 8;       // the group's lanes
inline constexpr int kSpare = 9;      // what is worked out about them
inline constexpr int kTableLow = 10;  // a table in registers
inline constexpr int kTableHigh = 11;
inline constexpr int kLive = 12;  // without mask registers: lanes that count, else a shift for each
inline constexpr int kBias = 13;  // 2^31, which makes signed lanes of unsigned ones
inline constexpr int kLast = 14;  // capacity - 1
inline constexpr int kLimit = 15;  // capacity

// With AVX-512 only.
inline constexpr int kDivisor = 16;  // the capacity and its inverse, as doubles
inline constexpr int kInverse = 17;
inline constexpr int kReach = 18;  // the last slot a whole 32-bit lane can be read from
inline constexpr int kShift = 19;  // bits of a lane below the element wanted
inline constexpr int kLow = 20;    // 31, the bits that count in a shift

}  // namespace pto::jit::xbyak

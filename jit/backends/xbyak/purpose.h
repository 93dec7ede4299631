// What stretches of generated code are there for, where that cannot be told from what they do:
// code that may be missing and the kernel still do the same. Noted while it is written, for those
// who ask (tests do); nothing is kept for anybody else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace pto::jit::xbyak {

enum class Purpose : std::uint8_t {
  // Loops.
  KnownCount,   // a test of a count that is known while it is written
  ZeroCount,    // a test for no indices, in front of loops that find out themselves
  FasterPath,   // a way into or back to a loop that takes more at once
  Singles,      // the loop over single indices, kept for groups that are refused
  BlockWidth,   // a block's columns cut to those there are
  RepeatsCopy,  // a jump over code that would move the same again

  // Amounts.
  Gate,         // whether anything moves
  GateValue,    // what that depends on
  Factor,       // the constant part of an amount
  ZeroDivisor,  // the divisor in place of zero
  Multiplier,   // of a runtime divisor
  Dividend,     // the upper half of what is divided

  // Groups.
  SomeLeft,     // a test for indices behind whole groups
  RestBits,     // ones for the lanes of a rest
  HugeTable,    // refuses groups for capacities beyond 32 bits
  FarPlaces,    // refuses groups for places beyond 31 bits
  SmallTable,   // refuses groups for capacities too small to gather from
  AllInside,    // whether all lanes are in range already
  StripTest,    // whether there are enough indices for a strip
  StripLength,  // how many it takes
  StripStep,    // on to its next vector
  StripRest,    // what is behind the last one
  AllLive,      // whether all lanes count
  NoneInside,   // whether all of a group go aside
  NoneLeft,     // whether no lane is left to be cleared
  AsideZeros,   // what units out of range find aside
  AsideOwn,     // a lane's own memory there
  AsideLine,    // that it begins with a line
  WholeBatch,   // whether a batch can be combined at once
  GatherFrom,   // what lanes hold that are not gathered
  GatherReach,  // the last slot a whole lane can be read from

  // Runs.
  WayTest,      // which way of copying is taken
  WayDone,      // a jump over a way that is for another length
  StreamTest,   // whether stores go around the caches
  StreamRow,    // whether a row has a whole line for that
  StreamWay,    // stores that do
  StreamEnds,   // how much of a line lies before or behind whole ones
  StringTest,   // whether a string instruction copies
  StringCount,  // gives back the register a string instruction counts in
  SameAddress,  // an address copied to where it came from
  SmallerRuns,  // a jump over the code for smaller runs
  LongerRuns,   // back to whole vectors of a run
  LastPieces,   // several pieces that end with a run
  OnePiece,     // two pieces of the smallest size
  FirstByte,    // a loop over a run begins
  Zeros,        // makes what a run is cleared with
  ClearsFar,    // how much of a row or tile is cleared, where that may be too much
  ClearsEarly,  // where clearing begins that may begin too soon, before it is written

  // Rows ahead of time.
  PrefetchFrom,  // from how many indices on
  PrefetchTest,  // whether there are so many

  // Newest first.
  Order,       // which of two walks is taken
  OldestLast,  // the walk that goes forward after all
  Backward,    // the walk newest first
  NoIndices,   // nothing to begin with
  EarlyEnd,    // all slots have been seen
  SeenWords,   // how many words of bits there are
  SeenWord,    // which word a slot's bit is in
  Unchecked,   // an index out of range that nothing checks

  // Audits.
  Hash,       // where in a hash table a slot begins
  NextEntry,  // of the hash table

  // Halves as floats.
  Infinite,   // an exponent that needs no multiplication
  UpperHalf,  // bits that are not stored
};

struct Stretch {
  Purpose purpose;
  std::size_t begin;
  std::size_t end;
};
using Stretches = std::vector<Stretch>;

}  // namespace pto::jit::xbyak

// When each pipe of an emulated run does what, as far as the waits let it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "jit/checks/emulation/run_record.h"

namespace pto::jit::cli {

// Times count blocks of 32 bytes, of no device.
struct Slice {
  std::size_t track = 0;
  std::string what = {};
  std::uint64_t at = 0;
  std::uint64_t blocks = 1;
  std::size_t operation = 0;  // its number in the run, from 1; 0: a flag or a barrier
  std::vector<Touch> touches = {};
};

// From the block in which a flag is set to the one in which it is seen.
struct Arrow {
  std::size_t from = 0;  // tracks
  std::size_t to = 0;
  std::uint64_t set = 0;
  std::uint64_t seen = 0;
};

struct Schedule {
  std::vector<std::string> tracks = {};  // pipes, in the order data pass them
  std::vector<Slice> slices = {};
  std::vector<Arrow> arrows = {};

  std::uint64_t end() const;
};

// An operation takes as long as it has blocks to read or write, and at least one; a pipe starts
// when it is free and has met whom it waits for.
Schedule schedule_of(const RunRecord& record);

}  // namespace pto::jit::cli

// How a kernel whose tiles exceed local memory is cut into calls that do not, with its meaning
// kept.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "ir/spec.h"
#include "targets/profile.h"

namespace pto::jit {

enum class ChunkAxis : std::uint8_t { Whole, Rows, Columns, BlockColumns };

struct Chunking {
  ChunkAxis axis = ChunkAxis::Whole;
  std::int64_t step = 0;    // rows, columns or block columns of one call
  std::int64_t chunks = 1;  // calls, when the valid extents are as large as they can be
  std::int64_t bytes = 0;   // local memory of one call

  bool operator==(const Chunking&) const = default;
};

// Bytes of all tiles, each padded to 32.
std::int64_t footprint(const KernelSpec& spec);

// Nothing when the kernel cannot be cut small enough.
std::optional<Chunking> chunking_of(const KernelSpec& spec, const Profile& profile);

// "2 calls of 512 rows"
std::string describe(const Chunking& chunking);

}  // namespace pto::jit

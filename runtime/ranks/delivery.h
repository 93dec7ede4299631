// Delivery: one scatter to ranks some of which are out of the root's reach. Those in reach are
// written by a kernel; the data of the others go out piece by piece through a carrier.
#pragma once

#include <cstddef>
#include <cstdint>

#include "ir/result.h"
#include "ir/spec.h"
#include "runtime/kernel.h"
#include "runtime/ranks/layout.h"
#include "runtime/ranks/parallel_group.h"
#include "runtime/ranks/sending_times.h"

namespace pto::jit {

// What brings bytes into the destination of a rank that is out of reach.
class Carrier {
 public:
  virtual ~Carrier() = default;

  // Starts to bring what lies at `from` to `offset` bytes behind the start of the destination. Both
  // sides have as many elements.
  virtual Result<Done> put(std::int32_t rank, const std::byte* from, const Layout& origin,
                           std::int64_t offset, const Layout& target) = 0;

  // Returns when memory that was put to the rank may be written again.
  virtual Result<Done> drain(std::int32_t rank) = 0;

  // Returns when everything has arrived.
  virtual Result<Done> finish() = 0;
};

// A scatter with every '?' filled in, and kernels for parts of it, each with its spec, whose ranks
// are one.
struct Delivery {
  KernelSpec bound;
  const std::byte* source = nullptr;
  KernelSpec slice_spec;  // one rank's part, to its place
  Kernel slice;
  KernelSpec pack_spec;  // a piece of any extents, to packed memory
  Kernel pack;
  Sending sending = Sending::Measured;
};

// Nothing has been put when there is not enough memory for the stage. `times` are what earlier
// deliveries by such a carrier have measured, and gets what this one does.
Result<Done> deliver(const ParallelGroup& group, const Delivery& delivery, Carrier& carrier,
                     SendingTimes& times);

}  // namespace pto::jit

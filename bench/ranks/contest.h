// Contestants that take turns, on one rank or on all, and what they share.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "ir/diagnostic.h"
#include "ir/result.h"
#include "ir/spec.h"
#include "jit/calls/buffer_view.h"
#include "runtime/large_buffer.h"

namespace pto::jit::bench {

int ranks();
bool is_root();

template <class T>
T must(Result<T> result) {
  if (result) return std::move(*result);
  std::fputs(render(result.error()).c_str(), stderr);
  std::abort();
}

// A line of the table, and what it times.
struct Contestant {
  std::string name;
  std::function<void()> work;
};

// The median time of each, in seconds. They take turns in an order that shifts, the same on every
// rank, and each begins after a round that is not timed: nobody finds the caches as one other
// left them. All ranks begin together.
std::vector<double> medians(const std::vector<Contestant>& contestants);

// GB/s of each, and its speed relative to the first.
void print_speeds(const std::string& title, const std::vector<Contestant>& contestants,
                  std::int64_t bytes);

// On large pages where the system has them, and touched.
struct Memory {
  explicit Memory(std::int64_t bytes);
  std::byte* data() const { return buffer.data(); }

  LargeBuffer buffer;
};

// Rows of `width` floats, `pitch` apart in the source and side by side at their destinations.
struct Shape {
  std::string name;
  std::int64_t rows;  // of a rank
  std::int64_t width;
  std::int64_t pitch;

  bool is_flat() const { return width == pitch; }
  std::int64_t part() const { return rows * width * 4; }  // bytes of a rank
};

// Inside the second cache, inside the third, and beyond it: contiguous, and rows of 512 bytes.
std::vector<Shape> shapes();

KernelSpec spec_of(const Shape& shape, int count);
Memory source_memory(const Shape& shape, int count);
BufferView view_of_source(const Memory& memory);

void measure_process();    // ranks of one process
void measure_processes();  // of several
void measure_sending();    // packed or in place, by put
void measure_messages();   // single puts and messages of two ranks
void measure_spread();     // a table spread over ranks

}  // namespace pto::jit::bench

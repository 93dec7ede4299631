// The arguments of a call through the C interface as they should be, and one change to them that a
// careless or hostile caller might make. What a caller owes is kept: memory is as long as it is
// said to be, and counts lie within their arrays.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "jit/doors/c/c.h"
#include "tests/support/deck.h"
#include "tests/support/workload.h"

namespace pto::jit::tests {

// What a call has to answer after a change.
enum class Answer : std::uint8_t {
  Same,     // it does what it did
  Refusal,  // a diagnostic, and nothing is written
  Either,
};

class DoorCall {
 public:
  // On the memory that `frame` points to, which is as large as the workload touches.
  DoorCall(const Workload& load, const Frame& frame);

  struct Change {
    std::string_view name;
    Answer (*make)(DoorCall& call, Random& random);
  };
  static std::span<const Change> changes();

  ptojit_status run(const ptojit_spec* spec, ptojit_diagnostics** why);

  // Indices that a change has overwritten are what they were.
  void restore();

 private:
  friend struct Changes;
  using Numbers = std::array<std::int64_t, 8>;

  const char* keep(std::string text) { return kept_.emplace_back(std::move(text)).c_str(); }
  void add(const MemoryOperand& operand, void* data);
  void describe(ptojit_buffer& buffer, const Table& table);
  ptojit_buffer& any_buffer(Random& random) { return buffers_[random.below(buffers_.size())]; }

  const Workload& load_;
  const Frame& frame_;
  std::deque<std::string> kept_;
  std::deque<Numbers> numbers_;
  std::vector<ptojit_buffer> buffers_;
  std::vector<ptojit_binding> bindings_;
  std::vector<std::byte> indices_;  // before they were changed
  ptojit_arguments arguments_ = {};
  ptojit_options options_ = {};
  bool has_arguments_ = true;
};

}  // namespace pto::jit::tests

// ParallelGroup: the ranks a root scatters to, each with a destination of one shape, as the root
// sees them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ir/result.h"
#include "ir/spec.h"

namespace pto::jit {

class ParallelGroup {
 public:
  // Each destination begins with its first element and holds all that `tensor` names, a table
  // without '?'. One without memory is out of the root's reach.
  static Result<ParallelGroup> make(const Table& tensor,
                                    std::span<const std::span<std::byte>> destinations,
                                    std::int32_t root);

  const Table& tensor() const { return tensor_; }
  std::int32_t size() const { return static_cast<std::int32_t>(destinations_.size()); }
  std::int32_t root() const { return root_; }

  std::byte* destination(std::int32_t rank) const { return at(rank).data(); }
  bool is_in_reach(std::int32_t rank) const { return destination(rank) != nullptr; }
  bool is_all_in_reach() const;

  // Of what `tensor` names, in bytes.
  std::int64_t bytes() const { return bytes_; }

  // A destination that shares memory with `other`; -1 when none does.
  std::int32_t overlapped_by(std::span<const std::byte> other) const;

 private:
  ParallelGroup() = default;
  const std::span<std::byte>& at(std::int32_t rank) const {
    return destinations_[static_cast<std::size_t>(rank)];
  }

  Table tensor_;
  std::int32_t root_ = 0;
  std::int64_t bytes_ = 0;
  std::vector<std::span<std::byte>> destinations_;
};

// What is wrong with such a tensor for any group; nothing is known of its ranks.
Result<Done> check_tensor(const Table& tensor);

// Up to behind the last element.
std::int64_t bytes_of(const Table& tensor);

}  // namespace pto::jit

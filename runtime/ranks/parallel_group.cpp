#include "runtime/ranks/parallel_group.h"

#include <algorithm>
#include <string>

#include "ir/quantity.h"

namespace pto::jit {
namespace {

Diagnostic refuse(const char* id, std::string message) {
  return error("group." + std::string(id), std::move(message));
}

bool overlap(std::span<const std::byte> a, std::span<const std::byte> b) {
  const auto first = reinterpret_cast<std::uintptr_t>(a.data());
  const auto second = reinterpret_cast<std::uintptr_t>(b.data());
  return !a.empty() && !b.empty() && first < second + b.size() && second < first + a.size();
}

}  // namespace

std::int64_t bytes_of(const Table& tensor) {
  return saturating_product(span_of(tensor).value, size_of(tensor.dtype));
}

Result<Done> check_tensor(const Table& tensor) {
  const auto is_open = [](auto value) { return value < 0; };
  if (std::ranges::any_of(tensor.shape, is_open) || std::ranges::any_of(tensor.strides, is_open))
    return refuse("shape", "a group's destinations have extents and strides that are known");
  if (tensor.layout != TableLayout::Nd)
    return refuse("layout", "a group's destinations are in ND layout");
  if (bytes_of(tensor) == kHuge) return refuse("shape", "a destination would be endless");
  return Done{};
}

Result<ParallelGroup> ParallelGroup::make(const Table& tensor,
                                          std::span<const std::span<std::byte>> destinations,
                                          std::int32_t root) {
  if (Result<Done> checked = check_tensor(tensor); !checked) return checked.error();
  if (destinations.empty()) return refuse("ranks", "a group has one rank at least");
  ParallelGroup group;
  group.tensor_ = tensor;
  group.root_ = root;
  group.bytes_ = bytes_of(tensor);
  group.destinations_.assign(destinations.begin(), destinations.end());
  if (root < 0 || root >= group.size()) {
    return refuse("root", "root is " + std::to_string(root) + " of " +
                              std::to_string(group.size()) + " ranks");
  }
  for (std::int32_t rank = 0; rank < group.size(); ++rank) {
    if (!group.is_in_reach(rank)) continue;
    const std::string name = "the destination of rank " + std::to_string(rank);
    const std::span<std::byte> memory = group.at(rank);
    if (std::ssize(memory) < group.bytes_) {
      return refuse("size", name + " has " + std::to_string(memory.size()) + " bytes and needs " +
                                std::to_string(group.bytes_));
    }
    const auto element = static_cast<std::uintptr_t>(size_of(tensor.dtype));
    if (reinterpret_cast<std::uintptr_t>(memory.data()) % element != 0)
      return refuse("alignment", name + " is not aligned to its elements");
    group.destinations_[static_cast<std::size_t>(rank)] =
        memory.first(static_cast<std::size_t>(group.bytes_));
  }
  for (std::int32_t rank = 1; rank < group.size(); ++rank) {
    const std::int32_t other = group.overlapped_by(group.at(rank));
    if (other < 0 || other == rank) continue;
    return refuse("overlap", "the destinations of ranks " + std::to_string(other) + " and " +
                                 std::to_string(rank) + " overlap");
  }
  return group;
}

bool ParallelGroup::is_all_in_reach() const {
  return std::ranges::none_of(destinations_,
                              [](const auto& memory) { return memory.data() == nullptr; });
}

std::int32_t ParallelGroup::overlapped_by(std::span<const std::byte> other) const {
  for (std::int32_t rank = 0; rank < size(); ++rank) {
    if (overlap(at(rank), other)) return rank;
  }
  return -1;
}

}  // namespace pto::jit

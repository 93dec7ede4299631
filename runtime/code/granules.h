// Which 64-byte granules of a stretch of memory are taken: one bit each. Neighbouring free granules
// are one free run by nature, so nothing has to be merged.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace pto::jit {

inline constexpr std::size_t kGranule = 64;  // bytes; also the alignment of every entry

constexpr std::size_t granules_of(std::size_t bytes) { return (bytes + kGranule - 1) / kGranule; }

class Granules {
 public:
  explicit Granules(std::size_t count);

  // The first granule of the first free run of `count`, now taken.
  std::optional<std::size_t> take(std::size_t count);
  void give_back(std::size_t first, std::size_t count);

 private:
  static constexpr std::size_t kWordBits = 64;

  std::size_t next_with(bool taken, std::size_t from, std::size_t end) const;
  void set(std::size_t first, std::size_t count, bool taken);

  std::size_t count_;
  std::size_t no_run_of_;  // runs this long are known to be missing
  std::vector<std::uint64_t> taken_;
};

}  // namespace pto::jit

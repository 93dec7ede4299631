// Who touched which byte last: the operation that wrote it, and for each pipe the last that read
// it. One log for each address space; pages of it appear as they are touched.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>

#include "pto/emulation/pipes.hpp"

namespace pto::emulation {

using OperationId = std::uint32_t;  // 0: none

// One instruction, or one run of scalar accesses with no synchronisation between.
struct Operation {
  const char* name = "";
  pipe_t pipe = PIPE_S;
  std::uint32_t time = 0;
  bool adds_atomically = false;
};

struct Touched {
  OperationId written_by = 0;
  std::array<OperationId, kPipes> read_by{};
};

class AccessLog {
 public:
  // `visit(touched, k)` for byte k of the range.
  template <typename Visit>
  void for_each_byte(std::uint64_t at, std::int64_t bytes, Visit visit) {
    for (std::int64_t k = 0; k < bytes; ++k) {
      const std::uint64_t address = at + static_cast<std::uint64_t>(k);
      visit(page_of(address)[address % kPageBytes], k);
    }
  }

 private:
  static constexpr std::uint64_t kPageBytes = 1024;
  using Page = std::array<Touched, kPageBytes>;

  Page& page_of(std::uint64_t address) {
    const std::uint64_t number = address / kPageBytes;
    if (recent_ != nullptr && number == recent_number_) return *recent_;
    std::unique_ptr<Page>& page = pages_[number];
    if (!page) page = std::make_unique<Page>();
    recent_ = page.get();
    recent_number_ = number;
    return *recent_;
  }

  std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_;
  Page* recent_ = nullptr;
  std::uint64_t recent_number_ = 0;
};

}  // namespace pto::emulation

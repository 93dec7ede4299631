// What the test and the program it runs on another machine tell each other: numbers and byte
// strings one after the other, both machines being little-endian with 64 bits.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "ir/operands.h"

namespace pto::jit::tests {

using Bytes = std::vector<std::byte>;

class Exchange {
 public:
  Exchange() = default;
  explicit Exchange(Bytes bytes) : bytes_(std::move(bytes)) {}

  void put(std::int64_t number) {
    const auto* from = reinterpret_cast<const std::byte*>(&number);
    bytes_.insert(bytes_.end(), from, from + sizeof number);
  }
  void put(const Bytes& bytes) {
    put(static_cast<std::int64_t>(bytes.size()));
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }

  std::int64_t take_number() {
    std::int64_t number = 0;
    std::memcpy(&number, advance(sizeof number), sizeof number);
    return number;
  }
  Bytes take_bytes() {
    const auto size = static_cast<std::size_t>(take_number());
    const std::byte* from = advance(size);
    return {from, from + size};
  }
  bool is_at_end() const { return at_ == bytes_.size(); }

  void save(const std::string& path) const {
    std::FILE* file = std::fopen(path.c_str(), "wb");
    if (!file || std::fwrite(bytes_.data(), 1, bytes_.size(), file) != bytes_.size()) fail(path);
    std::fclose(file);
  }
  static Exchange from_file(const std::string& path) {
    std::FILE* file = std::fopen(path.c_str(), "rb");
    if (!file) fail(path);
    Bytes bytes;
    std::array<std::byte, 65536> piece{};
    while (const std::size_t count = std::fread(piece.data(), 1, piece.size(), file)) {
      bytes.insert(bytes.end(), piece.begin(), piece.begin() + static_cast<std::ptrdiff_t>(count));
    }
    std::fclose(file);
    return Exchange(std::move(bytes));
  }

 private:
  const std::byte* advance(std::size_t size) {
    if (size > bytes_.size() - at_) fail("the exchange ends early");
    at_ += size;
    return bytes_.data() + at_ - size;
  }
  [[noreturn]] static void fail(const std::string& what) {
    std::perror(what.c_str());
    std::abort();
  }

  Bytes bytes_;
  std::size_t at_ = 0;
};

// One call of a kernel.
struct Call {
  struct Operand {
    std::int64_t field = -1;  // offset in the frame; -1: the kernel does not see it
    Bytes bytes;
  };
  std::int64_t kernel = 0;
  std::array<std::int64_t, kDims> extents{};
  std::vector<Operand> operands;
  std::vector<Bytes> ranks;
  std::int64_t scratch = 0;  // bytes
};

inline void put(Exchange& to, const Call& call) {
  to.put(call.kernel);
  for (const std::int64_t extent : call.extents) to.put(extent);
  to.put(static_cast<std::int64_t>(call.operands.size()));
  for (const Call::Operand& operand : call.operands) {
    to.put(operand.field);
    to.put(operand.bytes);
  }
  to.put(static_cast<std::int64_t>(call.ranks.size()));
  for (const Bytes& rank : call.ranks) to.put(rank);
  to.put(call.scratch);
}

inline Call take_call(Exchange& from) {
  Call call;
  call.kernel = from.take_number();
  for (std::int64_t& extent : call.extents) extent = from.take_number();
  call.operands.resize(static_cast<std::size_t>(from.take_number()));
  for (Call::Operand& operand : call.operands) {
    operand.field = from.take_number();
    operand.bytes = from.take_bytes();
  }
  call.ranks.resize(static_cast<std::size_t>(from.take_number()));
  for (Bytes& rank : call.ranks) rank = from.take_bytes();
  call.scratch = from.take_number();
  return call;
}

}  // namespace pto::jit::tests

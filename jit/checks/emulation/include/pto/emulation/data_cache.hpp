// The data cache that scalar and SIMT writes to global memory stay in. `dcci` cleans lines, `dsb`
// waits until cleaned lines have arrived; only then does anyone else see them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>

#include "pto/emulation/access_log.hpp"
#include "pto/emulation/device.hpp"

namespace pto::emulation {

class DataCache {
 public:
  enum class Stage : std::uint8_t { Absent, Dirty, Cleaned };

  struct Byte {
    std::byte value{};
    Stage stage = Stage::Absent;
    OperationId writer = 0;
  };

  void write(std::uint64_t address, std::byte value, OperationId writer) {
    byte_at(address) = {value, Stage::Dirty, writer};
  }

  // The byte if the cache holds a newer one than memory.
  std::optional<Byte> find(std::uint64_t address) const {
    const auto line = lines_.find(address / kLine);
    if (line == lines_.end()) return std::nullopt;
    const Byte& byte = line->second[address % kLine];
    if (byte.stage == Stage::Absent) return std::nullopt;
    return byte;
  }

  // `may_clean(writer)` tells whether the write is complete by now; others stay dirty.
  template <typename MayClean>
  void clean_all(MayClean may_clean) {
    for (auto& [number, line] : lines_) clean(line, may_clean);
  }

  template <typename MayClean>
  void clean_line(std::uint64_t address, MayClean may_clean) {
    const auto line = lines_.find(address / kLine);
    if (line != lines_.end()) clean(line->second, may_clean);
  }

  // `arrive(address, value)` for each cleaned byte, which then is memory's.
  template <typename Arrive>
  void drain(Arrive arrive) {
    for (auto& [number, line] : lines_) {
      for (std::uint64_t k = 0; k < kLine; ++k) {
        if (line[k].stage != Stage::Cleaned) continue;
        arrive(number * kLine + k, line[k].value);
        line[k] = {};
      }
    }
  }

  template <typename Visit>
  void for_each_held(Visit visit) const {
    for (const auto& [number, line] : lines_) {
      for (std::uint64_t k = 0; k < kLine; ++k) {
        if (line[k].stage != Stage::Absent) visit(number * kLine + k, line[k]);
      }
    }
  }

 private:
  static constexpr std::uint64_t kLine = kCacheLineBytes;
  using Line = std::array<Byte, kLine>;

  Byte& byte_at(std::uint64_t address) { return lines_[address / kLine][address % kLine]; }

  template <typename MayClean>
  static void clean(Line& line, MayClean may_clean) {
    for (Byte& byte : line) {
      if (byte.stage == Stage::Dirty && may_clean(byte.writer)) byte.stage = Stage::Cleaned;
    }
  }

  std::map<std::uint64_t, Line> lines_;  // ordered, so that reports are
};

}  // namespace pto::emulation

// The devices, the simulator that the library offers on a host, and the sizes that every part of
// the emulation agrees on. Bytes unless a name says otherwise.
#pragma once

#include <cstdint>
#include <string>

namespace pto::emulation {

enum class Device : std::uint8_t { A2A3, A5, Simulator };

constexpr std::int64_t kBlockBytes = 32;
constexpr std::int64_t kNzBlockRows = 16;
constexpr std::int64_t kRepeatBlocks = 8;  // that one vector instruction of A2/A3 takes at a time
constexpr std::int64_t kCacheLineBytes = 64;
constexpr std::int64_t kBurstLimit = 4096;  // one transfer of A2/A3 takes fewer bursts than this

// What a launch on A5 may use without asking for more.
constexpr std::int64_t kUbWithoutRequest = 128 * 1024;

// A5 has 256 KB, of which 8 KB are reserved and at least 32 KB are the data cache's.
constexpr std::int64_t ub_capacity(Device device) {
  switch (device) {
    case Device::A2A3: return 192 * 1024;
    case Device::A5: return (256 - 8 - 32) * 1024;
    case Device::Simulator: return 512 * 1024;
  }
  return 0;
}

inline const char* name_of(Device device) {
  switch (device) {
    case Device::A2A3: return "A2/A3";
    case Device::A5: return "A5";
    case Device::Simulator: return "the simulator";
  }
  return "";
}

inline std::string hex(std::uint64_t value) {
  std::string digits;
  do {
    digits.insert(digits.begin(), "0123456789abcdef"[value % 16]);
    value /= 16;
  } while (value != 0);
  return "0x" + digits;
}

inline std::string hex(std::int64_t value) {
  return value < 0 ? "-" + hex(static_cast<std::uint64_t>(-value))
                   : hex(static_cast<std::uint64_t>(value));
}

}  // namespace pto::emulation

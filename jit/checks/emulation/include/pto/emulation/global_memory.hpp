// The global memory a kernel may touch: the buffers the harness registered, at their own host
// addresses, and nothing else.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "pto/emulation/device.hpp"

namespace pto::emulation {

constexpr std::byte kPoison{0xa5};

struct MemoryRegion {
  std::string name;
  std::byte* data = nullptr;
  std::uint64_t at = 0;
  std::int64_t bytes = 0;
  bool is_writable = true;

  bool holds(std::uint64_t address, std::int64_t count) const {
    if (address < at || count > bytes) return false;
    return address - at <= static_cast<std::uint64_t>(bytes - count);
  }
};

class GlobalMemory {
 public:
  void add(MemoryRegion region) {
    const std::uint64_t end = region.at + static_cast<std::uint64_t>(region.bytes);
    for (const MemoryRegion& other : regions_) {
      if (region.at < other.at + static_cast<std::uint64_t>(other.bytes) && other.at < end) {
        throw std::invalid_argument("memory '" + region.name + "' overlaps '" + other.name + "'");
      }
    }
    regions_.push_back(std::move(region));
  }

  const std::vector<MemoryRegion>& regions() const { return regions_; }

  // The region that holds the whole range, or null.
  const MemoryRegion* find(std::uint64_t address, std::int64_t bytes) const {
    for (const MemoryRegion& region : regions_) {
      if (region.holds(address, bytes)) return &region;
    }
    return nullptr;
  }

  // An address for people: relative to the region it lies in or, failing that, to the nearest one
  // that begins before it. Raw addresses differ from run to run.
  std::string describe(std::uint64_t address) const {
    const MemoryRegion* before = nullptr;
    for (const MemoryRegion& region : regions_) {
      if (region.holds(address, 1)) return spell(region, address);
      if (region.at <= address && (before == nullptr || region.at > before->at)) before = &region;
    }
    if (before != nullptr && address - before->at <= kNearby) return spell(*before, address);
    return "an address far from every registered memory";
  }

 private:
  static constexpr std::uint64_t kNearby = std::uint64_t{1} << 36;  // what a 32-bit slot reaches

  static std::string spell(const MemoryRegion& region, std::uint64_t address) {
    const std::string end = region.holds(address, 1) ? "" : ", beyond its end";
    return "'" + region.name + "' + " + hex(address - region.at) + end;
  }

  std::vector<MemoryRegion> regions_;
};

// The contents of global memory while a kernel runs. The buffers themselves hold poison meanwhile,
// so that a plain pointer reads garbage and what it writes is noticed; read-only ones are left
// alone. The contents go back when the image dies.
class GlobalImage {
 public:
  explicit GlobalImage(const GlobalMemory& memory) : memory_(memory) {
    for (const MemoryRegion& region : memory.regions()) {
      contents_.emplace_back(region.data, region.data + region.bytes);
      if (region.is_writable) std::fill_n(region.data, region.bytes, kPoison);
    }
  }
  ~GlobalImage() {
    for (std::size_t k = 0; k < contents_.size(); ++k) {
      const MemoryRegion& region = memory_.regions()[k];
      if (region.is_writable) std::copy(contents_[k].begin(), contents_[k].end(), region.data);
    }
  }
  GlobalImage(const GlobalImage&) = delete;
  GlobalImage& operator=(const GlobalImage&) = delete;
  GlobalImage(GlobalImage&&) = delete;
  GlobalImage& operator=(GlobalImage&&) = delete;

  // Of an address inside some region.
  std::byte& at(std::uint64_t address) {
    if (!memory_.regions()[recent_].holds(address, 1)) recent_ = index_of(address);
    return contents_[recent_][address - memory_.regions()[recent_].at];
  }

  // Regions that someone wrote to behind the emulation's back.
  std::vector<std::string> names_of_disturbed() const {
    std::vector<std::string> names;
    for (const MemoryRegion& region : memory_.regions()) {
      const auto is_poison = [](std::byte byte) { return byte == kPoison; };
      if (region.is_writable && !std::all_of(region.data, region.data + region.bytes, is_poison)) {
        names.push_back(region.name);
      }
    }
    return names;
  }

 private:
  std::size_t index_of(std::uint64_t address) const {
    return static_cast<std::size_t>(memory_.find(address, 1) - memory_.regions().data());
  }

  const GlobalMemory& memory_;
  std::vector<std::vector<std::byte>> contents_;
  std::size_t recent_ = 0;
};

inline std::uint64_t address_of(const volatile void* pointer) {
  return static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(pointer));
}

}  // namespace pto::emulation

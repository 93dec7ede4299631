// The unified buffer: its bytes, and which live tiles lie where. A tile must be aligned, inside,
// within what the launch asked for, and apart from the others.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "pto/emulation/device.hpp"
#include "pto/emulation/element.hpp"
#include "pto/emulation/global_memory.hpp"
#include "pto/emulation/report.hpp"

namespace pto::emulation {

enum class TileLayout : std::uint8_t { RowMajor, ColMajor, Nz };

// What a tile's bytes are. Two tiles of one storage type at one offset are views of one storage,
// with different valid extents; anything else that shares bytes is an overlap.
struct StorageType {
  Element element = Element::I8;
  TileLayout layout = TileLayout::RowMajor;
  std::int64_t rows = 0;
  std::int64_t cols = 0;

  constexpr std::int64_t bytes() const { return rows * cols * size_of(element); }

  bool operator==(const StorageType& other) const {
    return element == other.element && layout == other.layout && rows == other.rows &&
           cols == other.cols;
  }
};

class LocalMemory {
 public:
  LocalMemory(Device device, std::int64_t dynamic_bytes)
      : device_(device),
        requested_(dynamic_bytes),
        bytes_(static_cast<std::size_t>(ub_capacity(device)), kPoison) {}

  std::int64_t capacity() const { return ub_capacity(device_); }
  bool holds(std::int64_t at, std::int64_t count) const {
    return at >= 0 && count <= capacity() && at <= capacity() - count;
  }
  std::byte* pointer_to(std::int64_t at) { return bytes_.data() + at; }

  void place(const void* owner, std::int64_t at, const StorageType& type, Reports& reports) {
    remove(owner);
    const Placement placement{owner, at, type};
    check_range(placement, reports);
    for (const Placement& other : placements_) check_apart(placement, other, reports);
    placements_.push_back(placement);
  }

  void remove(const void* owner) {
    const auto is_owned = [owner](const Placement& each) { return each.owner == owner; };
    placements_.erase(std::remove_if(placements_.begin(), placements_.end(), is_owned),
                      placements_.end());
  }

  // The lowest offset at which a tile touches no live one.
  std::int64_t find_room(const StorageType& type) const {
    std::int64_t at = 0;
    for (std::size_t k = 0; k < placements_.size(); ++k) {
      for (const Placement& other : placements_) {
        if (at < other.end() && other.at < at + padded(type)) at = other.end();
      }
    }
    return at;
  }

 private:
  static std::int64_t padded(const StorageType& type) {
    return (type.bytes() + kBlockBytes - 1) / kBlockBytes * kBlockBytes;
  }

  struct Placement {
    const void* owner = nullptr;
    std::int64_t at = 0;
    StorageType type;

    std::int64_t end() const { return at + padded(type); }
    std::string range() const { return "[" + hex(at) + ", " + hex(end()) + ")"; }
  };

  void check_range(const Placement& tile, Reports& reports) const {
    if (tile.at % kBlockBytes != 0) {
      reports.add(ReportKind::Misaligned,
                  "tile at " + hex(tile.at) + ": offsets are multiples of 32 bytes");
    }
    if (tile.at < 0 || tile.end() > capacity()) {
      reports.add(ReportKind::UbOverflow, "tile at " + tile.range() + ": " + name_of(device_) +
                                              " has " + hex(capacity()) + " bytes for tiles");
    } else if (device_ == Device::A5 && tile.end() > std::max(kUbWithoutRequest, requested_)) {
      reports.add(ReportKind::DynamicUb, "tile at " + tile.range() +
                                             ": beyond 128 KB the launch must pass at least " +
                                             std::to_string(tile.end()) + " bytes, it passed " +
                                             std::to_string(requested_));
    }
  }

  static void check_apart(const Placement& tile, const Placement& other, Reports& reports) {
    if (tile.at >= other.end() || other.at >= tile.end()) return;
    if (tile.at == other.at && tile.type == other.type) return;
    reports.add(ReportKind::TileOverlap,
                "tile at " + tile.range() + " overlaps the live tile at " + other.range());
  }

  Device device_;
  std::int64_t requested_;
  std::vector<std::byte> bytes_;
  std::vector<Placement> placements_;
};

}  // namespace pto::emulation

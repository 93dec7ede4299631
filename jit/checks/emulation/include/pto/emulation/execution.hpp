// One run of one kernel: its operations, its memory, its tiles and what was found. Intrinsics reach
// it through `execution()`; the harness makes one for each run.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "pto/emulation/device.hpp"
#include "pto/emulation/element.hpp"
#include "pto/emulation/local_memory.hpp"
#include "pto/emulation/memory.hpp"
#include "pto/emulation/operations.hpp"
#include "pto/emulation/report.hpp"

namespace pto::emulation {

struct Launch {
  Device device = Device::A2A3;
  std::int64_t dynamic_ub_bytes = 0;  // the launch's second argument
  bool places_automatically = false;  // tiles without TASSIGN, order without flags
};

// What stores of MTE3 do to global memory besides replacing it.
struct StoreMode {
  bool adds = false;
  bool has_element = false;
  Element element = Element::I8;
};

class Execution {
 public:
  Execution(const Launch& launch, const GlobalMemory& gm)
      : launch_(launch),
        ub_(launch.device, launch.dynamic_ub_bytes),
        operations_(reports_),
        memory_(operations_, ub_, gm, reports_) {
    if (launch.places_automatically || runs_in_order()) operations_.order_automatically();
  }
  Execution(const Execution&) = delete;
  Execution& operator=(const Execution&) = delete;
  Execution(Execution&&) = delete;
  Execution& operator=(Execution&&) = delete;
  ~Execution() = default;

  Device device() const { return launch_.device; }
  Operations& operations() { return operations_; }
  Memory& memory() { return memory_; }

  void report(ReportKind kind, std::string message) { reports_.add(kind, std::move(message)); }

  // Elements, as bits.
  std::uint32_t load(OperationId now, Place place, Element element) {
    std::array<std::byte, 4> bytes{};
    memory_.read(now, place, bytes.data(), size_of(element));
    std::uint32_t bits = 0;
    for (std::size_t k = bytes.size(); k > 0; --k) {
      bits = (bits << 8) | std::to_integer<std::uint32_t>(bytes[k - 1]);
    }
    return bits;
  }

  void store(OperationId now, Place place, Element element, std::uint32_t bits) {
    std::array<std::byte, 4> bytes{};
    for (std::size_t k = 0; k < bytes.size(); ++k) {
      bytes[k] = static_cast<std::byte>((bits >> (8 * k)) & 0xffU);
    }
    memory_.write(now, place, bytes.data(), size_of(element));
  }

  void copy(OperationId now, Place from, Place to, std::int64_t bytes) {
    buffer_.resize(static_cast<std::size_t>(bytes));
    memory_.read(now, from, buffer_.data(), bytes);
    memory_.write(now, to, buffer_.data(), bytes);
  }

  void clear(OperationId now, Place place, std::int64_t bytes) {
    buffer_.assign(static_cast<std::size_t>(bytes), std::byte{0});
    memory_.write(now, place, buffer_.data(), bytes);
  }

  // The store mode is memory too: setting it and storing by it are ordered like other accesses.
  void set_mode(const char* name, StoreMode mode) {
    const std::byte code{mode.adds};
    memory_.write(operations_.begin(name, PIPE_S), kMode, &code, 1);
    mode_ = mode;
  }
  StoreMode mode() const { return mode_; }
  StoreMode read_mode(OperationId now) {
    std::byte code{};
    memory_.read(now, kMode, &code, 1);
    if (mode_.adds) operations_.mark_atomic(now);
    return mode_;
  }

  // Tiles. A tile compiled with __PTO_AUTO__ turns the whole run automatic.
  void declare_tile(Device compiled_for, bool is_automatic) {
    if (is_automatic) {
      launch_.places_automatically = true;
      operations_.order_automatically();
    }
    if (compiled_for == launch_.device) return;
    report(ReportKind::WrongDevice, std::string("compiled for ") + name_of(compiled_for) +
                                        ", run on " + name_of(launch_.device));
  }
  bool places_automatically() const { return launch_.places_automatically; }
  void place_tile(const void* tile, std::int64_t at, const StorageType& type) {
    ub_.place(tile, at, type, reports_);
  }
  std::int64_t place_tile_anywhere(const void* tile, const StorageType& type) {
    const std::int64_t at = ub_.find_room(type);
    place_tile(tile, at, type);
    return at;
  }
  void remove_tile(const void* tile) { ub_.remove(tile); }

  // Pipes drain by themselves when a kernel ends; the cache does only where a compiler sees to it.
  std::vector<Report> finish() {
    if (operations_.is_automatic()) {
      memory_.clean_all(operations_.begin("the end of the kernel", PIPE_S));
      memory_.drain();
    }
    operations_.finish();
    memory_.finish();
    if (mode_.adds) {
      report(ReportKind::StoreMode,
             "atomic stores are still on when the kernel ends: "
             "set_atomic_none() missing");
    }
    return reports_.take();
  }

 private:
  static constexpr Place kMode = {Space::Mode, 0};

  // The simulator has neither pipes nor a cache.
  bool runs_in_order() const { return launch_.device == Device::Simulator; }

  Launch launch_;
  Reports reports_;
  LocalMemory ub_;
  Operations operations_;
  Memory memory_;
  StoreMode mode_;
  std::vector<std::byte> buffer_;
};

inline thread_local Execution* running = nullptr;

inline Execution& execution() {
  if (running == nullptr) {
    throw std::logic_error("a kernel runs only inside pto::emulation::Machine::run");
  }
  return *running;
}

}  // namespace pto::emulation

// What a test harness uses: a machine with some global memory, on which kernels are run one at a
// time. A kernel compiled for its target is called directly, inside `run`:
//
//   pto::emulation::Machine machine(pto::emulation::Device::A5, dynamic_ub_bytes);
//   machine.add_memory("table", table.data(), table.size() * sizeof(float));
//   const std::vector<pto::emulation::Report> reports = machine.run([&] { kernel(table.data()); });
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "pto/emulation/device.hpp"
#include "pto/emulation/execution.hpp"
#include "pto/emulation/global_memory.hpp"
#include "pto/emulation/report.hpp"

namespace pto::emulation {

class Machine {
 public:
  explicit Machine(Device device, std::int64_t dynamic_ub_bytes = 0)
      : Machine(Launch{device, dynamic_ub_bytes, false}) {}
  explicit Machine(const Launch& launch) : launch_(launch) {}

  // Registered memory keeps its host address. What is registered through a pointer to const is
  // read only. Buffers must not overlap: one that a kernel uses twice is registered once.
  void add_memory(std::string name, void* data, std::size_t bytes) {
    add_region(std::move(name), static_cast<std::byte*>(data), bytes, true);
  }
  void add_memory(std::string name, const void* data, std::size_t bytes) {
    add_region(std::move(name), static_cast<std::byte*>(const_cast<void*>(data)), bytes, false);
  }

  // Every run starts with an empty cache, free flags and a unified buffer full of garbage. Runs of
  // different machines may take place on different threads.
  template <typename Kernel>
  std::vector<Report> run(Kernel&& kernel) {
    Execution execution(launch_, gm_);
    const Current current(execution);
    std::forward<Kernel>(kernel)();
    std::vector<Report> reports = execution.finish();
    record_ = execution.operations().record();
    return reports;
  }

  // What the last run did: see record.hpp.
  const std::string& record() const { return record_; }

 private:
  class Current {
   public:
    explicit Current(Execution& execution) : outer_(running) { running = &execution; }
    ~Current() { running = outer_; }
    Current(const Current&) = delete;
    Current& operator=(const Current&) = delete;
    Current(Current&&) = delete;
    Current& operator=(Current&&) = delete;

   private:
    Execution* outer_;
  };

  void add_region(std::string name, std::byte* data, std::size_t bytes, bool is_writable) {
    gm_.add(
        {std::move(name), data, address_of(data), static_cast<std::int64_t>(bytes), is_writable});
  }

  Launch launch_;
  GlobalMemory gm_;
  std::string record_;
};

}  // namespace pto::emulation

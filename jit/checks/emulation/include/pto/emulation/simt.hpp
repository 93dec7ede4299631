// SIMT launches of A5: `cce::async_invoke<kernel>(cce::dim3{32, warps}, ...)` is one operation of
// the vector pipe. Its threads run one after another; atomics take effect when all have run, the
// first of every thread before the second of any, which for a grid-stride loop is walk order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <tuple>
#include <type_traits>
#include <vector>

#include "pto/emulation/element.hpp"
#include "pto/emulation/execution.hpp"
#include "pto/emulation/pointer.hpp"

namespace cce {

struct dim3 {
  std::uint32_t x = 1;
  std::uint32_t y = 1;
  std::uint32_t z = 1;
};

}  // namespace cce

inline thread_local cce::dim3 threadIdx{0, 0, 0};

namespace pto::emulation {

constexpr std::uint32_t kMaxThreads = 1024;

struct PendingAtomic {
  std::size_t turn = 0;  // how many atomics its thread has made before
  std::size_t number = 0;
  Place place;
  Element element = Element::I8;
  Combine how = Combine::Add;
  std::uint32_t value = 0;
};

struct SimtLaunch {
  std::vector<PendingAtomic> atomics;
  std::size_t turn = 0;
};

inline thread_local SimtLaunch simt_launch;

inline void apply(Execution& run, OperationId now, const PendingAtomic& atomic) {
  const std::uint32_t old = run.load(now, atomic.place, atomic.element);
  run.store(now, atomic.place, atomic.element,
            combine(atomic.element, atomic.how, old, atomic.value));
}

template <typename T>
void make_atomic(Place place, T value, Combine how) {
  Execution& run = execution();
  PendingAtomic atomic{
      simt_launch.turn++, simt_launch.atomics.size(), place, kElementOf<T>, how, 0};
  std::memcpy(&atomic.value, &value, sizeof value);
  if (run.operations().is_in_launch()) {
    simt_launch.atomics.push_back(atomic);
  } else {
    apply(run, run.operations().scalar(), atomic);
  }
}

template <typename Thread>
void run_threads(cce::dim3 threads, Thread thread) {
  for (std::uint32_t y = 0; y < threads.y; ++y) {
    for (std::uint32_t x = 0; x < threads.x; ++x) {
      threadIdx = {x, y, 0};
      simt_launch.turn = 0;
      thread();
    }
  }
  threadIdx = {0, 0, 0};
}

inline void apply_atomics(Execution& run, OperationId now) {
  std::vector<PendingAtomic>& atomics = simt_launch.atomics;
  std::sort(atomics.begin(), atomics.end(),
            [](const PendingAtomic& left, const PendingAtomic& right) {
              return std::tie(left.turn, left.number) < std::tie(right.turn, right.number);
            });
  for (const PendingAtomic& atomic : atomics) apply(run, now, atomic);
  atomics.clear();
}

}  // namespace pto::emulation

namespace cce {

template <auto kKernel, typename... Arguments>
void async_invoke(dim3 threads, Arguments... arguments) {
  pto::emulation::Execution& run = pto::emulation::execution();
  if (threads.x * threads.y * threads.z > pto::emulation::kMaxThreads || threads.z != 1) {
    run.report(pto::emulation::ReportKind::Extent, "async_invoke: at most 1024 threads in x and y");
    return;
  }
  const pto::emulation::OperationId now = run.operations().begin("async_invoke", PIPE_V);
  run.operations().enter_launch(now);
  pto::emulation::run_threads(threads, [&] { kKernel(arguments...); });
  pto::emulation::apply_atomics(run, now);
  run.operations().leave_launch();
}

}  // namespace cce

template <typename T>
void atomicAdd(pto::emulation::Pointer<T, pto::emulation::Space::Gm> at,
               std::common_type_t<T> value) {
  pto::emulation::make_atomic<T>({pto::emulation::Space::Gm, at.address()}, value,
                                 pto::emulation::Combine::Add);
}

template <typename T>
void atomicMax(pto::emulation::Pointer<T, pto::emulation::Space::Gm> at,
               std::common_type_t<T> value) {
  pto::emulation::make_atomic<T>({pto::emulation::Space::Gm, at.address()}, value,
                                 pto::emulation::Combine::Max);
}

template <typename T>
void atomicMin(pto::emulation::Pointer<T, pto::emulation::Space::Gm> at,
               std::common_type_t<T> value) {
  pto::emulation::make_atomic<T>({pto::emulation::Space::Gm, at.address()}, value,
                                 pto::emulation::Combine::Min);
}

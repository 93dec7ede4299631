// Pointers whose accesses the emulation sees. A plain pointer would hide them, so kernels that
// load and store by hand use `GmPointer<T>` and `UbPointer<T>`: here these types, on the device
// aliases of `__gm__ T*` and `__ubuf__ T*`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "pto/emulation/element.hpp"
#include "pto/emulation/execution.hpp"
#include "pto/emulation/global_memory.hpp"

namespace pto::emulation {

template <typename T>
T load_scalar(Place place) {
  T value{};
  Execution& run = execution();
  run.memory().read(run.operations().scalar(), place, reinterpret_cast<std::byte*>(&value),
                    sizeof value);
  return value;
}

template <typename T>
void store_scalar(Place place, T value) {
  Execution& run = execution();
  run.memory().write(run.operations().scalar(), place, reinterpret_cast<const std::byte*>(&value),
                     sizeof value);
}

template <typename T, Space kSpace>
class Pointer;

// One element of memory. Reading it is a conversion, so give what is read a type: `auto` would
// keep the reference.
template <typename T, Space kSpace>
class Reference {
 public:
  explicit Reference(Place place) : place_(place) {}
  Reference(const Reference&) = default;
  Reference(Reference&&) = default;
  ~Reference() = default;

  operator T() const { return load_scalar<T>(place_); }  // NOLINT: reads as the element does

  Reference& operator=(T value) {
    store_scalar<T>(place_, value);
    return *this;
  }
  Reference& operator=(const Reference& other) { return *this = static_cast<T>(other); }  // NOLINT
  Reference& operator=(Reference&& other) { return *this = static_cast<T>(other); }       // NOLINT
  Reference& operator+=(T value) {
    const T sum = static_cast<T>(static_cast<T>(*this) + value);
    return *this = sum;
  }

  Pointer<T, kSpace> operator&() const { return Pointer<T, kSpace>(place_.at); }  // NOLINT

 private:
  Place place_;
};

// UB addresses are byte offsets into the buffer, GM addresses those of the host.
template <typename T, Space kSpace>
class Pointer {
  using Mutable = std::remove_const_t<T>;
  // Of any width and sign, as plain pointers take them.
  template <typename I>
  using IfInteger = std::enable_if_t<std::is_integral_v<I>, int>;

 public:
  Pointer() = default;
  explicit Pointer(std::uint64_t at) : at_(at) {}

  // Global memory is handed to kernels by plain pointers.
  template <Space kOther = kSpace, std::enable_if_t<kOther == Space::Gm, int> = 0>
  Pointer(T* pointer) : at_(address_of(pointer)) {}  // NOLINT: as on the device

  // To const without a cast; to another element type only by a cast, as plain pointers.
  template <typename U, std::enable_if_t<std::is_same_v<const U, T>, int> = 0>
  Pointer(Pointer<U, kSpace> other) : at_(other.address()) {}  // NOLINT: as plain pointers
  template <typename U, std::enable_if_t<!std::is_same_v<const U, T>, int> = 0>
  explicit Pointer(Pointer<U, kSpace> other) : at_(other.address()) {}

  std::uint64_t address() const { return at_; }

  template <typename Index, IfInteger<Index> = 0>
  auto operator[](Index index) const {
    const Place place = {kSpace, (*this + index).address()};
    if constexpr (std::is_const_v<T>) {
      return load_scalar<Mutable>(place);
    } else {
      return Reference<T, kSpace>(place);
    }
  }
  auto operator*() const { return (*this)[0]; }

  template <typename Count, IfInteger<Count> = 0>
  Pointer operator+(Count count) const {
    return Pointer(at_ + static_cast<std::uint64_t>(count) * sizeof(T));
  }
  template <typename Count, IfInteger<Count> = 0>
  Pointer operator-(Count count) const {
    return Pointer(at_ - static_cast<std::uint64_t>(count) * sizeof(T));
  }
  template <typename Count, IfInteger<Count> = 0>
  Pointer& operator+=(Count count) {
    return *this = *this + count;
  }
  Pointer& operator++() { return *this += 1; }
  bool operator==(const Pointer& other) const { return at_ == other.at_; }
  bool operator!=(const Pointer& other) const { return at_ != other.at_; }

 private:
  std::uint64_t at_ = 0;
};

// Arguments of primitives that take an address of any element type.
struct GmAddress {
  std::uint64_t at = 0;

  GmAddress(const volatile void* pointer) : at(address_of(pointer)) {}  // NOLINT
  template <typename T>
  GmAddress(Pointer<T, Space::Gm> pointer) : at(pointer.address()) {}  // NOLINT
};

struct UbAddress {
  std::int64_t at = 0;

  template <typename T>
  UbAddress(Pointer<T, Space::Ub> pointer)  // NOLINT
      : at(static_cast<std::int64_t>(pointer.address())) {}
};

}  // namespace pto::emulation

namespace pto {

template <typename T>
using GmPointer = emulation::Pointer<T, emulation::Space::Gm>;
template <typename T>
using UbPointer = emulation::Pointer<T, emulation::Space::Ub>;

}  // namespace pto

// Tables in global memory: a pointer with five extents and five strides, each a number in the type
// or -1 and given to the constructor.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "pto/emulation/element.hpp"
#include "pto/emulation/pointer.hpp"
#include "pto/emulation/policies.hpp"
#include "pto/emulation/views.hpp"

namespace pto {
namespace emulation {

// Five numbers, some of them known in the type. The constructor takes the others, in order.
template <std::int64_t... kEntries>
class FiveNumbers {
  static_assert(sizeof...(kEntries) == 5, "five entries");

 public:
  static constexpr std::array<std::int64_t, 5> kStatic = {kEntries...};
  static constexpr std::size_t kRuntimeEntries = (std::size_t{0} + ... + (kEntries == DYNAMIC));

  FiveNumbers() : FiveNumbers(Values{1, 1, 1, 1, 1}) {}

  template <typename... Numbers,
            std::enable_if_t<(sizeof...(Numbers) > 0) && (std::is_integral_v<Numbers> && ...),
                             int> = 0>
  FiveNumbers(Numbers... numbers)  // NOLINT: as on the device
      : FiveNumbers(spread({static_cast<std::int64_t>(numbers)...})) {
    static_assert(sizeof...(Numbers) == kRuntimeEntries || sizeof...(Numbers) == 5,
                  "give exactly the runtime entries, in order");
  }

  std::int64_t operator[](std::size_t dim) const { return values_[dim]; }
  const std::array<std::int64_t, 5>& values() const { return values_; }

 private:
  using Values = std::array<std::int64_t, 5>;

  explicit FiveNumbers(const Values& values) {
    for (std::size_t k = 0; k < 5; ++k) {
      values_[k] = kStatic[k] == DYNAMIC ? values[k] : kStatic[k];
    }
  }

  template <std::size_t kCount>
  static Values spread(const std::int64_t (&given)[kCount]) {
    Values values{};
    std::size_t next = 0;
    for (std::size_t k = 0; k < 5; ++k) {
      if (kCount == 5) {
        values[k] = given[k % kCount];
      } else if (kStatic[k] == DYNAMIC && next < kCount) {
        values[k] = given[next++];
      }
    }
    return values;
  }

  Values values_{};
};

constexpr TableLayout table_layout(Layout layout) {
  switch (layout) {
    case Layout::ND: return TableLayout::Nd;
    case Layout::DN: return TableLayout::Dn;
    case Layout::NZ: return TableLayout::Nz;
  }
  return TableLayout::Nd;
}

constexpr std::int64_t times(std::int64_t left, std::int64_t right) {
  return left == DYNAMIC || right == DYNAMIC ? std::int64_t{DYNAMIC} : left * right;
}

}  // namespace emulation

template <std::int64_t N0 = DYNAMIC, std::int64_t N1 = DYNAMIC, std::int64_t N2 = DYNAMIC,
          std::int64_t N3 = DYNAMIC, std::int64_t N4 = DYNAMIC>
struct Shape : emulation::FiveNumbers<N0, N1, N2, N3, N4> {
  using emulation::FiveNumbers<N0, N1, N2, N3, N4>::FiveNumbers;
};

template <std::int64_t N0 = DYNAMIC, std::int64_t N1 = DYNAMIC, std::int64_t N2 = DYNAMIC,
          std::int64_t N3 = DYNAMIC, std::int64_t N4 = DYNAMIC>
struct Stride : emulation::FiveNumbers<N0, N1, N2, N3, N4> {
  using emulation::FiveNumbers<N0, N1, N2, N3, N4>::FiveNumbers;
};

// Packed strides of a matrix, by layout.
template <typename T, std::int64_t kRows, std::int64_t kCols, Layout kLayout>
struct BaseShape2D;

template <typename T, std::int64_t kRows, std::int64_t kCols>
struct BaseShape2D<T, kRows, kCols, Layout::ND>
    : Stride<emulation::times(kRows, kCols), emulation::times(kRows, kCols),
             emulation::times(kRows, kCols), kCols, 1> {};

template <typename T, std::int64_t kRows, std::int64_t kCols>
struct BaseShape2D<T, kRows, kCols, Layout::DN>
    : Stride<emulation::times(kRows, kCols), emulation::times(kRows, kCols),
             emulation::times(kRows, kCols), 1, kRows> {};

template <typename Element_, typename Shape_, typename Stride_, Layout Layout_ = Layout::ND>
class GlobalTensor {
 public:
  using RawDType = std::remove_cv_t<Element_>;
  using DType = RawDType;
  using Shape = Shape_;
  using Stride = Stride_;
  static constexpr Layout layout = Layout_;
  static constexpr std::array<std::int64_t, 5> staticShape = Shape::kStatic;
  static constexpr std::array<std::int64_t, 5> staticStride = Stride::kStatic;

  GlobalTensor() = default;
  GlobalTensor(GmPointer<RawDType> data, const Shape& shape = {},  // NOLINT: as on the device
               const Stride& stride = {})
      : data_(data), shape_(shape), stride_(stride) {}
  GlobalTensor(RawDType* data, const Shape& shape = {},  // NOLINT: as on the device
               const Stride& stride = {})
      : GlobalTensor(GmPointer<RawDType>(data), shape, stride) {}

  std::int64_t GetShape(int dim) const { return shape_[static_cast<std::size_t>(dim)]; }
  std::int64_t GetStride(int dim) const { return stride_[static_cast<std::size_t>(dim)]; }

  GmPointer<RawDType> data() const { return data_; }
  void point_to(GmPointer<RawDType> data) { data_ = data; }

 private:
  GmPointer<RawDType> data_;
  Shape shape_;
  Stride stride_;
};

namespace emulation {

template <typename T, typename S, typename D, Layout kLayout>
TableView view_of(const GlobalTensor<T, S, D, kLayout>& table) {
  TableView view{table.data().address(), kElementOf<T>, table_layout(kLayout), {}, {}};
  for (int dim = 0; dim < TOTAL_DIM; ++dim) {
    view.shape[static_cast<std::size_t>(dim)] = table.GetShape(dim);
    view.stride[static_cast<std::size_t>(dim)] = table.GetStride(dim);
  }
  return view;
}

}  // namespace emulation

// Points a table elsewhere.
template <typename T, typename S, typename D, Layout kLayout>
void TASSIGN(GlobalTensor<T, S, D, kLayout>& table, std::remove_cv_t<T>* data) {
  table.point_to(data);
}

}  // namespace pto

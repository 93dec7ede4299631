#include "runtime/bindings/bound_kernels.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "runtime/bindings/binding_counts.h"
#include "runtime/bindings/binding_table.h"

namespace pto::jit {
namespace {

// What is missing from a table is counted once in so many calls of a thread, at most: counts are
// shared by all threads that use a kernel, and calls take nanoseconds.
constexpr std::uint32_t kMostStride = 64;

// Of calls that found no kernel of their own, of whatever kernel.
[[gnu::tls_model("initial-exec")]] constinit thread_local std::uint32_t calls_missed = 0;

class BoundKernels final : public KernelBody {
 public:
  BoundKernels(const Kernel& general, const BindingOptions& options,
               std::unique_ptr<BindingMaker> maker);

  template <std::size_t kCount>
  static void call(const Frame* frame, const void* context) {
    const auto& self = *static_cast<const BoundKernels*>(context);
    const BoundKernel& first = self.table_.first();
    if (first.is_for<kCount>(self.values_of(*frame))) [[likely]]
      return first.call(*frame);
    self.call_another<kCount>(*frame);
  }

 private:
  // Called by a shortcut, which has compared the frame with the first binding.
  template <std::size_t kCount>
  static void call_others(const Frame* frame, const void* context) {
    static_cast<const BoundKernels*>(context)->call_another<kCount>(*frame);
  }

  template <std::size_t kCount>
  [[gnu::noinline]] void call_another(const Frame& frame) const {
    if (const BoundKernel* own = table_.find<kCount>(values_of(frame))) return own->call(frame);
    if ((++calls_missed & stride_mask_) != 0) [[likely]]
      return table_.call_of_general()(frame);
    call_after_look<kCount>(frame);
  }

  template <std::size_t kCount>
  [[gnu::noinline, gnu::cold]] void call_after_look(const Frame& frame) const {
    look<kCount>(frame)(frame);
  }

  // Values that no static spec has are not worth counting.
  template <std::size_t kCount>
  const KernelCall& look(const Frame& frame) const noexcept {
    const BindingValues values = values_of(frame);
    for (std::size_t i = 0; i < kCount; ++i) {
      if (values[i] < 1) return table_.call_of_general();
    }
    if (table_.has_room() && counts_.is_enough(hash_of<kCount>(values), enough_)) {
      try {
        if (table_.add<kCount>(values, maker_->make(frame).value_or(table_.general())))
          shorten<kCount>(table_.first());
      } catch (...) {  // memory, most likely, and the general kernel needs none
      }
    }
    const BoundKernel* own = table_.find<kCount>(values);
    return own != nullptr ? own->call : table_.call_of_general();
  }

  // By the one thread that added the first binding.
  template <std::size_t kCount>
  void shorten(const BoundKernel& first) const {
    std::array<FrameValue, kCount> values;
    for (std::size_t i = 0; i < kCount; ++i) values[i] = {Dim{places_[i]}, first.values[i]};
    shortcut_ = maker_->make_shortcut({values, first.call, call_others<kCount>});
    if (shortcut_) enter_by(shortcut_->call().entry);
  }

  BindingValues values_of(const Frame& frame) const {
    return {frame.extents.data(), places_.data()};
  }

  const std::uint32_t stride_mask_;
  const std::uint32_t enough_;                // counts
  std::array<std::uint8_t, kDims> places_{};  // of the dimensions in a frame
  mutable BindingTable table_;
  mutable BindingCounts counts_;
  mutable std::optional<Kernel> shortcut_;
  const std::unique_ptr<BindingMaker> maker_;
};

template <std::size_t... kPlaces>
KernelEntry entry_for(std::size_t count, std::index_sequence<kPlaces...>) {
  constexpr std::array<KernelEntry, sizeof...(kPlaces)> kEntries = {
      &BoundKernels::call<kPlaces + 1>...};
  return kEntries[count - 1];
}

BoundKernels::BoundKernels(const Kernel& general, const BindingOptions& options,
                           std::unique_ptr<BindingMaker> maker)
    : KernelBody({.entry = entry_for(options.dims.size(), std::make_index_sequence<kDims>()),
                  .context = this,
                  .backend = general.backend(),
                  .code = general.code(),
                  .footprint = general.footprint() + sizeof(BoundKernels),
                  .name = options.name}),
      stride_mask_(std::bit_floor(std::clamp(options.after / 4, 1U, kMostStride)) - 1),
      enough_((options.after + stride_mask_) / (stride_mask_ + 1)),
      table_(general),
      maker_(std::move(maker)) {
  std::ranges::transform(options.dims, places_.begin(),
                         [](Dim dim) { return static_cast<std::uint8_t>(dim); });
}

}  // namespace

Kernel with_bound_kernels(const Kernel& general, const BindingOptions& options,
                          std::unique_ptr<BindingMaker> maker) {
  return Kernel(std::make_unique<BoundKernels>(general, options, std::move(maker)));
}

}  // namespace pto::jit

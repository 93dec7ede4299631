#include "runtime/bindings/binding_table.h"

#include <utility>

namespace pto::jit {

// Whoever deletes a kernel has seen the end of all its calls, and with them of all that was added.
BindingTable::~BindingTable() {
  for (const std::atomic<const BoundKernel*>& cell : cells_)
    delete cell.load(std::memory_order_relaxed);
}

bool BindingTable::add(std::unique_ptr<BoundKernel> bound) {
  if (count_.fetch_add(1, std::memory_order_relaxed) < kMostBindings) {
    for (std::size_t at = home_of(bound->hash);; at = next(at)) {
      const BoundKernel* other = nullptr;
      if (cells_[at].compare_exchange_strong(other, bound.get(), std::memory_order_release,
                                             std::memory_order_acquire)) {
        const BoundKernel* none = &nothing_;
        return first_.compare_exchange_strong(none, bound.release(), std::memory_order_release,
                                              std::memory_order_relaxed);
      }
      if (other->values == bound->values) break;
    }
  }
  count_.fetch_sub(1, std::memory_order_relaxed);
  return false;
}

}  // namespace pto::jit

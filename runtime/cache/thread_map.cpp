#include "runtime/cache/thread_map.h"

#include <algorithm>
#include <bit>

#include "runtime/cache/thread_find.h"

namespace pto::jit {
namespace {

constexpr std::size_t kLeastPlaces = 64;
// A thread that uses more specs than this starts over: 4 MB is enough for one thread to hold.
constexpr std::size_t kMostSlots = 16384;

}  // namespace

constinit thread_local ThreadMap* current_thread_map = nullptr;

ThreadMap::ThreadMap(std::uint64_t cache, std::shared_ptr<HitCounter> counter)
    : cache_(cache), find_(best_find()), counter_(std::move(counter)) {
  rebuild();
}

ThreadSlot& ThreadMap::add(const KernelSpec& spec, std::uint64_t maker, FoundKernel found) {
  if (slots_.size() == kMostSlots) slots_.clear();
  slots_.push_back({spec, maker, 0, std::move(found), quick_hash(spec, maker)});
  if (slots_.size() == 1 || 2 * slots_.size() > index_.size()) {
    rebuild();
  } else {
    enter(slots_.size() - 1);
  }
  return slots_.back();
}

void ThreadMap::sweep(std::uint64_t drops) {
  if (drops == drops_) return;
  drops_ = drops;
  sweep();
}

void ThreadMap::sweep() {
  const auto is_dropped = [](const ThreadSlot& slot) { return !slot.found.is_cached(); };
  if (std::erase_if(slots_, is_dropped) > 0) rebuild();
}

void ThreadMap::rebuild() {
  const std::size_t places = std::bit_ceil(std::max(2 * slots_.size(), kLeastPlaces));
  shift_ = 64 - static_cast<unsigned>(std::countr_zero(places));
  mask_ = places - 1;
  index_.assign(places, {});
  memos_ = {};
  for (std::size_t slot = 0; slot < slots_.size(); ++slot) enter(slot);
}

void ThreadMap::enter(std::size_t slot) {
  const std::uint64_t hash = slots_[slot].hash;
  std::size_t at = home_of(hash);
  while (index_[at].tag != 0) at = (at + 1) & mask_;
  index_[at] = {tag_of(hash), static_cast<std::uint32_t>(slot)};
}

}  // namespace pto::jit

// SpecMemo: the entries that specs at certain addresses were found in last. Most specs stay where
// they are, and then need neither be hashed nor searched for. Not thread-safe.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/cache/cache_entry.h"

namespace pto::jit {

class SpecMemo {
 public:
  // Null when nothing is noted for this address. Whether the spec is still the same is not known.
  const CacheEntry* entry_of(const KernelSpec* spec) const {
    const Note& note = notes_[place_of(spec)];
    return note.spec == spec ? note.entry : nullptr;
  }

  // Replaces what was noted in the same place.
  void note(const KernelSpec* spec, const CacheEntry& entry) {
    if (noted_++ == notes_.size() && notes_.size() < kMost) resize(2 * notes_.size());
    notes_[place_of(spec)] = {spec, &entry};
  }

  void forget() { resize(kLeast); }

 private:
  static constexpr std::size_t kLeast = 64;
  static constexpr std::size_t kMost = 16384;  // 256 KB is enough for one thread to hold

  struct Note {
    const KernelSpec* spec = nullptr;
    const CacheEntry* entry = nullptr;
  };

  std::size_t place_of(const KernelSpec* spec) const {
    return reinterpret_cast<std::uintptr_t>(spec) * 0x9e3779b97f4a7c15 >> shift_;
  }
  void resize(std::size_t places) {
    shift_ = std::countl_zero(places - 1);
    noted_ = 0;
    notes_.assign(places, {});
  }

  int shift_ = std::countl_zero(kLeast - 1);
  std::size_t noted_ = 0;  // since the last change of size
  std::vector<Note> notes_{kLeast};
};

}  // namespace pto::jit
